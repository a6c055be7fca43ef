CREATE TABLE IF NOT EXISTS orders (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer bigint NOT NULL,
    cents bigint NOT NULL,
    stage text NOT NULL DEFAULT 'placed'
);
-- What a customer owes, and what is open after a start, is found without reading all orders.
CREATE INDEX IF NOT EXISTS open_orders ON orders (customer) WHERE stage IN ('placed', 'paid');
CREATE INDEX IF NOT EXISTS open_numbers ON orders (number) WHERE stage IN ('placed', 'paid');

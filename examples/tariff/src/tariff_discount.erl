-module(tariff_discount).

-callback percentage(Cents :: non_neg_integer()) -> 0..100.

defmodule Shop.Item do
  @moduledoc "Something that is sold."

  @typedoc "An item. Its note is for the customer."
  @type t :: %__MODULE__{name: String.t(), price: non_neg_integer(), note: String.t() | nil, on_sale?: boolean()}

  defstruct name: "", price: 0, note: nil, on_sale?: false
end

defmodule Shop.Pricing do
  @moduledoc "Decides what an item costs."

  alias Shop.Item

  @doc "Begins with a percentage. `{:error, reason}` is for one that is too large."
  @callback init(percentage :: non_neg_integer()) :: {:ok, state :: term} | {:error, reason :: atom()}

  @doc "The item with its new price, or `:unknown`."
  @callback price(Item.t(), state :: term) :: {:ok, Item.t(), new_state} | :unknown when new_state: term

  @doc "Whether the item may be sold at all."
  @callback sold?(Item.t(), state :: term) :: boolean()

  @doc "The number of items that have been priced."
  @callback fetch!(state :: term) :: pos_integer() | nil

  @optional_callbacks sold?: 2

  @doc "Prices the items one by one."
  @spec all(module(), non_neg_integer(), [Item.t()]) :: {[Item.t()], pos_integer() | nil} | {:error, atom()}
  def all(module, percentage, items) do
    with {:ok, state} <- module.init(percentage) do
      {priced, state} = Enum.flat_map_reduce(items, state, &price(module, &1, &2))
      {priced, module.fetch!(state)}
    end
  end

  defp price(module, item, state) do
    with true <- module.sold?(item, state), {:ok, item, state} <- module.price(item, state) do
      {[item], state}
    else
      _ -> {[], state}
    end
  end
end

defprotocol Shop.Weighed do
  @doc "The weight in grams, with a packing of this weight."
  def weigh(packet, packing)
end

defmodule Shop.Till do
  @moduledoc "A server of Elixir's, which the Rust counter asks."
  use GenServer

  @type request :: {:last, Shop.Item.t()}

  def start_link(arg), do: GenServer.start_link(__MODULE__, arg, name: __MODULE__)

  @impl true
  def init(arg), do: {:ok, arg}

  @impl true
  def handle_call({:last, %Shop.Item{} = item}, _from, items) do
    {:reply, List.first(items), [item | items]}
  end
end

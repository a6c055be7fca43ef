defmodule Parcels do
  @moduledoc "Sends parcels, whose postage a Rust server sells."

  @doc "Asks the server `clerk` of the application `postage`."
  @spec send(pos_integer(), :domestic | :abroad) :: {:cents, non_neg_integer()} | :too_heavy
  def send(grams, zone), do: GenServer.call(:clerk, {:sell, grams, zone})

  @doc "Starts another clerk, by the module that `cargo otp build` has written."
  @spec open(atom()) :: {:ok, pid()} | {:error, term()}
  def open(name), do: :clerk.start_link({:local, name}, [], [])
end

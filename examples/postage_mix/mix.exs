defmodule Parcels.MixProject do
  use Mix.Project

  def project do
    [
      app: :parcels,
      version: "0.1.0",
      elixir: "~> 1.14",
      deps: [{:postage, path: "../postage"}]
    ]
  end

  def application, do: []
end

defmodule Postage.MixProject do
  use Mix.Project

  # For Elixir projects that have this folder as a dependency.
  def project do
    [
      app: :postage,
      version: "0.1.0",
      compilers: [:cargo_otp],
      deps: [{:cargo_otp, path: "../../mix", runtime: false}]
    ]
  end
end

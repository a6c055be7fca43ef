defmodule Parcels.MixProject do
  use Mix.Project

  def project do
    [
      app: :parcels,
      version: "0.1.0",
      elixir: "~> 1.14",
      # Rust is built before Elixir.
      compilers: [:cargo_otp | Mix.compilers()]
    ]
  end

  def application do
    [extra_applications: [:postage]]
  end
end

defmodule Mix.Tasks.Compile.CargoOtp do
  @moduledoc "Builds the Rust application, and links it and all that it needs to where Mix has applications."
  use Mix.Task.Compiler

  @impl true
  def run(_) do
    libraries = Path.join(Mix.Project.build_path(), "lib")
    profile = if Mix.env() == :prod, do: ["--release"], else: []

    case System.cmd("cargo", ["otp", "build", "--link", libraries | profile], cd: "../postage") do
      {_, 0} -> libraries |> Path.join("*/ebin") |> Path.wildcard() |> Enum.each(&Code.prepend_path/1)
      {_, _} -> Mix.raise("cargo otp build failed")
    end

    {:ok, []}
  end
end

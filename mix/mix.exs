defmodule CargoOtp.MixProject do
  use Mix.Project

  def project do
    [
      app: :cargo_otp,
      version: "0.1.0",
      elixir: "~> 1.14",
      description: "Mix projects with applications in Rust, which cargo otp builds"
    ]
  end

  # The application does not need this package at run time.
  def application, do: []
end

defmodule Mix.Tasks.Compile.CargoOtp do
  @moduledoc """
  Builds an application in Rust: the compiler of a `mix.exs` beside its `otp.toml`.

      def project do
        [app: :postage, version: "0.1.0", compilers: [:cargo_otp], deps: [{:cargo_otp, …, runtime: false}]]
      end

  `cargo otp build` compiles only changed code. With `MIX_ENV=prod`, it optimises. Afterwards, Mix's build folder contains the
  application and all its dependencies outside OTP.
  """
  use Mix.Task.Compiler

  @impl true
  def run(_) do
    links = Path.join(Mix.Project.build_path(), "cargo_otp")
    File.mkdir_p!(links)
    # A dependency's own environment is always `prod`, so the project's environment is read from the name of its folder.
    is_prod = Mix.Project.build_path() |> Path.basename() |> String.ends_with?("prod")
    profile = if is_prod, do: ["--release"], else: []

    case System.cmd("cargo", ["otp", "build", "--link", links | profile]) do
      {_, 0} -> links |> File.ls!() |> Enum.each(&link(links, &1))
      {_, _} -> Mix.raise("cargo otp build failed")
    end

    {:ok, []}
  end

  # Mix owns the application's folder and stores more files in it, so only `ebin` and `priv` are links.
  defp link(links, name) do
    own = Mix.Project.app_path()
    from = Path.join(links, name)
    to = own |> Path.dirname() |> Path.join(name)

    if to == own do
      File.mkdir_p!(own)
      for part <- ["ebin", "priv"], do: replace(Path.join(from, part), Path.join(own, part))
    else
      replace(from, to)
    end

    Code.prepend_path(Path.join(to, "ebin"))
  end

  defp replace(from, to) do
    File.rm_rf!(to)
    if File.dir?(from), do: File.ln_s!(from, to)
  end
end

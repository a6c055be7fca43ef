//! The project files of a package, which tell rebar3 and mix how to compile its Erlang. Both take
//! the application's keys from `src/NAME.app.src`.

use super::metadata::{HexMetadata, Requirement};

/// Returns the text of `rebar.config`.
pub(super) fn rebar_config(metadata: &HexMetadata) -> String {
    let dependencies = lines(metadata, |it| {
        format!("    {{{}, \"{}\"}}", it.name, it.versions)
    });
    format!(
        "%% Written by `cargo otp package`.\n{{erl_opts, [debug_info]}}.\n{{deps, [{dependencies}]}}.\n"
    )
}

/// Returns the text of `mix.exs`.
pub(super) fn mix_exs(metadata: &HexMetadata) -> String {
    let HexMetadata { name, version, .. } = metadata;
    let dependencies = lines(metadata, |it| {
        format!("      {{:{}, \"{}\"}}", it.name, it.versions)
    });
    format!(
        "# Written by `cargo otp package`.
defmodule {module}.MixProject do
  use Mix.Project

  @resource Path.join(__DIR__, \"src/{name}.app.src\")
  @keys [:applications, :env, :included_applications, :mod, :registered, :start_phases]

  def project do
    [
      app: :{name},
      version: \"{version}\",
      language: :erlang,
      erlc_paths: [\"src\"],
      erlc_options: [:debug_info],
      deps: [{dependencies}]
    ]
  end

  def application do
    {{:ok, [{{:application, _, keys}}]}} = :file.consult(@resource)
    Keyword.take(keys, @keys)
  end
end
",
        module = module(name),
    )
}

/// Returns a line for each package that is needed.
fn lines(metadata: &HexMetadata, line: impl Fn(&Requirement) -> String) -> String {
    let lines: Vec<String> = metadata.requirements.iter().map(line).collect();
    match lines.as_slice() {
        [] => String::new(),
        lines => format!("\n{}\n", lines.join(",\n")),
    }
}

/// Returns the name of an Elixir module for an application: `MyShop` for `my_shop`.
fn module(application: &str) -> String {
    let words = application.split('_').filter(|word| !word.is_empty());
    let words = words.map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_dependencies_of_both() {
        let metadata = HexMetadata {
            name: "my_shop".to_owned(),
            version: "0.1.0".to_owned(),
            requirements: vec![Requirement {
                name: "jsx".to_owned(),
                versions: "~> 3.1.0".to_owned(),
            }],
            ..HexMetadata::default()
        };
        let config = rebar_config(&metadata);
        assert!(
            config.contains("{deps, [\n    {jsx, \"~> 3.1.0\"}\n]}."),
            "{config}"
        );
        let project = mix_exs(&metadata);
        assert!(
            project.contains("deps: [\n      {:jsx, \"~> 3.1.0\"}\n]"),
            "{project}"
        );
        assert!(
            project.contains("defmodule MyShop.MixProject do"),
            "{project}"
        );
    }
}

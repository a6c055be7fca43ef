//! The command line as its users meet it: real binaries, scratch folders.

mod add;
mod build;
mod command_line;
mod elixir;
mod erlang_sources;
mod explain;
mod forms;
mod gen_types;
mod gen_types_check;
mod gen_types_code_path;
mod gen_types_config;
mod gen_types_config_mistakes;
mod gen_types_diff;
mod gen_types_docs;
mod gen_types_from_docs;
mod gen_types_guide;
mod installation;
mod life;
mod new;
mod override_pages;
mod pages;
mod schema;
mod support;
mod types;

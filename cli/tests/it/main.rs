//! The command line as its users meet it: real binaries, scratch folders.

mod add;
mod build;
mod command_line;
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
mod gen_types_rustdoc;
mod installation;
mod life;
mod new;
mod odd_files;
mod override_pages;
mod pages;
mod schema;
mod sizes;
mod support;
mod types;

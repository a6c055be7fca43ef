//! The module that loads the library and performs what futures wait for.

use otp_contract::limits::CALLBACK_ARITY;

use super::{HELPER, head, library_module_name};

/// Text of the module that loads `library_file` (a file of the application's `priv` folder,
/// without its extension).
pub fn library_module(application: &str, library_file: &str) -> String {
    let exports: Vec<String> = (0..=CALLBACK_ARITY)
        .map(|n| format!("callback/{}", n + 1))
        .collect();
    let mut text = head("the application's library");
    text += &format!("-module({}).\n", library_module_name(application));
    text += "-export([manifest/0, format_state/1, state/1, replace_state/2, long_callback/1, continue/1, beside/2]).\n";
    text += &format!("-export([{}]).\n", exports.join(", "));
    text += "-on_load(load/0).\n\n";
    text += TYPES;
    text += &load(application, library_file);
    text += include_str!("library.erl");
    text += &function("manifest", &[], "binary()");
    text += &function("format_state", &["term()"], "term()");
    text += &function(
        "state",
        &["term()"],
        "{ok, term()} | {debug, binary()} | error",
    );
    text += &function(
        "replace_state",
        &["term()", "term()"],
        "ok | {error, term()}",
    );
    text += &function("long_callback", &["pos_integer() | off"], "ok");
    for name in ["resume", "resume_dirty_cpu", "resume_dirty_io"] {
        text += &function(name, &["cell()", "outcome() | [answer()]"], "term()");
    }
    for arity in 0..=CALLBACK_ARITY {
        let mut arguments = vec!["non_neg_integer()"];
        arguments.resize(arity + 1, "term()");
        text += &function("callback", &arguments, "term()");
    }
    text
}

/// Text of the module [`HELPER`], which is the same in every application.
pub fn helper_module() -> String {
    head(&format!("otp-rs: `{HELPER}`")) + include_str!("otp_rs.erl")
}

/// A function of the library.
fn function(name: &str, arguments: &[&str], returns: &str) -> String {
    let (types, names) = (arguments.join(", "), vec!["_"; arguments.len()].join(", "));
    format!(
        "\n-spec {name}({types}) -> {returns}.\n{name}({names}) -> erlang:nif_error(not_loaded).\n"
    )
}

/// What the library hands over and gets back (`bridge/src/runtime/step.rs`).
const TYPES: &str = "\
-export_type([step/0]).

%% What stands for a process's state.
-type cell() :: reference().
-type operation_id() :: non_neg_integer().
-type request() ::
    {call, gen_server:server_ref(), term(), timeout()}
  | {apply, module(), atom(), [term()]}
  | {sleep, non_neg_integer()}.
-type outcome() :: {ok, term()} | {error | exit | throw, term(), [term()]}.
-type answer() :: {operation_id(), outcome()}.
-type action() ::
    {do, {apply, module(), atom(), [term()]}}
  | {'begin', operation_id(), request()}
  | {cancel, operation_id()}.
%% What a callback that has not simply ended needs of its process.
-type step() ::
    {alone, cell(), request()}
  | {wait | poll | dirty_cpu | dirty_io, cell(), [action()]}
  | {return, [action() | wake], term()}
  | {raise, [action() | wake], {error | exit | throw, term()}, [tuple(), ...]}
  | {tell, map(), term()}.
-type under_way() :: #{operation_id() | reference() => tuple()}.

";

/// How long a callback may hold a normal scheduler before it is named in a warning, in milliseconds,
/// unless the application's environment says otherwise: a timeslice.
const LONG_CALLBACK: u32 = 1;

fn load(application: &str, library_file: &str) -> String {
    format!(
        "-spec load() -> ok | {{error, {{Reason, string()}}}} when
    Reason :: load_failed | bad_lib | load | reload | upgrade | old_code.
load() ->
    Ebin = filename:dirname(code:which(?MODULE)),
    Library = filename:join([Ebin, \"..\", \"priv\", \"{library_file}\"]),
    erlang:load_nif(Library, application:get_env({application}, long_callback, {LONG_CALLBACK})).

"
    )
}

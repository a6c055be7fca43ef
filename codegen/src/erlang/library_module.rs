//! The module that loads the library and performs what futures wait for.

use super::{head, library_module_name};

/// Most arguments a callback may have. OTP's longest have six.
const MAX_ARITY: usize = 9;

/// Text of the module that loads `library_file` (a file of the application's `priv` folder,
/// without its extension).
pub fn library_module(application: &str, library_file: &str) -> String {
    let exports: Vec<String> = (0..=MAX_ARITY)
        .map(|n| format!("callback/{}", n + 1))
        .collect();
    let mut text = head("the application's library");
    text += &format!("-module({}).\n", library_module_name(application));
    text += "-export([manifest/0, format_state/1, continue/1]).\n";
    text += &format!("-export([{}]).\n", exports.join(", "));
    text += "-on_load(load/0).\n\n";
    text += TYPES;
    text += &load(library_file);
    text += CONTINUE;
    text += &function("manifest", &[], "binary()");
    text += &function("format_state", &["term()"], "term()");
    text += &function("resume", &["cell()", "outcome()"], "term()");
    for arity in 0..=MAX_ARITY {
        let mut arguments = vec!["non_neg_integer()"];
        arguments.resize(arity + 1, "term()");
        text += &function("callback", &arguments, "term()");
    }
    text
}

/// A function of the library.
fn function(name: &str, arguments: &[&str], returns: &str) -> String {
    let (types, names) = (arguments.join(", "), vec!["_"; arguments.len()].join(", "));
    format!(
        "\n-spec {name}({types}) -> {returns}.\n{name}({names}) -> erlang:nif_error(not_loaded).\n"
    )
}

/// What futures wait for, as the library hands it over.
const TYPES: &str = "\
-export_type([pending/0]).

%% What a process waits in.
-type cell() :: reference().
-type outcome() :: {ok | error | exit | throw, term()}.
-type operation() ::
    {call, gen_server:server_ref(), term(), timeout()}
  | {apply, module(), atom(), [term()]}
  | {cast, gen_server:server_ref(), term()}
  | {sleep, timeout()}
  | yield.
%% A callback that has not ended, or ends with an exception.
-type pending() :: {await, cell(), operation()} | {exit | throw, term()}.

";

fn load(library_file: &str) -> String {
    format!(
        "-spec load() -> ok | {{error, {{Reason, string()}}}} when
    Reason :: load_failed | bad_lib | load | reload | upgrade | old_code.
load() ->
    Ebin = filename:dirname(code:which(?MODULE)),
    erlang:load_nif(filename:join([Ebin, \"..\", \"priv\", \"{library_file}\"]), 0).

"
    )
}

/// A callback that cannot end yet returns what it waits for. The process performs it here, in its
/// own mailbox, and hands the outcome back; no scheduler thread waits inside the library.
const CONTINUE: &str = "\
%% A callback that waits: perform its operation in this process, then go on with its result.
-spec continue(pending()) -> term().
continue({await, Cell, Operation}) ->
    case resume(Cell, perform(Operation)) of
        {'$otp_rs', Next} -> continue(Next);
        Return -> Return
    end;
continue({exit, Reason}) ->
    exit(Reason);
continue({throw, Reason}) ->
    throw(Reason).

-spec perform(operation()) -> outcome().
perform({call, Server, Request, Timeout}) ->
    try {ok, gen_server:call(Server, Request, Timeout)}
    catch Class:Reason -> {Class, Reason}
    end;
perform({apply, Module, Function, Arguments}) ->
    try {ok, apply(Module, Function, Arguments)}
    catch Class:Reason -> {Class, Reason}
    end;
perform({cast, Server, Request}) ->
    {ok, gen_server:cast(Server, Request)};
perform({sleep, Milliseconds}) ->
    receive after Milliseconds -> {ok, ok} end;
perform(yield) ->
    erlang:yield(),
    {ok, ok}.
";

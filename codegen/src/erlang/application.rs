//! The application itself: its callback module, how `cargo otp run` starts it, its resource file.

use otp_contract::manifest::Module;
use otp_contract::modules::{self, HELPER};

use super::head;
use crate::text::atom;

/// Text of `<application>_app`: starts the root supervisor, with the command line as its argument;
/// or lets `callbacks` do that, the application's callback module of the behaviour `application`.
pub fn application_module(application: &str, stroot: &str, callbacks: Option<&Module>) -> String {
    let Parts {
        start_type,
        returned,
        start,
        stop,
    } = match callbacks {
        None => Parts::of_root(stroot),
        Some(module) => Parts::of_callbacks(module),
    };
    format!(
        "{head}-module({module}).
-behaviour(application).
-export([start/2, stop/1]).

%% The argument: the command line, a list of UTF-8 binaries.
-spec start(application:start_type(), term()) ->
    {returned}.
start({start_type}, _StartArgs) ->
    ok = {HELPER}:ensure_started({library}),
    Arguments = application:get_env({application}, arguments, []),
    {start}.

{stop}.
",
        head = head("otp.toml"),
        module = modules::application(application),
        library = modules::library(application),
    )
}

/// What differs in an application with a callback module of the behaviour `application`.
struct Parts {
    start_type: &'static str,
    returned: String,
    start: String,
    stop: String,
}

impl Parts {
    fn of_root(stroot: &str) -> Self {
        Parts {
            start_type: "_Type",
            returned: "{ok, pid()} | {error, term()}".to_owned(),
            // OTP takes no `ignore` from an application.
            start: format!(
                "case {stroot}:start_link({{local, {stroot}}}, Arguments) of
        ignore -> {{error, ignore}};
        Started -> Started
    end"
            ),
            stop: "-spec stop(term()) -> ok.\nstop(_State) ->\n    ok".to_owned(),
        }
    }

    fn of_callbacks(callbacks: &Module) -> Self {
        let module = atom(&callbacks.module);
        let state = match &callbacks.state {
            Some(state) => format!("{module}:{}()", atom(state)),
            None => "term()".to_owned(),
        };
        Parts {
            start_type: "Type",
            returned: format!("{{ok, pid()}} | {{ok, pid(), {state}}} | {{error, term()}}"),
            start: format!("{module}:start(Type, Arguments)"),
            stop: format!(
                "-spec stop({state}) -> term().\nstop(State) ->\n    {module}:stop(State)"
            ),
        }
    }
}

/// Text of `<application>_run`: the entry point of `cargo otp run`.
///
/// The exit status says how the application ended: 0 when its root supervisor stopped with
/// `normal` or `shutdown` of its own accord, 1 when it could not start, gave up restarting its
/// children or died.
pub fn run_module(application: &str, stroot: &str) -> String {
    let (starts, ends) = (
        run_starts(application, stroot),
        run_ends(application, stroot),
    );
    format!("{}{starts}\n{ends}", head("otp.toml"))
}

fn run_starts(application: &str, stroot: &str) -> String {
    format!(
        "-module({module}).
-export([main/0, log/2]).

-spec main() -> ok.
main() ->
    Arguments = [unicode:characters_to_binary(A) || A <- init:get_plain_arguments()],
    ok = application:load({application}),
    ok = application:set_env({application}, arguments, Arguments),
    %% Sees the supervisor's own report: a root that gave up exits with `shutdown`, just like
    %% one that was meant to stop.
    GaveUp = new_flag(),
    ok = logger:add_handler(?MODULE, ?MODULE, #{{config => GaveUp}}),
    case application:ensure_all_started({application}) of
        {{ok, _}} -> watch(GaveUp, whereis({stroot}));
        {{error, Reason}} -> failed('did not start', Reason)
    end.

-spec watch(atomics:atomics_ref(), pid() | undefined) -> ok.
watch(GaveUp, undefined) ->
    ended(GaveUp, shutdown);
watch(GaveUp, Root) ->
    Monitor = monitor(process, Root),
    receive {{'DOWN', Monitor, process, Root, Reason}} -> ended(GaveUp, Reason) end.
",
        module = modules::run(application),
    )
}

fn run_ends(application: &str, stroot: &str) -> String {
    format!(
        "%% `noproc`: it had ended before it could be watched.
-spec ended(atomics:atomics_ref(), term()) -> ok.
ended(GaveUp, Reason) when Reason =:= normal; Reason =:= shutdown; Reason =:= noproc ->
    _ = logger:remove_handler(?MODULE),
    case atomics:get(GaveUp, 1) of
        0 -> init:stop(0);
        _ -> failed('gave up', reached_max_restart_intensity)
    end;
ended(GaveUp, {{shutdown, _}}) ->
    ended(GaveUp, shutdown);
ended(_, Reason) ->
    failed(ended, Reason).

-spec failed('did not start' | 'gave up' | ended, term()) -> ok.
failed(What, Reason) ->
    io:format(standard_error, \"{application} ~s: ~tp~n\", [What, Reason]),
    init:stop(1).

-spec new_flag() -> atomics:atomics_ref().
new_flag() ->
    atomics:new(1, []).

%% The handler of logger.
-spec log(logger:log_event(), logger:handler_config()) -> ok.
log(#{{msg := {{report, #{{label := {{supervisor, shutdown}}, report := Report}}}}}}, #{{config := GaveUp}}) ->
    case {{proplists:get_value(supervisor, Report), proplists:get_value(reason, Report)}} of
        {{{{local, {stroot}}}, reached_max_restart_intensity}} -> atomics:put(GaveUp, 1, 1);
        _ -> ok
    end;
log(_, _) ->
    ok.
"
    )
}

/// Text of `<application>.app` (see `app(4)` of Erlang/OTP).
pub fn resource_file(
    application: &str,
    version: &str,
    description: &str,
    modules: &[String],
    registered: &[String],
) -> String {
    let description = description.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "{{application, {application}, [
    {{description, \"{description}\"}},
    {{vsn, \"{version}\"}},
    {{modules, [{modules}]}},
    {{registered, [{registered}]}},
    {{applications, [kernel, stdlib]}},
    {{mod, {{{module}, []}}}}
]}}.
",
        module = modules::application(application),
        modules = atoms(modules),
        registered = atoms(registered),
    )
}

/// `a, 'B'`
fn atoms(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| atom(name)).collect();
    quoted.join(", ")
}

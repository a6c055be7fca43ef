//! The application itself: its callback module, its entry point for `cargo otp run`, its resource
//! file.

use otp_contract::manifest::Module;
use otp_contract::modules::{self, HELPER_PROCESS, SHARED_RESOURCES, UPGRADE};

use super::head;
use crate::text::atom;

/// The functions of `<application>_run`.
const RUN: &str = concat!(include_str!("run.erl"), include_str!("run_log.erl"));

/// Turns off `maybe`. OTP 27 and newer record in a module that `maybe` is enabled, and an older VM
/// does not load such a module, so that it could not report that the build is too new for it.
const LOADS_ON_OLDER: &str = "-if(?OTP_RELEASE >= 27 andalso ?OTP_RELEASE =< 29).
-feature(maybe_expr, disable).
-endif.
";

/// The OTP release that ERTS 0 would belong to: ERTS 13 belongs to OTP 25, 14 to OTP 26.
pub const RELEASE_OF_ERTS: u32 = 12;

/// Returns the text of `<application>_app`. The module starts the root supervisor with the command
/// line as its argument, or has `callbacks` do that, the application's callback module of the
/// behaviour `application`. Before that, it compares the environment with the structs that describe
/// it. An application that includes this one starts the root supervisor by `start_link/1`. An
/// upgrade calls `environment/0` to learn the environment in the build's resource file.
pub fn application_module(
    application: &str,
    stroot: &str,
    callbacks: Option<&Module>,
    environment: &[(String, String)],
) -> String {
    let Parts {
        start_type,
        arguments,
        argument_types,
        returned,
        start,
        stop,
    } = match callbacks {
        None => Parts::of_root(application),
        Some(module) => Parts::of_callbacks(application, module),
    };
    let optional: Vec<Optional> = callbacks.map(optional).into_iter().flatten().collect();
    let exports = optional.iter().map(|it| format!(", {}", it.export));
    let functions = optional.iter().map(|it| format!("\n{}.\n", it.text));
    format!(
        "{head}-module({module}).
{LOADS_ON_OLDER}-behaviour(application).
-export([start/2, start_link/1, stop/1, environment/0{exports}]).

%% The start argument is the command line, a list of UTF-8 binaries.
-spec start(application:start_type(), term()) ->
    {returned}.
start({start_type}, _StartArgs) ->
    case ready(group_leader()) of
        ok -> {SHARED_RESOURCES}:started({application}, started({arguments}));
        Error -> Error
    end.

-spec started({argument_types}) ->
    {returned}.
started({arguments}) ->
    Arguments = application:get_env({application}, arguments, []),
    {start}.

{root}
{stop}.

%% Returns the environment in the resource file. An upgrade compares it with the current environment.
-dialyzer({{nowarn_function, environment/0}}).
-spec environment() -> [{{atom(), term()}}].
environment() ->
    [{variables}].
{functions}",
        variables = variables(environment),
        head = head("otp.toml"),
        module = modules::application(application),
        root = root(application, stroot),
        exports = exports.collect::<String>(),
        functions = functions.collect::<String>(),
    )
}

/// Returns functions that start the root supervisor after the modules, the library and the
/// environment are ready.
fn root(application: &str, stroot: &str) -> String {
    format!(
        "%% Starts the root supervisor below a supervisor of another application, which includes this one.
-spec start_link(term()) -> {{ok, pid()}} | {{error, term()}}.
start_link(Arguments) ->
    case ready(self()) of
        ok -> root(Arguments);
        Error -> Error
    end.

%% OTP does not accept `ignore` from an application. The application that includes this one chooses the argument.
-dialyzer({{nowarn_function, root/1}}).
-spec root(term()) -> {{ok, pid()}} | {{error, term()}}.
root(Arguments) ->
    case {stroot}:start_link({{local, {stroot}}}, Arguments) of
        ignore -> {{error, ignore}};
        Started -> Started
    end.

{ready}
-spec ready_here(pid()) -> ok | {{error, not_ready()}}.
ready_here(Owner) ->
    ok = loaded(),
    ok = {HELPER_PROCESS}:ensure_started({library}),
    case {library}:environment({application}, application:get_all_env({application})) of
        {{[], _}} -> {SHARED_RESOURCES}:open({application}, {library}, Owner);
        {{Mistakes, _}} -> {{error, {{bad_environment, Mistakes}}}}
    end.

%% Loads all modules now. A module that the VM loads later could come from a newer build than the library, whose functions
%% it calls by number. A module that cannot be loaded fails when it is used.
-spec loaded() -> ok.
loaded() ->
    case application:get_key({application}, modules) of
        {{ok, Modules}} -> _ = code:ensure_modules_loaded(Modules), ok;
        undefined -> ok
    end.
",
        library = modules::library(application),
        ready = ready(application),
    )
}

/// Returns functions that compare the VM with the requirements in the resource file.
fn ready(application: &str) -> String {
    format!(
        "-type not_ready() :: {{otp_release, pos_integer(), pos_integer()}} | {{bad_environment, [{{binary(), wrong | missing, binary(), binary()}}, ...]}} | {SHARED_RESOURCES}:failure().
%% When the owner has exited, no code of the application runs any more.
-spec ready(pid()) -> ok | {{error, not_ready()}}.
ready(Owner) ->
    case {{oldest(), list_to_integer(erlang:system_info(otp_release))}} of
        {{Oldest, Release}} when Oldest > Release -> {{error, {{otp_release, Oldest, Release}}}};
        _ -> ready_here(Owner)
    end.

%% Returns the oldest OTP for this build, from the resource file.
-spec oldest() -> non_neg_integer().
oldest() ->
    File = code:where_is_file(\"{application}.app\"),
    case is_list(File) andalso file:consult(File) of
        {{ok, [{{application, {application}, Keys}}]}} ->
            Needed = proplists:get_value(runtime_dependencies, Keys, []),
            lists:max([0 | [list_to_integer(hd(string:lexemes(Erts, \".\"))) + {RELEASE_OF_ERTS} || \"erts-\" ++ Erts <- Needed]]);
        _ ->
            0
    end.
"
    )
}

/// A function of the behaviour `application` that a module may leave out.
struct Optional {
    /// `prep_stop/1`
    export: &'static str,
    text: String,
}

/// Returns the optional functions that the application's callback module has.
fn optional(callbacks: &Module) -> Vec<Optional> {
    let has = |export: &str| {
        let mut callbacks = callbacks.callbacks.iter();
        callbacks.any(|it| format!("{}/{}", it.name, it.arity) == export)
    };
    let (module, state) = (atom(&callbacks.module), state(callbacks));
    let all = [
        (
            "start_phase/3",
            format!(
                "%% The resource file lists the phases.
-dialyzer({{nowarn_function, start_phase/3}}).
-spec start_phase(atom(), application:start_type(), term()) -> ok | {{error, term()}}.
start_phase(Phase, Type, Arguments) ->
    {module}:start_phase(Phase, Type, Arguments)"
            ),
        ),
        (
            "prep_stop/1",
            format!(
                "%% `[]`: start/2 has returned no state.
-spec prep_stop({state} | []) -> {state} | [].
prep_stop([]) -> [];
prep_stop(State) -> {module}:prep_stop(State)"
            ),
        ),
        (
            "config_change/3",
            format!(
                "-spec config_change([{{atom(), term()}}], [{{atom(), term()}}], [atom()]) -> ok.
config_change(Changed, New, Removed) ->
    {module}:config_change(Changed, New, Removed)"
            ),
        ),
    ];
    all.into_iter()
        .filter(|(export, _)| has(export))
        .map(|(export, text)| Optional { export, text })
        .collect()
}

/// Returns the Erlang type of the state that `start/2` returns.
fn state(callbacks: &Module) -> String {
    match &callbacks.state {
        Some(state) => format!("{}:{}()", atom(&callbacks.module), atom(state)),
        None => "term()".to_owned(),
    }
}

/// The parts that differ in an application with a callback module of the behaviour `application`.
struct Parts {
    start_type: &'static str,
    /// The arguments of the function that starts the root supervisor, and the types.
    arguments: &'static str,
    argument_types: &'static str,
    returned: String,
    start: String,
    stop: String,
}

impl Parts {
    fn of_root(application: &str) -> Self {
        Parts {
            start_type: "_Type",
            arguments: "",
            argument_types: "",
            returned: "{ok, pid()} | {error, term()}".to_owned(),
            start: "root(Arguments)".to_owned(),
            stop: format!(
                "-spec stop(term()) -> ok.\nstop(_State) ->\n    ok = {SHARED_RESOURCES}:stop({application}),\n    {UPGRADE}:stopped({application})"
            ),
        }
    }

    fn of_callbacks(application: &str, callbacks: &Module) -> Self {
        let (module, state) = (atom(&callbacks.module), state(callbacks));
        Parts {
            start_type: "Type",
            arguments: "Type",
            argument_types: "application:start_type()",
            returned: format!("{{ok, pid()}} | {{ok, pid(), {state}}} | {{error, term()}}"),
            start: format!("{module}:start(Type, Arguments)"),
            stop: format!(
                "-spec stop({state}) -> term().\nstop(State) ->\n    ok = {UPGRADE}:stopped({application}),\n    try {module}:stop(State) after ok = {SHARED_RESOURCES}:stop({application}) end"
            ),
        }
    }
}

/// Returns the text of `<application>_run`, the entry point of `cargo otp run`.
///
/// The exit status tells how the application ended: 0 if its root supervisor stopped with `normal`
/// or `shutdown` on its own, 1 if it could not start, gave up restarting its children or died.
pub fn run_module(application: &str, stroot: &str) -> String {
    format!(
        "{head}-module({module}).\n-define(APPLICATION, {application}).\n-define(ROOT, {stroot}).\n-define(RUN, {name}).\n\n{RUN}",
        head = head("otp.toml"),
        module = modules::run(application),
        name = modules::RUN,
    )
}

/// The contents of an application's resource file.
#[derive(Debug, Default)]
pub struct Resource {
    /// Its name.
    pub application: String,
    /// `vsn`
    pub version: String,
    /// A line of text.
    pub description: String,
    /// The OTP release that compiles it. The build runs on this and newer ones.
    pub release: u32,
    /// Its Erlang modules.
    pub modules: Vec<String>,
    /// Names of processes that no other application may register.
    pub registered: Vec<String>,
    /// Applications that are started before it, besides `kernel` and `stdlib`.
    pub applications: Vec<String>,
    /// Applications whose processes it starts itself.
    pub included_applications: Vec<String>,
    /// Keys and values of its environment. A value is Erlang text.
    pub environment: Vec<(String, String)>,
    /// The phases in which it starts, each with its arguments as Erlang text.
    pub start_phases: Vec<(String, String)>,
}

/// Returns the text of `<application>.app` (see `app(4)` of Erlang/OTP).
pub fn resource_file(resource: &Resource) -> String {
    let application = &resource.application;
    let description = string(&resource.description);
    let before: Vec<String> = ["kernel", "stdlib"].map(str::to_owned).into();
    format!(
        "{{application, {application}, [
    {{description, {description}}},
    {{vsn, {version}}},
    {{modules, [{modules}]}},
    {{registered, [{registered}]}},
    {{applications, [{applications}]}},
    {{included_applications, [{included}]}},
    {{env, [{environment}]}},
    {{runtime_dependencies, [\"erts-{erts}.0\"]}},
{phases}    {{mod, {{{module}}}}}
]}}.
",
        version = string(&resource.version),
        erts = resource.release.saturating_sub(RELEASE_OF_ERTS),
        module = start(resource),
        phases = phases(&resource.start_phases),
        modules = atoms(&resource.modules),
        registered = atoms(&resource.registered),
        applications = atoms(&[before, resource.applications.clone()].concat()),
        included = atoms(&resource.included_applications),
        environment = variables(&resource.environment),
    )
}

/// Returns `NAME_app, []`, the module that OTP calls. If included applications have start phases,
/// it is OTP's `application_starter`, which calls this module as well.
fn start(resource: &Resource) -> String {
    let module = modules::application(&resource.application);
    if resource.start_phases.is_empty() || resource.included_applications.is_empty() {
        format!("{module}, []")
    } else {
        format!("application_starter, [{module}, []]")
    }
}

/// Returns `{start_phases, [{fill, 1000}]},`, or an empty text: an empty list would have a meaning
/// of its own.
fn phases(phases: &[(String, String)]) -> String {
    if phases.is_empty() {
        String::new()
    } else {
        format!("    {{start_phases, [{}]}},\n", variables(phases))
    }
}

/// Returns `{key, Value}, {other, Value}`, one on each line: keys and values of an application's
/// environment.
pub fn variables(environment: &[(String, String)]) -> String {
    let variables = environment.iter();
    let variables = variables.map(|(key, value)| format!("\n        {{{}, {value}}}", atom(key)));
    variables.collect::<Vec<_>>().join(",")
}

/// `"text"`
fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// `a, 'B'`
fn atoms(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| atom(name)).collect();
    quoted.join(", ")
}

//! The application itself: its callback module, how `cargo otp run` starts it, its resource file.

use otp_contract::manifest::Module;
use otp_contract::modules::{self, HELPER};

use super::head;
use crate::text::atom;

/// The functions of `<application>_run`.
const RUN: &str = include_str!("run.erl");

/// Text of `<application>_app`: starts the root supervisor, with the command line as its argument;
/// or lets `callbacks` do that, the application's callback module of the behaviour `application`. Before that the
/// environment is compared with the structs that describe it.
pub fn application_module(application: &str, stroot: &str, callbacks: Option<&Module>) -> String {
    let Parts {
        start_type,
        arguments,
        argument_types,
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
    case {library}:environment({application}, application:get_all_env({application})) of
        {{[], _}} -> started({arguments});
        {{Mistakes, _}} -> {{error, {{bad_environment, Mistakes}}}}
    end.

-spec started({argument_types}) ->
    {returned}.
started({arguments}) ->
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
    /// What the function that starts the root supervisor is given, and the types.
    arguments: &'static str,
    argument_types: &'static str,
    returned: String,
    start: String,
    stop: String,
}

impl Parts {
    fn of_root(stroot: &str) -> Self {
        Parts {
            start_type: "_Type",
            arguments: "",
            argument_types: "",
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
            arguments: "Type",
            argument_types: "application:start_type()",
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
    format!(
        "{head}-module({module}).\n-define(APPLICATION, {application}).\n-define(ROOT, {stroot}).\n-define(RUN, {name}).\n\n{RUN}",
        head = head("otp.toml"),
        module = modules::run(application),
        name = modules::RUN,
    )
}

/// What the resource file of an application says.
#[derive(Debug, Default)]
pub struct Resource {
    /// Its name.
    pub application: String,
    /// `vsn`
    pub version: String,
    /// A line of text.
    pub description: String,
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
}

/// Text of `<application>.app` (see `app(4)` of Erlang/OTP).
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
    {{mod, {{{module}, []}}}}
]}}.
",
        version = string(&resource.version),
        module = modules::application(application),
        modules = atoms(&resource.modules),
        registered = atoms(&resource.registered),
        applications = atoms(&[before, resource.applications.clone()].concat()),
        included = atoms(&resource.included_applications),
        environment = variables(&resource.environment),
    )
}

/// `{key, Value}, {other, Value}`, a line each: keys and values of an application's environment.
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

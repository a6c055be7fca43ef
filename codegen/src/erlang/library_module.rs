//! The module that loads the library and performs the operations that futures wait for.

use std::ffi::CStr;

use otp_contract::library::{CALLBACK, Native, TOKIO};
use otp_contract::limits::CALLBACK_ARITY;
use otp_contract::modules::{self, HELPER, TELEMETRY};

use super::{head, shapes};

/// The module's own functions: steps and operations, where functions run, tasks, states of other
/// versions, operations that take no time, and messages.
///
/// None of them creates a `fun` of this module. If you load the module again in a shell
/// (`l(counting_nif)`, `lm()`), `on_load` refuses, and Erlang/OTP 25 would then crash the VM at the
/// next call of such a `fun`.
pub(super) const PERFORMS: &str = concat!(
    include_str!("library.erl"),
    include_str!("functions.erl"),
    include_str!("tasks.erl"),
    include_str!("event_timeout.erl"),
    include_str!("versions.erl"),
    include_str!("at_once.erl"),
    include_str!("messages.erl")
);

/// Functions of the module itself that other modules call.
const CONTINUES: [&str; 18] = [
    "continue/1",
    "forward/4",
    "shown/1",
    "shown_status/1",
    "succeed/2",
    "succeed/3",
    "go_back/3",
    "run/3",
    "took/2",
    "unexpected/2",
    "handled/2",
    "undisturbed/0",
    "beside/2",
    "spawned/1",
    "spawned/2",
    "search/1",
    "build/0",
    "configure/0",
];

/// Callbacks whose names are visible on the stack of a process while they wait. A state of a
/// `gen_statem`, a function of a module and a callback of another behaviour appear as [`ANY`].
const WAITING: [&str; 10] = [
    "init",
    "handle_start",
    "handle_call",
    "handle_cast",
    "handle_info",
    "handle_continue",
    "handle_event",
    "terminate",
    "code_change",
    ANY,
];

/// The name of all other callbacks on the stack.
const ANY: &str = "waiting";

/// Returns the function that performs the operations that a callback of this name waits for. The
/// callback's own function is left by a tail call; otherwise, a waiting process would prevent its
/// module from being loaded twice.
pub(super) fn waiting(callback: &str) -> &str {
    let named = WAITING.iter().find(|name| **name == callback);
    named.copied().unwrap_or(ANY)
}

/// Returns the text of the module that loads `library_file`: a file of the application's `priv`
/// folder, without its extension, whose name ends with a `-` and the digits that identify its
/// content.
pub fn library_module(application: &str, version: &str, library_file: &str) -> String {
    let natives = Native::ALL.iter().filter(|native| native.is_exported());
    let natives = natives.map(|it| format!("{}/{}", name(it.name()), it.arguments().len()));
    let continues = CONTINUES.iter().map(|name| (*name).to_owned());
    let callback = name(CALLBACK);
    let callbacks = (0..=CALLBACK_ARITY).map(|arity| format!("{callback}/{}", arity + 1));
    let mut text = head("the application's library");
    text += &format!("-module({}).\n", modules::library(application));
    text += &export(natives.chain(continues));
    text += &export(callbacks);
    text += &export(
        WAITING
            .iter()
            .flat_map(|name| [1, 2].map(|arity| format!("{name}/{arity}"))),
    );
    text += "-on_load(load/0).\n\n";
    text += &shapes::of_library();
    text += &load(application, library_file);
    text += &build(application, version, library_file);
    text += PERFORMS;
    text.extend(WAITING.map(while_waiting));
    for native in Native::ALL {
        text += &function(name(native.name()), native.arguments(), native.returns());
    }
    for arity in 0..=CALLBACK_ARITY {
        let mut arguments = vec!["non_neg_integer()"];
        arguments.resize(arity + 1, "term()");
        text += &function(callback, &arguments, "term()");
    }
    text
}

/// `-export([one/1, other/2]).`
fn export(functions: impl Iterator<Item = String>) -> String {
    format!("-export([{}]).\n", functions.collect::<Vec<_>>().join(", "))
}

/// The names are ASCII.
fn name(name: &CStr) -> &str {
    name.to_str().unwrap_or_default()
}

fn function(name: &str, arguments: &[&str], returns: &str) -> String {
    let (types, names) = (arguments.join(", "), vec!["_"; arguments.len()].join(", "));
    format!(
        "\n-spec {name}({types}) -> {returns}.\n{name}({names}) -> erlang:nif_error(not_loaded).\n"
    )
}

/// Returns the function with the event as an additional argument, if the callback may set an event
/// timeout.
fn while_waiting(name: &str) -> String {
    format!(
        "
-spec {name}(step()) -> term().
{name}(Step) ->
    {{Return}} = continue(Step),
    Return.

-spec {name}(term(), step()) -> term().
{name}(Event, Step) ->
    {{Return}} = continue(Step),
    handled(Event, Return).
"
    )
}

/// The default for how long a callback may occupy a normal scheduler, in milliseconds, before a
/// warning names it: a timeslice. The application's environment can change it.
const LONG_CALLBACK: u32 = 1;

/// The default for the maximum number of bytes of the Rust value of a callback's argument. The
/// application's environment can change it.
const MESSAGE_LIMIT: u32 = 64 * 1024 * 1024;

fn load(application: &str, library_file: &str) -> String {
    format!(
        "-spec load() -> ok | {{error, {{Reason, string()}}}} when
    Reason :: load_failed | bad_lib | load | reload | upgrade | old_code.
load() ->
    Ebin = filename:dirname(code:which(?MODULE)),
    Library = filename:join([Ebin, \"..\", \"priv\", \"{library_file}\"]),
    {{LongCallback, MessageLimit, Tokio}} = settings(),
    %% `{HELPER}` updates the level when the application runs.
    #{{level := LogLevel}} = logger:get_primary_config(),
    erlang:load_nif(Library, {{LongCallback, MessageLimit, LogLevel, Tokio}}).

%% Applies the settings again, because a release loads its libraries before applications have an
%% environment.
-spec configure() -> ok.
configure() ->
    {{LongCallback, MessageLimit, Tokio}} = settings(),
    ok = long_callback(LongCallback),
    ok = message_limit(MessageLimit),
    ok = telemetry({TELEMETRY}:is_running()),
    tokio(Tokio).

-spec settings() -> {{pos_integer() | atom(), pos_integer() | atom(), term()}}.
settings() ->
    {{
        application:get_env({application}, long_callback, {LONG_CALLBACK}),
        application:get_env({application}, message_limit, {MESSAGE_LIMIT}),
        application:get_env({application}, {TOKIO}, #{{}})
    }}.

"
    )
}

/// The number of digits of a library's content hash that identify a build.
const BUILD: usize = 8;

/// Identifies the build with a library `libNAME-<digits of its content>` by the first of the
/// digits.
pub fn build_of(library_file: &str) -> String {
    let content = library_file
        .rsplit_once('-')
        .map_or("", |(_, content)| content);
    content.chars().take(BUILD).collect()
}

fn build(application: &str, version: &str, library_file: &str) -> String {
    let content = build_of(library_file);
    format!(
        "-spec build() -> otp_rs:build().\nbuild() ->\n    {{{application}, <<\"{version}\">>, <<\"{content}\">>}}.\n\n"
    )
}

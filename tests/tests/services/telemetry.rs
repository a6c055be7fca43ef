//! Events of `telemetry` in an application.

use std::fs;
use std::path::Path;
use std::process::Command;

use otp_tests::application::build;
use otp_tests::running::Running;
use tempfile::TempDir;

use crate::metrics::listens;
use crate::{APPLICATION, get};

/// An application of the library's name, whose handler prints the events.
const TELEMETRY: &str = r#"
-module(telemetry).
-behaviour(application).
-export([start/0, start/2, stop/1, init/1, execute/3]).
start() -> ok = application:start(telemetry).
start(_, _) -> supervisor:start_link(?MODULE, []).
stop(_) -> ok.
init(_) -> {ok, {#{}, []}}.
execute(Event, #{duration := Duration, monotonic_time := Time, message_queue_len := Waiting}, Metadata)
        when is_integer(Duration), Duration >= 0, is_integer(Time), is_integer(Waiting) ->
    #{module := Module, function := Function, arity := Arity, message := Message} = Metadata,
    Raised = case Metadata of
        #{kind := Kind, reason := Reason, stacktrace := [{M, F, A, _} | _]} -> {Kind, Reason, {M, F, A}};
        #{} -> none
    end,
    Process = proc_lib:translate_initial_call(self()),
    io:format("telemetry ~0tp~n", [{Event, Process, {Module, Function, Arity, Message}, Raised}]).
"#;

const RESOURCE: &str = "{application, telemetry, [{vsn, \"1\"}, {modules, [telemetry]}, {registered, []}, {applications, [kernel, stdlib]}, {mod, {telemetry, []}}]}.";

fn compile(folder: &Path) {
    fs::write(folder.join("telemetry.erl"), TELEMETRY).expect("a source");
    fs::write(folder.join("telemetry.app"), RESOURCE).expect("a resource file");
    let mut erlc = Command::new("erlc");
    let status = erlc.arg("telemetry.erl").current_dir(folder).status();
    assert!(status.expect("erlc runs").success());
}

#[test]
fn telemetry_gets_an_event_for_each_callback() {
    let ebin = build(APPLICATION);
    let folder = TempDir::new().expect("a folder");
    compile(folder.path());
    let path = folder.path().to_str().expect("UTF-8");
    let more = "-s telemetry start -otp_rs_log_level info -otp_rs_log_format json";
    let flags = ["-pa", path].into_iter().chain(more.split(' '));
    let flags: Vec<&str> = flags.collect();
    let running = Running::start_vm("services", &ebin, &flags, &["0"]);
    let http = listens(&running, "http");
    let started = r#"telemetry {[otp_rs,callback,stop],{work,init,1},{work,init,1,<<>>},none}"#;
    assert_eq!(running.line(started), "");
    assert!(get(&http, "/next").ends_with("\r\n\r\n1"));
    let called = r#"telemetry {[otp_rs,callback,stop],{counter,init,1},{counter,handle_call,3,<<"Next">>},none}"#;
    assert_eq!(running.line(called), "");
    assert!(get(&http, "/traced").ends_with("\r\n\r\n7"));
    let awaited =
        r#"telemetry {[otp_rs,callback,stop],{work,init,1},{work,handle_call,3,<<"Begin">>},none}"#;
    assert_eq!(running.line(awaited), "");
    get(&http, "/fails");
    let failed = r#"telemetry {[otp_rs,callback,exception],{counter,init,1},{counter,handle_cast,2,<<"Fail">>},{error,enough,{counter,handle_cast,2}}}"#;
    assert_eq!(running.line(failed), "");
}

//! Actions that the page of `cargo otp observe --write` refuses.

use serde_json::Value;

use crate::browser::Browser;
use crate::observe::eval;
use crate::support::Scratch;

/// Processes that must not be killed: all that the node needs, those of other applications, the
/// application's outermost supervisor, and the processes above it.
const KEPT: &str = "\
    {ok, Application} = application:get_application(whereis(counter)), \
    Master = application_controller:get_master(Application), {Root, _} = application_master:get_child(Master), \
    {links, Links} = process_info(Master, links), \
    [pid_to_list(P) || P <- [Master, Root | Links] ++ [whereis(N) || N <- [init, application_controller, kernel_sup, \
        kernel_safe_sup, logger, code_server, erl_prim_loader, user, net_kernel, otp_rs, otp_rs_observer]], is_pid(P)]";

/// Supervisors with a child that must not be restarted, and processes that are not supervisors.
const NOT_RESTARTED: &str = "\
    [{pid_to_list(P), Id} || {N, Id} <- [{kernel_sup, code_server}, {kernel_safe_sup, timer_server}, \
        {logger_sup, logger_std_h_default}, {counter, x}, {init, x}], P <- [whereis(N)], is_pid(P)]";

/// Processes that the node needs cannot be ended by any request.
pub(crate) fn refused(browser: &mut Browser, scratch: &Scratch, node: &str) {
    let before = eval(scratch, node, KEPT);
    let kept: Vec<&str> = before
        .split('"')
        .filter(|text| text.starts_with('<'))
        .collect();
    assert!(kept.len() > 10, "{before}");
    for pid in kept {
        let body = format!("{{ action: 'kill', pid: '{pid}' }}");
        assert_eq!(answered(browser, &body), 409, "{pid}");
    }
    let children = eval(scratch, node, NOT_RESTARTED);
    let children: Vec<_> = children.split("{\"").skip(1).collect();
    assert_eq!(children.len(), 5, "{children:?}");
    for child in children {
        let (pid, id) = child.split_once("\",").expect("a process and an id");
        let id = id.split('}').next().expect("an id");
        let body = format!("{{ action: 'restart', pid: '{pid}', id: '{id}' }}");
        assert_eq!(answered(browser, &body), 409, "{pid} {id}");
    }
    assert_eq!(eval(scratch, node, KEPT), before);
}

fn answered(browser: &mut Browser, body: &str) -> Value {
    browser.value(&format!(
        "fetch('action', {{ method: 'POST', body: new URLSearchParams({body}) }}).then(it => it.status)"
    ))
}

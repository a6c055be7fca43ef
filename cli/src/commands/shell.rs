//! `cargo otp shell`: an Erlang shell in a running node.

use crate::args::Shell;
use crate::installation::Installation;
use crate::report::{Result, Ui};
use crate::vm::node::Cookie;
use crate::vm::{RunningNode, shell};

pub(crate) fn execute(options: &Shell, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let cookie = Cookie::given(options.cookie.as_deref())?;
    let node = RunningNode {
        name: &options.node,
        cookie: cookie.as_ref(),
    };
    if let Some(expressions) = &options.eval {
        return shell::evaluate(&otp, &node, expressions);
    }
    shell::check_terminal()?;
    let reach = || shell::reach(&otp, &node);
    let name = ui.during("Connecting", &format!("`{}`", options.node), reach)?;
    ui.status("Connected", &format!("`{name}`"));
    ui.note("Ctrl-G, then q and Enter, leaves the shell; q(). would stop the node");
    shell::run(&otp, &name, node.cookie)
}

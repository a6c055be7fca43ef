//! `cargo otp build`: the library, and the Erlang application around it.

use crate::args::Build;
use crate::build::{Order, build};
use crate::installation::Installation;
use crate::project::Application;
use crate::report::{Result, Ui};

pub(super) fn execute(options: &Build, ui: &Ui) -> Result<()> {
    let otp = Installation::find()?;
    let order = Order::application(super::profile(&options.built));
    let built = build(&Application::here()?, &otp, &order, ui)?;
    let folder = built.ebin.parent().unwrap_or(&built.ebin).display();
    ui.status("Built", &format!("`{}` in {folder}", built.name));
    Ok(())
}

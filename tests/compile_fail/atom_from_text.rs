//! Text does not become an atom by itself.

use otp_bridge::gen_event::Manager;

fn manager() -> Manager {
    Manager::local("till")
}

fn main() {}

//! Destinations, and their text.

use otp_bridge::gen_server::{Server, ServerRef};
use otp_bridge::gen_statem::Machine;
use otp_bridge::process::{Destination, Target};
use otp_bridge::{FromTerm, Term, atom};

fn text(destination: &impl Destination) -> String {
    Term::of(&destination.target()).to_string()
}

#[test]
fn every_kind_of_server_has_the_form_that_gen_server_takes() {
    let global: Server<()> = Server::global(("shop", 7));
    let via: Server<()> = Server::via(atom!("registry"), "till");
    let far: Server<()> = Server::on_node(atom!("till"), atom!("far@away"));
    let machine: Machine<()> = Machine::via(atom!("registry"), "door");
    assert_eq!(text(&Server::<()>::local(atom!("till"))), "till");
    assert_eq!(text(&far), "{till,far@away}");
    assert_eq!(text(&global), r#"{global,{<<"shop">>,7}}"#);
    assert_eq!(text(&via), r#"{via,registry,<<"till">>}"#);
    assert_eq!(text(&machine), r#"{via,registry,<<"door">>}"#);
    assert_eq!(format!("{far:?}"), "Server({till,far@away})");
}

#[test]
fn a_server_is_read_from_each_of_them() {
    for reference in [
        Term::of(&atom!("till")),
        Term::of(&(atom!("till"), atom!("far@away"))),
        Term::of(&(otp_bridge::atoms::global, "shop")),
        Term::of(&(otp_bridge::atoms::via, atom!("registry"), "till")),
    ] {
        let server: Server<()> = Server::from_term(&reference).expect("a server's reference");
        assert_eq!(Term::of(&server), reference);
        let known = ServerRef::from_term(&reference).expect("a server's reference");
        assert_eq!(text(&known), reference.to_string());
        assert_eq!(server, Server::from(known));
    }
}

#[test]
fn a_target_is_a_value_that_borrows() {
    let (name, node) = (atom!("till"), atom!("far@away"));
    let target = Target::OnNode(&name, &node);
    assert_eq!(Term::of(&target).to_string(), "{till,far@away}");
    assert!(matches!(
        (name.clone(), node.clone()).target(),
        Target::OnNode(..)
    ));
}

//! A chat whose rooms span the nodes of a cluster. Users talk to the node they like, in lines over
//! TCP.
//!
//! ```text
//! $ cargo otp run --name one@127.0.0.1 -- 7001
//! $ cargo otp run --name two@127.0.0.1 -- 7002 one@127.0.0.1
//!
//! $ nc 127.0.0.1 7001                        $ nc 127.0.0.1 7002
//! /nick ann                                  /nick bob
//! * you are ann                              * you are bob
//! /join rust                                 /join rust
//! * you are in rust                          * you are in rust
//! * bob is here                              * ann is here
//! hello                                      ann: hello
//! bob whispers: hi                           /tell ann hi
//! ```
//!
//! | process | module | |
//! |---|---|---|
//! | the root supervisor, `rest_for_one` | [`stroot`] | starts the others in this order, and stops them in the opposite one |
//! | ├ the scope of the rooms | OTP's `pg` | knows on each node who is in which room, on all nodes |
//! | ├ the rooms | [`rooms`] | tells this node's users who has joined or left their rooms |
//! | ├ the link to the cluster | [`cluster`] | connects to another node, again if that is lost |
//! | ├ the users' supervisor, `simple_one_for_one` | [`users`] | has a child for each client |
//! | │ └ a user | [`user`] | reads a line at a time (`{active, once}`), and hears what is said |
//! | └ the listener | [`listener`] | accepts clients, and gives each to a new user |
//!
//! A room is a group of `pg` ([`rooms::users_in`]): what is said is cast to its members, wherever
//! they are. A nickname is a name of `global` ([`user::named`]), so that nobody else in the cluster
//! can have it. There is no process for a room and none that knows all users. If a user quits or
//! crashes, or its node is lost, `pg` tells the others in the room, and `global` forgets the name.
//!
//! Two parts of a cluster that were apart may both have an `ann`. When they meet, `global` ends one
//! of the two.

pub mod cluster;
pub mod command;
pub mod listener;
pub mod rooms;
pub mod stroot;
pub mod user;
pub mod users;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();

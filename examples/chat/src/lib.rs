//! A chat whose rooms span the nodes of a cluster. Users connect to any node by TCP, and send lines
//! of text.
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
//! | process | module | task |
//! |---|---|---|
//! | the root supervisor, `rest_for_one` | [`stroot`] | starts the others in this order, and stops them in the opposite one |
//! | ├ the scope of the rooms | OTP's `pg` | knows on each node which users of the whole cluster are in a room |
//! | ├ the rooms | [`rooms`] | tells this node's users which users join or leave their rooms |
//! | ├ the link to the cluster | [`cluster`] | connects to another node, and reconnects if that is lost |
//! | ├ the users' supervisor, `simple_one_for_one` | [`users`] | has a child for each client |
//! | │ └ a user | [`user`] | reads its client's lines one by one (`{active, once}`), and receives what others say |
//! | └ the listener | [`listener`] | accepts clients, and gives each to a new user |
//!
//! A room is a group of `pg` ([`rooms::users_in`]): a user casts a text to all members, on whatever
//! nodes they are. A nickname is registered in `global` ([`user::named`]), so it is unique in the
//! cluster. There is neither a process for each room nor one that knows all users. If a user quits
//! or crashes, or its node is lost, `pg` tells the others in the room, and `global` unregisters the
//! name.
//!
//! If a network split separates parts of a cluster, both may get a user `ann`. When the parts meet
//! again, `global` kills one of the two.

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

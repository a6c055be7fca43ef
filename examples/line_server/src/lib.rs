//! A key-value store over TCP: clients send commands as lines of text.
//!
//! ```text
//! $ cargo otp run -- 7000                    $ nc 127.0.0.1 7000
//! listening on 127.0.0.1:7000                set colour blue
//!                                            ok
//!                                            get colour
//!                                            blue
//!                                            clients
//!                                            1
//!                                            quit
//!                                            bye
//! ```
//!
//! | process | module | task |
//! |---|---|---|
//! | the root supervisor, `rest_for_one` | [`stroot`] | starts the others in this order, and stops them in the opposite one |
//! | ├ the store | [`store`] | has the keys and values of all clients |
//! | ├ the connections' supervisor, `simple_one_for_one` | [`connections`] | has a child for each client |
//! | │ └ a connection | [`connection`] | reads its client's lines one by one (`{active, once}`), calls the store, answers |
//! | └ the listener | [`listener`] | accepts clients, and gives each to a new connection |
//!
//! A connection that crashes affects no other client: the VM closes its socket, because the process
//! owned it. If the store crashes, the supervisor restarts the connections' supervisor and the
//! listener as well. When the application stops, the listener stops first, so that no client comes
//! in while connections are being closed.

pub mod command;
pub mod connection;
pub mod connections;
pub mod listener;
pub mod store;
pub mod stroot;

#[cfg(test)]
use otp_bridge_novm as _;

otp_bridge::application!();

//! Authentication of clients (AUTH, HELLO, RESET), and checking what they may do.

use std::sync::Arc;

use super::Client;
use super::requested::Requested;
use crate::acl::{DEFAULT, Denial, Denied};
use crate::commands::facts;
use crate::resp::{Replies, number};
use crate::server::Server;

const NO_AUTH: &str = "NOAUTH Authentication required.";
const WRONG: &str = "WRONGPASS invalid username-password pair or user is disabled.";

impl Client {
    /// Returns whether the client may make this request now. If not, replies with the reason.
    pub(super) fn may(
        &mut self,
        server: &Server,
        requested: Requested,
        words: &[&[u8]],
        replies: &mut Replies,
    ) -> bool {
        if let Err(why) = self.is_admitted(server, words) {
            self.refuse(&why, replies);
            return false;
        }
        if self.is_subscriber() && !self.is_resp3 && !is_for_subscribers(requested.name()) {
            replies.error(format_args!(
                "ERR Can't execute '{}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context",
                self.command
            ));
            return false;
        }
        if let Err(why) = self.has_resources(server, requested, &words[1..]) {
            self.refuse(why, replies);
            return false;
        }
        let is_alone = |name: &str| {
            matches!(
                name,
                "save" | "migrate" | "cluster" | "replicaof" | "slaveof"
            )
        };
        if self.queued.is_some() && is_alone(requested.name()) {
            self.refuse("ERR Command not allowed inside a transaction", replies);
            return false;
        }
        true
    }

    /// Checks that the user may make a request.
    ///
    /// # Errors
    /// The error for the client.
    pub(super) fn is_admitted(&mut self, server: &Server, words: &[&[u8]]) -> Result<(), String> {
        let version = server.users.version();
        if self.rules != version {
            self.rules = version;
            self.user = server.users.find(&self.user_name());
            self.may_all = !self.is_locked_out && self.user.as_ref().is_some_and(|it| it.may_all());
        }
        if self.may_all {
            return Ok(());
        }
        let Some((at, fact)) = facts().of_request(words) else {
            return Ok(());
        };
        let Some(user) = self.user.as_ref().filter(|_| !self.is_locked_out) else {
            return match fact.has("no_auth") {
                true => Ok(()),
                false => Err(NO_AUTH.to_owned()),
            };
        };
        user.may(at, fact, words).map_err(|denied| {
            let (reason, object, what) = match &denied {
                Denied::Command => (
                    "command",
                    fact.name.to_owned(),
                    format!("run the '{}' command", fact.name),
                ),
                Denied::Key(key) => (
                    "key",
                    String::from_utf8_lossy(key).into_owned(),
                    "access one of the keys used as arguments".to_owned(),
                ),
                Denied::Pattern(option) => {
                    let user = self.user_name();
                    self.denied(server, "key", format!("{option} pattern"), &user);
                    return format!(
                        "ERR {option} option of SORT denied due to insufficient ACL permissions."
                    );
                }
                Denied::Channel(channel) => (
                    "channel",
                    String::from_utf8_lossy(channel).into_owned(),
                    "access one of the channels used as arguments".to_owned(),
                ),
            };
            self.denied(server, reason, object, &self.user_name());
            format!("NOPERM this user has no permissions to {what}")
        })
    }

    fn denied(&self, server: &Server, reason: &'static str, object: String, user: &str) {
        let context = match self.queued {
            Some(_) => "multi",
            None => "toplevel",
        };
        let denial = Denial {
            reason,
            context,
            object,
            user: user.to_owned(),
        };
        self.show(false);
        server.users.log.add(denial, self.session.line());
    }

    /// Returns the name of the client's user.
    pub(super) fn user_name(&self) -> Arc<str> {
        let user = self.session.shown().user.clone();
        user.unwrap_or_else(|| Arc::from(DEFAULT))
    }

    /// Logs a client in. Returns whether the password is correct.
    fn identify(&mut self, server: &Server, word: &str, name: &[u8], password: &[u8]) -> bool {
        let name = String::from_utf8_lossy(name).into_owned();
        let user = server.users.find(&name).filter(|it| it.admits(password));
        let is_right = user.is_some();
        match user {
            Some(user) => {
                self.is_locked_out = false;
                self.rules = 0;
                self.session.shown().user = (name != DEFAULT).then(|| Arc::clone(&user.name));
            }
            None => self.denied(server, "auth", word.to_owned(), &name),
        }
        is_right
    }

    pub(super) fn auth(&mut self, server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
        let (name, password): (&[u8], &[u8]) = match arguments {
            [_] if server.users.is_open() => {
                replies.error(
                    "ERR AUTH <password> called without any password configured for the default user. \
                     Are you sure your configuration is correct?",
                );
                return;
            }
            [password] => (DEFAULT.as_bytes(), password),
            [name, password] => (name, password),
            _ => {
                replies.error("ERR syntax error");
                return;
            }
        };
        match self.identify(server, "AUTH", name, password) {
            true => replies.ok(),
            false => replies.error(WRONG),
        }
    }

    pub(super) fn hello(&mut self, server: &Server, arguments: &[&[u8]], replies: &mut Replies) {
        if let Err(why) = self.greet(server, arguments) {
            replies.error(why);
            return;
        }
        replies.is_resp3 = self.is_resp3;
        let texts = [
            ("server", "redis"),
            ("version", super::super::server::VERSION),
        ];
        replies.map(7);
        for (key, value) in texts {
            replies.bulk(key.as_bytes());
            replies.bulk(value.as_bytes());
        }
        replies.bulk(b"proto");
        replies.integer(if self.is_resp3 { 3 } else { 2 });
        replies.bulk(b"id");
        replies.integer(i64::try_from(self.session.id).unwrap_or(i64::MAX));
        for (key, value) in [("mode", server.cluster.mode()), ("role", "master")] {
            replies.bulk(key.as_bytes());
            replies.bulk(value.as_bytes());
        }
        replies.bulk(b"modules");
        replies.array(0);
    }

    fn greet(&mut self, server: &Server, arguments: &[&[u8]]) -> Result<(), String> {
        let is_resp3 = match arguments.first() {
            None => self.is_resp3,
            Some(text) => match number(text) {
                Some(2) => false,
                Some(3) => true,
                Some(_) => return Err("NOPROTO unsupported protocol version".to_owned()),
                None => {
                    let why = "ERR Protocol version is not an integer or out of range";
                    return Err(why.to_owned());
                }
            },
        };
        let (mut name, mut rest) = (None, arguments.get(1..).unwrap_or_default());
        while let Some((word, more)) = rest.split_first() {
            match (word.to_ascii_lowercase().as_slice(), more) {
                (b"auth", [user, password, more @ ..]) => {
                    if !self.identify(server, "HELLO", user, password) {
                        return Err(WRONG.to_owned());
                    }
                    rest = more;
                }
                (b"setname", [text, more @ ..]) => {
                    if !is_name(text) {
                        return Err(NOT_A_NAME.to_owned());
                    }
                    name = Some(*text);
                    rest = more;
                }
                _ => {
                    let word = String::from_utf8_lossy(word);
                    return Err(format!("ERR Syntax error in HELLO option '{word}'"));
                }
            }
        }
        if self.is_locked_out {
            return Err(
                "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> \
                 option can be used to authenticate the client and select the RESP protocol version at the same time"
                    .to_owned(),
            );
        }
        if let Some(name) = name {
            self.session.shown().name = name.into();
        }
        self.is_resp3 = is_resp3;
        Ok(())
    }

    /// Resets the client to the state of a new connection.
    pub(super) fn reset(&mut self, server: &Server, replies: &mut Replies) {
        self.unwatch(server);
        let session = Arc::clone(&self.session);
        {
            let mut shown = session.shown();
            shown.name = Arc::default();
            shown.user = None;
        }
        let command = self.command;
        *self = Client {
            command,
            ..Client::new(session, server)
        };
        replies.is_resp3 = false;
        replies.simple("RESET");
    }
}

pub(super) const NOT_A_NAME: &str =
    "ERR Client names cannot contain spaces, newlines or special characters.";

/// Returns whether the text is allowed as a client's name.
pub(super) fn is_name(text: &[u8]) -> bool {
    text.iter().all(|byte| (b'!'..=b'~').contains(byte))
}

fn is_for_subscribers(name: &str) -> bool {
    name.ends_with("subscribe") || matches!(name, "ping" | "quit" | "reset")
}

/// Rewords a refusal for a script.
pub(super) fn of_script(why: &str) -> String {
    let what = match why {
        _ if why.contains("one of the keys") => {
            "access at least one of the keys mentioned in the command arguments"
        }
        _ if why.contains("one of the channels") => {
            "publish to the channel mentioned in the command"
        }
        _ if why.starts_with("NOPERM") => "run this command or subcommand",
        _ => return why.to_owned(),
    };
    format!("ERR The user executing the script can't {what}")
}

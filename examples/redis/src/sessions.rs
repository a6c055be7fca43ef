//! The connected clients, as other clients see them.

use std::collections::BTreeMap;
use std::net::{Shutdown, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use otp_bridge::net::TcpStream;

use crate::output_limits::OutputLimits;
use crate::store::now;
use crate::waiting::Waiter;

/// A connected client.
#[derive(Debug, Default)]
pub struct Session {
    /// The client's number; 0 if it has no socket.
    pub id: u64,
    peer: Option<SocketAddr>,
    local: Option<SocketAddr>,
    stream: Weak<TcpStream>,
    /// Time of the connection in milliseconds since 1970.
    since: u64,
    shown: Mutex<Shown>,
    /// Limits of its output.
    pub limits: Arc<OutputLimits>,
    /// Number of bytes of replies that are not sent yet.
    pub replies: AtomicUsize,
    /// Number of bytes of messages that are not sent yet.
    pub messages: AtomicUsize,
}

/// The visible state that changes.
#[derive(Debug, Default, Clone)]
pub struct Shown {
    /// See CLIENT SETNAME.
    pub name: Arc<[u8]>,
    /// The user that the client has logged in as; `None` is the default user.
    pub user: Option<Arc<str>>,
    /// The state after the last turn.
    pub state: State,
    /// The waiting command, if there is one.
    pub waiter: Weak<Waiter>,
}

/// State of a client after its last turn.
#[derive(Debug, Default, Clone, Copy)]
pub struct State {
    /// Number of the database.
    pub db: usize,
    /// The last command.
    pub command: &'static str,
    /// Time of the last command in milliseconds since 1970.
    pub used: u64,
    /// Number of channels that the client has subscribed to.
    pub channels: usize,
    /// Number of patterns that the client has subscribed to.
    pub patterns: usize,
    /// Number of sharded channels that the client has subscribed to.
    pub shards: usize,
    /// Number of commands queued for EXEC.
    pub queued: Option<usize>,
    /// Whether the client has switched to RESP3.
    pub is_resp3: bool,
    /// Whether the client receives all requests.
    pub is_monitor: bool,
    /// Whether the client waits for a key.
    pub is_blocked: bool,
    /// See CLIENT NO-EVICT.
    pub stays: bool,
}

fn text(address: Option<SocketAddr>) -> String {
    address.map_or_else(|| "?:0".to_owned(), |it| it.to_string())
}

impl Session {
    /// Creates the session of a connection.
    #[must_use]
    pub fn of(id: u64, stream: &Arc<TcpStream>, limits: &Arc<OutputLimits>) -> Self {
        Session {
            id,
            peer: stream.peer_addr().ok(),
            local: stream.local_addr().ok(),
            stream: Arc::downgrade(stream),
            since: now(),
            shown: Mutex::default(),
            limits: Arc::clone(limits),
            replies: AtomicUsize::new(0),
            messages: AtomicUsize::new(0),
        }
    }

    /// Locks the visible state.
    pub fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the client's address.
    #[must_use]
    pub fn peer(&self) -> String {
        text(self.peer)
    }

    /// Returns the server's address in this connection.
    #[must_use]
    pub fn local(&self) -> String {
        text(self.local)
    }

    /// Returns `normal` or `pubsub`. Replicas are not clients here.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        let state = self.shown().state;
        match state.channels + state.patterns + state.shards {
            0 => "normal",
            _ => "pubsub",
        }
    }

    /// Closes the connection, whichever reactor serves it.
    pub fn kill(&self) {
        if let Some(stream) = self.stream.upgrade() {
            // Shutting down fails only if the connection is already closed.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Closes the connection, because the client does not read its output.
    pub fn overflow(&self) {
        let (id, peer) = (self.id, self.peer());
        println!("client {id} ({peer}) is disconnected, because it does not read its output");
        self.kill();
    }

    /// Returns the line of CLIENT LIST.
    #[must_use]
    pub fn line(&self) -> String {
        let Shown {
            name, user, state, ..
        } = self.shown().clone();
        let now = now();
        let seconds = |then: u64| now.saturating_sub(then) / 1000;
        let marks = [
            (state.is_monitor, 'O'),
            (state.channels + state.patterns + state.shards > 0, 'P'),
            (state.queued.is_some(), 'x'),
            (state.is_blocked, 'b'),
            (state.stays, 'e'),
        ];
        let mut flags: String = marks.iter().filter(|it| it.0).map(|it| it.1).collect();
        if flags.is_empty() {
            flags.push('N');
        }
        let output = self.replies.load(Ordering::Relaxed) + self.messages.load(Ordering::Relaxed);
        let queued = state
            .queued
            .map_or(-1, |it| i64::try_from(it).unwrap_or(i64::MAX));
        format!(
            "id={} addr={} laddr={} fd=-1 name={} age={} idle={} flags={flags} db={} sub={} psub={} ssub={} multi={queued} qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 rbp=0 obl={} oll=0 omem={} tot-mem={} events=r cmd={} user={} redir=-1 resp={}",
            self.id,
            self.peer(),
            self.local(),
            String::from_utf8_lossy(&name),
            seconds(self.since),
            seconds(state.used.max(self.since)),
            state.db,
            state.channels,
            state.patterns,
            state.shards,
            self.replies.load(Ordering::Relaxed),
            output,
            size_of::<crate::client::Client>() + output,
            if state.command.is_empty() {
                "NULL"
            } else {
                state.command
            },
            user.as_deref().unwrap_or("default"),
            if state.is_resp3 { 3 } else { 2 },
        )
    }
}

/// The sessions of all connected clients.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<BTreeMap<u64, Arc<Session>>>);

impl Sessions {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Session>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a client.
    pub fn add(&self, session: &Arc<Session>) {
        self.all().insert(session.id, Arc::clone(session));
    }

    /// Removes a client.
    pub fn remove(&self, id: u64) {
        self.all().remove(&id);
    }

    /// Returns all sessions, ordered by number.
    pub fn list(&self) -> Vec<Arc<Session>> {
        self.all().values().cloned().collect()
    }

    /// Disconnects the clients that have made no request for this many seconds, unless that is 0.
    /// Clients that wait for a key or have subscribed to channels may stay.
    pub fn end_idle(&self, seconds: i64) {
        let Some(most) = u64::try_from(seconds).ok().filter(|it| *it > 0) else {
            return;
        };
        let now = now();
        for session in self.list() {
            let state = session.shown().state;
            let idle = now.saturating_sub(state.used.max(session.since)) / 1000;
            let may_stay = state.is_blocked || state.is_monitor || session.kind() == "pubsub";
            if idle > most && !may_stay {
                session.kill();
            }
        }
    }

    /// Returns the session with a number.
    pub fn find(&self, id: u64) -> Option<Arc<Session>> {
        self.all().get(&id).cloned()
    }
}

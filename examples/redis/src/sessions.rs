//! The clients that are connected, as others see them.

use std::collections::BTreeMap;
use std::net::{Shutdown, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use otp_bridge::net::TcpStream;

use crate::store::now;
use crate::waiting::Waiter;

/// A client that is connected.
#[derive(Debug, Default)]
pub struct Session {
    /// Its number; 0 if it is not connected to a socket.
    pub id: u64,
    peer: Option<SocketAddr>,
    local: Option<SocketAddr>,
    stream: Weak<TcpStream>,
    /// When it came, in milliseconds since 1970.
    since: u64,
    shown: Mutex<Shown>,
}

/// What changes of it.
#[derive(Debug, Default, Clone)]
pub struct Shown {
    /// See CLIENT SETNAME.
    pub name: Arc<[u8]>,
    /// Who it has shown to be; `None` is the default user.
    pub user: Option<Arc<str>>,
    /// The rest.
    pub state: State,
    /// What it waits for.
    pub waiter: Weak<Waiter>,
}

/// What its last turn has left.
#[derive(Debug, Default, Clone, Copy)]
pub struct State {
    /// The database.
    pub db: usize,
    /// The last command.
    pub command: &'static str,
    /// When it came, in milliseconds since 1970.
    pub used: u64,
    /// How many channels and patterns it has subscribed to.
    pub channels: usize,
    /// The same.
    pub patterns: usize,
    /// The same of shards.
    pub shards: usize,
    /// How many commands wait for EXEC.
    pub queued: Option<usize>,
    /// Whether it has asked for RESP3.
    pub is_resp3: bool,
    /// Whether it sees what others ask.
    pub is_monitor: bool,
    /// Whether it waits for a key.
    pub is_blocked: bool,
    /// See CLIENT NO-EVICT.
    pub stays: bool,
}

fn text(address: Option<SocketAddr>) -> String {
    address.map_or_else(|| "?:0".to_owned(), |it| it.to_string())
}

impl Session {
    /// A client of a connection.
    #[must_use]
    pub fn of(id: u64, stream: &Arc<TcpStream>) -> Self {
        Session {
            id,
            peer: stream.peer_addr().ok(),
            local: stream.local_addr().ok(),
            stream: Arc::downgrade(stream),
            since: now(),
            shown: Mutex::default(),
        }
    }

    /// What is known of it.
    pub fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address of the client.
    #[must_use]
    pub fn peer(&self) -> String {
        text(self.peer)
    }

    /// The address it has called.
    #[must_use]
    pub fn local(&self) -> String {
        text(self.local)
    }

    /// `normal` or `pubsub`: there are no replicas.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        let state = self.shown().state;
        match state.channels + state.patterns + state.shards {
            0 => "normal",
            _ => "pubsub",
        }
    }

    /// Closes its connection, whichever reactor has it.
    pub fn kill(&self) {
        if let Some(stream) = self.stream.upgrade() {
            // One that is closed already is what was asked for.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// The line of CLIENT LIST.
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
        let queued = state
            .queued
            .map_or(-1, |it| i64::try_from(it).unwrap_or(i64::MAX));
        format!(
            "id={} addr={} laddr={} fd=-1 name={} age={} idle={} flags={flags} db={} sub={} psub={} ssub={} multi={queued} qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 rbp=0 obl=0 oll=0 omem=0 tot-mem={} events=r cmd={} user={} redir=-1 resp={}",
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
            size_of::<crate::client::Client>(),
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

/// All that are connected.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<BTreeMap<u64, Arc<Session>>>);

impl Sessions {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Session>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One has come.
    pub fn add(&self, session: &Arc<Session>) {
        self.all().insert(session.id, Arc::clone(session));
    }

    /// It has gone.
    pub fn remove(&self, id: u64) {
        self.all().remove(&id);
    }

    /// All, by their numbers.
    pub fn list(&self) -> Vec<Arc<Session>> {
        self.all().values().cloned().collect()
    }

    /// Disconnects the clients that have asked for nothing for so many seconds, unless it is 0. Who
    /// waits or has subscribed may stay.
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

    /// The one with a number.
    pub fn find(&self, id: u64) -> Option<Arc<Session>> {
        self.all().get(&id).cloned()
    }
}

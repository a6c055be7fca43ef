//! Clients that wait for a key: BLPOP and other blocking commands.
//!
//! A client registers while its command still holds its locks, so no change of the key is missed. A
//! command that changes the key runs the commands of the waiting clients, in their order, before it
//! unlocks the key.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use hashbrown::{HashMap, HashSet};

use crate::commands::Command;
use crate::resp::Replies;
use crate::server::Server;
use crate::store::{Bytes, DATABASES, Locked};

/// A waiting client.
#[derive(Debug)]
pub struct Waiter {
    command: &'static Command,
    arguments: Vec<Bytes>,
    is_resp3: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Waits(Option<Waker>),
    Answered(Vec<u8>),
    Gone,
}

impl Waiter {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the reply.
    pub async fn answered(&self) -> Option<Vec<u8>> {
        poll_fn(|context| match &mut *self.state() {
            State::Waits(waker) => {
                *waker = Some(context.waker().clone());
                Poll::Pending
            }
            State::Answered(bytes) => Poll::Ready(Some(std::mem::take(bytes))),
            State::Gone => Poll::Ready(None),
        })
        .await
    }

    /// Stops waiting. Returns the reply if it has arrived in the meantime.
    pub fn give_up(&self) -> Option<Vec<u8>> {
        match std::mem::replace(&mut *self.state(), State::Gone) {
            State::Answered(bytes) => Some(bytes),
            State::Waits(_) | State::Gone => None,
        }
    }

    /// Ends the waiting from outside, with an error or nil. Returns whether the client was waiting.
    pub fn unblock(&self, error: Option<&str>) -> bool {
        let mut state = self.state();
        let State::Waits(waker) = &mut *state else {
            return false;
        };
        let waker = waker.take();
        let mut replies = Replies::of(self.is_resp3);
        match error {
            Some(why) => replies.error(why),
            None => replies.nil_array(),
        }
        *state = State::Answered(replies.bytes);
        waker.into_iter().for_each(Waker::wake);
        true
    }

    /// Runs the client's command for a key. Returns whether the client has its reply.
    fn serve(&self, server: &Server, locked: &mut Locked<'_>, key: &[u8]) -> bool {
        let mut state = self.state();
        let State::Waits(waker) = &mut *state else {
            return false;
        };
        let arguments: Vec<&[u8]> = self.arguments.iter().map(|it| &**it).collect();
        let arguments = self.command.for_key(&arguments, key);
        if !arguments.iter().all(|it| **it != *key || locked.has(it)) {
            return false;
        }
        let mut replies = Replies::of(self.is_resp3);
        if self
            .command
            .run_for_waiter(server, locked, &arguments, &mut replies)
        {
            let waker = waker.take();
            *state = State::Answered(replies.bytes);
            waker.into_iter().for_each(Waker::wake);
            return true;
        }
        false
    }

    /// Returns all keys that the command uses.
    fn keys(&self) -> Vec<Bytes> {
        let arguments: Vec<&[u8]> = self.arguments.iter().map(|it| &**it).collect();
        self.command
            .keys(&arguments)
            .into_iter()
            .map(Into::into)
            .collect()
    }
}

/// The waiting clients of each key of a database, in their order.
type Queues = HashMap<(usize, Bytes), VecDeque<Arc<Waiter>>>;

/// All waiting clients.
#[derive(Debug, Default)]
pub struct Waiting {
    count: AtomicUsize,
    keys: Mutex<Queues>,
}

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of keys that clients wait for.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Returns the number of waiting clients.
    pub fn clients(&self) -> usize {
        let all = self.lock();
        let waiters = all.values().flatten();
        let waiting = waiters.filter(|it| matches!(*it.state(), State::Waits(_)));
        // A client that waits for several keys is in several queues.
        waiting.map(Arc::as_ptr).collect::<HashSet<_>>().len()
    }

    /// Registers a client for keys, whose stripes have to be locked.
    pub fn add(
        &self,
        db: usize,
        keys: &[&[u8]],
        command: &'static Command,
        arguments: &[&[u8]],
        is_resp3: bool,
    ) -> Arc<Waiter> {
        let waiter = Arc::new(Waiter {
            command,
            arguments: arguments.iter().map(|it| (*it).into()).collect(),
            is_resp3,
            state: Mutex::new(State::Waits(None)),
        });
        let mut all = self.lock();
        for key in keys {
            let queue = all.entry((db, (*key).into())).or_default();
            queue.retain(|it| matches!(*it.state(), State::Waits(_)));
            queue.push_back(Arc::clone(&waiter));
        }
        self.count.store(all.len(), Ordering::Release);
        waiter
    }

    /// Unblocks the clients whose commands would change keys, because this server has become a
    /// replica.
    pub fn give_up(&self) {
        const WHY: &str = "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)";
        let writes = |it: &&Arc<Waiter>| {
            let fact = crate::commands::facts().find(it.command.name);
            fact.is_some_and(|it| it.1.has("write"))
        };
        let all: Vec<Arc<Waiter>> = self.lock().values().flatten().cloned().collect();
        for waiter in all.iter().filter(writes) {
            waiter.unblock(Some(WHY));
        }
    }

    /// Serves the clients that wait for keys of any database. Everything has to be locked.
    pub fn serve_all(&self, server: &Server, mut locked: Locked<'_>) {
        for db in 0..DATABASES {
            let keys = self.keys(db);
            let keys: Vec<&[u8]> = keys.iter().map(|key| &**key).collect();
            locked.db = db;
            self.serve(server, &mut locked, &keys);
        }
    }

    /// Returns the keys of a database that clients wait for.
    fn keys(&self, db: usize) -> Vec<Bytes> {
        let all = self.lock();
        let of_db = all.keys().filter(|it| it.0 == db);
        of_db.map(|it| it.1.clone()).collect()
    }

    fn of(&self, db: usize, key: &[u8]) -> Vec<Arc<Waiter>> {
        let mut all = self.lock();
        let name = (db, Bytes::from(key));
        let Some(queue) = all.get_mut(&name) else {
            return Vec::new();
        };
        queue.retain(|it| matches!(*it.state(), State::Waits(_)));
        let found = queue.iter().cloned().collect();
        if queue.is_empty() {
            all.remove(&name);
            self.count.store(all.len(), Ordering::Release);
        }
        found
    }

    /// Serves the clients that wait for changed keys, which have to be locked. If commands also
    /// need keys that are not locked, returns the keys to lock for them.
    pub fn serve(&self, server: &Server, locked: &mut Locked<'_>, keys: &[&[u8]]) -> Vec<Bytes> {
        let mut ready: VecDeque<Bytes> = keys.iter().map(|key| Bytes::from(*key)).collect();
        let mut late = Vec::new();
        while let Some(key) = ready.pop_front() {
            for waiter in self.of(locked.db, &key) {
                let uses = match waiter.command.waits_for_one() {
                    true => waiter.keys(),
                    false => Vec::new(),
                };
                if !uses.iter().all(|it| locked.has(it)) {
                    late.push(key.clone());
                    late.extend(uses);
                    // The other clients have to wait, because they arrived later.
                    break;
                }
                if waiter.serve(server, locked, &key) {
                    ready.extend(uses.into_iter().filter(|it| *it != key));
                }
            }
        }
        late
    }
}

//! The hub: channels and their subscribers.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Poll, Waker};

use hashbrown::HashMap;

use crate::pattern::matches;
use crate::resp::Replies;
use crate::sessions::Session;
use crate::store::{Bytes, now};

/// A client's queue of messages. Any reactor can add to it.
#[derive(Debug, Default)]
pub struct Outbox {
    /// Whether the client has switched to RESP3.
    pub is_resp3: AtomicBool,
    has_some: AtomicBool,
    inner: Mutex<Inner>,
    session: Arc<Session>,
    /// The client's subscriptions to sharded channels. If a channel moves, the client gets a
    /// message.
    shards: Mutex<Vec<Bytes>>,
}

#[derive(Debug, Default)]
struct Inner {
    bytes: Vec<u8>,
    waker: Option<Waker>,
    /// Bytes that were taken and are not sent yet.
    on_its_way: usize,
    /// Time since which the queue is above the soft limit, in milliseconds since 1970.
    full_since: Option<u64>,
    is_full: bool,
}

impl Inner {
    fn size(&self) -> usize {
        self.bytes.len() + self.on_its_way
    }
}

impl Outbox {
    /// Creates the queue of a client.
    #[must_use]
    pub fn of(session: &Arc<Session>) -> Self {
        Outbox {
            session: Arc::clone(session),
            ..Outbox::default()
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the sharded channels that the client has subscribed to.
    pub fn shards(&self) -> MutexGuard<'_, Vec<Bytes>> {
        self.shards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Unsubscribes the client from a sharded channel, and tells it.
    fn leave(&self, channel: &[u8]) {
        let mut shards = self.shards();
        let Some(at) = shards.iter().position(|it| **it == *channel) else {
            return;
        };
        shards.remove(at);
        let mut replies = self.replies();
        replies.push(3);
        replies.bulk(b"sunsubscribe");
        replies.bulk(channel);
        replies.count(shards.len());
        drop(shards);
        self.put_bytes(&replies.bytes);
    }

    fn replies(&self) -> Replies {
        Replies::of(self.is_resp3.load(Ordering::Relaxed))
    }

    /// Adds a message with these words.
    fn put(&self, words: &[&[u8]]) {
        let mut replies = self.replies();
        replies.push(words.len());
        words.iter().for_each(|word| replies.bulk(word));
        self.put_bytes(&replies.bytes);
    }

    /// Adds a message that is already encoded.
    pub fn put_bytes(&self, bytes: &[u8]) {
        let mut inner = self.inner();
        if !inner.is_full {
            inner.bytes.extend_from_slice(bytes);
            let limit = self.session.limits.messages.of_client();
            let size = inner.size() as u64;
            inner.is_full = limit.is_over(size, &mut inner.full_since, now());
            self.session.messages.store(inner.size(), Ordering::Relaxed);
            if inner.is_full {
                // The client's reactor may be blocked on it, so the connection is closed from here.
                self.session.overflow();
                inner.bytes = Vec::new();
            }
        }
        self.has_some.store(true, Ordering::Release);
        let waker = inner.waker.take();
        drop(inner);
        waker.into_iter().for_each(Waker::wake);
    }

    /// Takes all waiting messages. Returns `None` if the client was cut off.
    pub fn take(&self) -> Option<Vec<u8>> {
        if !self.has_some.swap(false, Ordering::AcqRel) {
            return Some(Vec::new());
        }
        let mut inner = self.inner();
        inner.on_its_way = inner.bytes.len();
        (!inner.is_full).then(|| std::mem::take(&mut inner.bytes))
    }

    /// Records that the taken messages were sent.
    pub fn sent(&self) {
        let mut inner = self.inner();
        inner.on_its_way = 0;
        self.session.messages.store(inner.size(), Ordering::Relaxed);
    }

    /// Waits until there are messages.
    pub async fn filled(&self) {
        poll_fn(|context| {
            let mut inner = self.inner();
            if self.has_some.load(Ordering::Acquire) {
                return Poll::Ready(());
            }
            inner.waker = Some(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

/// Kinds of subscriptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A channel.
    Channel,
    /// All channels that match a pattern.
    Pattern,
    /// A sharded channel. Without a cluster, these only have a namespace of their own.
    Shard,
}

/// The subscriptions of all clients.
#[derive(Debug, Default)]
pub struct Hub {
    inner: Mutex<Subscribers>,
}

#[derive(Debug, Default)]
struct Subscribers {
    channels: HashMap<Bytes, Vec<Weak<Outbox>>>,
    shards: HashMap<Bytes, Vec<Weak<Outbox>>>,
    patterns: Vec<(Bytes, Weak<Outbox>)>,
}

impl Subscribers {
    fn of(&mut self, kind: Kind) -> &mut HashMap<Bytes, Vec<Weak<Outbox>>> {
        match kind {
            Kind::Shard => &mut self.shards,
            _ => &mut self.channels,
        }
    }
}

impl Hub {
    fn inner(&self) -> MutexGuard<'_, Subscribers> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner
            .patterns
            .retain(|(_, outbox)| outbox.strong_count() > 0);
        inner
    }

    /// Subscribes to a channel or to a pattern.
    pub fn subscribe(&self, name: &[u8], kind: Kind, outbox: &Arc<Outbox>) {
        let mut inner = self.inner();
        let weak = Arc::downgrade(outbox);
        match kind {
            Kind::Pattern => inner.patterns.push((name.into(), weak)),
            _ => inner.of(kind).entry_ref(name).or_default().push(weak),
        }
    }

    /// Removes a subscription.
    pub fn unsubscribe(&self, name: &[u8], kind: Kind, outbox: &Arc<Outbox>) {
        let mut inner = self.inner();
        let is_other = |it: &Weak<Outbox>| {
            it.strong_count() > 0 && !std::ptr::eq(it.as_ptr(), Arc::as_ptr(outbox))
        };
        if kind == Kind::Pattern {
            inner
                .patterns
                .retain(|(of, it)| **of != *name || is_other(it));
            return;
        }
        let channels = inner.of(kind);
        if let Some(all) = channels.get_mut(name) {
            all.retain(is_other);
            if all.is_empty() {
                channels.remove(name);
            }
        }
    }

    /// Removes the subscriptions to sharded channels that are on other nodes now.
    pub fn leave(&self, mut is_elsewhere: impl FnMut(&[u8]) -> bool) {
        let mut inner = self.inner();
        let left = inner.shards.extract_if(|name, _| is_elsewhere(name));
        for (name, subscribers) in left {
            let outboxes = subscribers.iter().filter_map(Weak::upgrade);
            outboxes.for_each(|outbox| outbox.leave(&name));
        }
    }

    /// Publishes a message. Returns the number of its receivers.
    pub fn publish(&self, kind: Kind, channel: &[u8], message: &[u8]) -> usize {
        let mut inner = self.inner();
        let mut count = 0;
        let word: &[u8] = if kind == Kind::Shard {
            b"smessage"
        } else {
            b"message"
        };
        let channels = inner.of(kind);
        if let Some(all) = channels.get_mut(channel) {
            all.retain(|it| it.strong_count() > 0);
            for outbox in all.iter().filter_map(Weak::upgrade) {
                outbox.put(&[word, channel, message]);
                count += 1;
            }
            if all.is_empty() {
                channels.remove(channel);
            }
        }
        if kind == Kind::Shard {
            return count;
        }
        for (pattern, outbox) in &inner.patterns {
            if matches(pattern, channel)
                && let Some(outbox) = outbox.upgrade()
            {
                outbox.put(&[b"pmessage", pattern, channel, message]);
                count += 1;
            }
        }
        count
    }

    /// Returns the channels that match a pattern.
    pub fn channels(&self, kind: Kind, pattern: &[u8]) -> Vec<Bytes> {
        let mut inner = self.inner();
        let channels = inner.of(kind);
        channels.retain(|_, all| all.iter().any(|it| it.strong_count() > 0));
        let names = channels.keys();
        names
            .filter(|name| matches(pattern, name))
            .cloned()
            .collect()
    }

    /// Returns the number of subscribers of a channel.
    pub fn count(&self, kind: Kind, channel: &[u8]) -> usize {
        let mut inner = self.inner();
        let all = inner.of(kind).get(channel);
        all.map_or(0, |all| {
            all.iter().filter(|it| it.strong_count() > 0).count()
        })
    }

    /// Returns the number of patterns.
    pub fn patterns(&self) -> usize {
        let inner = self.inner();
        let mut names: Vec<&Bytes> = inner.patterns.iter().map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        names.len()
    }
}

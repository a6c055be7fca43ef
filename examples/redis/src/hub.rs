//! Channels and those who have subscribed to them.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Poll, Waker};

use hashbrown::HashMap;

use crate::pattern::matches;
use crate::resp::Replies;
use crate::store::Bytes;

/// A client that does not take so many bytes of messages is left, as redis-server leaves it.
const MOST: usize = 32 << 20;

/// Messages for a client that it has not asked for. Any reactor puts them there.
#[derive(Debug, Default)]
pub struct Outbox {
    /// Whether the client has asked for RESP3.
    pub is_resp3: AtomicBool,
    has_some: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    bytes: Vec<u8>,
    waker: Option<Waker>,
    is_full: bool,
}

impl Outbox {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A message of these words.
    fn put(&self, words: &[&[u8]]) {
        let mut replies = Replies {
            is_resp3: self.is_resp3.load(Ordering::Relaxed),
            ..Replies::default()
        };
        replies.push(words.len());
        words.iter().for_each(|word| replies.bulk(word));
        let mut inner = self.inner();
        inner.is_full |= inner.bytes.len() > MOST;
        if !inner.is_full {
            inner.bytes.extend_from_slice(&replies.bytes);
        }
        self.has_some.store(true, Ordering::Release);
        let waker = inner.waker.take();
        drop(inner);
        waker.into_iter().for_each(Waker::wake);
    }

    /// What is there. `None` if there was too much.
    pub fn take(&self) -> Option<Vec<u8>> {
        if !self.has_some.swap(false, Ordering::AcqRel) {
            return Some(Vec::new());
        }
        let mut inner = self.inner();
        (!inner.is_full).then(|| std::mem::take(&mut inner.bytes))
    }

    /// Waits until something is there.
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

/// Who has subscribed to what.
#[derive(Debug, Default)]
pub struct Hub {
    inner: Mutex<Subscribers>,
}

#[derive(Debug, Default)]
struct Subscribers {
    channels: HashMap<Bytes, Vec<Weak<Outbox>>>,
    patterns: Vec<(Bytes, Weak<Outbox>)>,
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
    pub fn subscribe(&self, name: &[u8], is_pattern: bool, outbox: &Arc<Outbox>) {
        let mut inner = self.inner();
        let weak = Arc::downgrade(outbox);
        match is_pattern {
            true => inner.patterns.push((name.into(), weak)),
            false => inner.channels.entry_ref(name).or_default().push(weak),
        }
    }

    /// Ends that.
    pub fn unsubscribe(&self, name: &[u8], is_pattern: bool, outbox: &Arc<Outbox>) {
        let mut inner = self.inner();
        let is_other = |it: &Weak<Outbox>| {
            it.strong_count() > 0 && !std::ptr::eq(it.as_ptr(), Arc::as_ptr(outbox))
        };
        if is_pattern {
            inner
                .patterns
                .retain(|(of, it)| **of != *name || is_other(it));
            return;
        }
        if let Some(all) = inner.channels.get_mut(name) {
            all.retain(is_other);
            if all.is_empty() {
                inner.channels.remove(name);
            }
        }
    }

    /// Sends a message. Returns how many have it.
    pub fn publish(&self, channel: &[u8], message: &[u8]) -> usize {
        let mut inner = self.inner();
        let mut count = 0;
        if let Some(all) = inner.channels.get_mut(channel) {
            all.retain(|it| it.strong_count() > 0);
            for outbox in all.iter().filter_map(Weak::upgrade) {
                outbox.put(&[b"message", channel, message]);
                count += 1;
            }
            if all.is_empty() {
                inner.channels.remove(channel);
            }
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

    /// The channels that are like a pattern.
    pub fn channels(&self, pattern: &[u8]) -> Vec<Bytes> {
        let mut inner = self.inner();
        inner
            .channels
            .retain(|_, all| all.iter().any(|it| it.strong_count() > 0));
        let names = inner.channels.keys();
        names
            .filter(|name| matches(pattern, name))
            .cloned()
            .collect()
    }

    /// How many have subscribed to a channel.
    pub fn count(&self, channel: &[u8]) -> usize {
        let inner = self.inner();
        let all = inner.channels.get(channel);
        all.map_or(0, |all| {
            all.iter().filter(|it| it.strong_count() > 0).count()
        })
    }

    /// How many patterns there are.
    pub fn patterns(&self) -> usize {
        let inner = self.inner();
        let mut names: Vec<&Bytes> = inner.patterns.iter().map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        names.len()
    }
}

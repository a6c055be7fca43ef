//! A digest of the keys, which is equal for equal keys: DEBUG DIGEST.

use sha1::{Digest, Sha1};

use super::{Locked, Stream, Value, View};

/// The hash that is being computed. Each piece is preceded by its length, so that different pieces
/// cannot give equal input.
#[derive(Default)]
struct Pieces(Sha1);

impl Pieces {
    fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes.len().to_le_bytes());
        self.0.update(bytes);
    }

    fn text(&mut self, it: &impl ToString) {
        self.add(it.to_string().as_bytes());
    }

    /// Adds pieces that have no order.
    fn sorted<'a>(&mut self, all: impl Iterator<Item = [&'a [u8]; 2]>) {
        let mut all: Vec<[&[u8]; 2]> = all.collect();
        all.sort_unstable();
        all.concat().into_iter().for_each(|it| self.add(it));
    }

    fn stream(&mut self, stream: &Stream) {
        self.text(&stream.last);
        for (id, fields) in &stream.entries {
            self.text(id);
            fields.iter().for_each(|it| self.add(it));
        }
        for (name, group) in &stream.groups {
            self.add(name);
            self.text(&group.last);
            for (id, pending) in &group.pending {
                self.text(id);
                self.add(&pending.consumer);
                self.text(&pending.count);
            }
        }
    }

    fn value(&mut self, view: View<'_>) {
        match view {
            View::String(text) => self.add(text),
            View::Value(Value::String(text)) => self.add(text),
            View::Value(Value::List(list)) => list.iter().for_each(|it| self.add(it)),
            View::Value(Value::Set(set)) => self.sorted(set.iter().map(|it| [&**it, b""])),
            View::Value(Value::Hash(hash)) => {
                self.sorted(hash.iter().map(|(field, value)| [&**field, &**value]));
            }
            View::Value(Value::SortedSet(set)) => {
                for (member, score) in set.iter() {
                    self.add(member);
                    self.add(crate::number::text(score).as_bytes());
                }
            }
            View::Value(Value::Stream(stream)) => self.stream(stream),
        }
    }
}

impl Locked<'_> {
    /// Returns the digest of a key's value: 40 hexadecimal digits, or zeros if there is no key.
    pub fn digest_of(&mut self, key: &[u8]) -> String {
        let keys = self.keys(key);
        let expires = keys.expiry(key);
        let digest = keys.peek(key).map(|view| {
            let mut pieces = Pieces::default();
            pieces.text(&u8::from(expires != 0));
            pieces.value(view);
            pieces.0.finalize()
        });
        let digest = digest.map_or([0; 20], Into::into);
        digest
            .iter()
            .map(|byte: &u8| format!("{byte:02x}"))
            .collect()
    }

    /// Returns the digest of all locked keys: 40 hexadecimal digits.
    pub fn digest(&mut self) -> String {
        let mut all = [0; 20];
        self.every_key(|db, key, view, expires| {
            let mut pieces = Pieces::default();
            pieces.text(&db);
            pieces.add(key);
            pieces.text(&expires);
            pieces.value(view);
            let digest = pieces.0.finalize();
            for (to, from) in all.iter_mut().zip(digest) {
                *to ^= from;
            }
        });
        all.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

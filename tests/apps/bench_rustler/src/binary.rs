//! A binary in a tuple, read and written again.
use rustler::serde::SerdeTerm;
use rustler::{Binary, Env, NifTaggedEnum, OwnedBinary};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};

/// `{bytes, Binary}`, borrowed from the VM.
#[derive(NifTaggedEnum)]
enum Borrowed<'a> {
    Bytes(Binary<'a>),
}

/// Nothing is copied: rustler can lend a binary for the duration of a call.
#[rustler::nif]
fn bytes_derive<'a>(request: Borrowed<'a>) -> Binary<'a> {
    let Borrowed::Bytes(bytes) = request;
    bytes
}

/// Like `bytes_derive`, but with owned bytes, as a state would keep them.
#[rustler::nif]
fn bytes_derive_owned<'a>(env: Env<'a>, request: Borrowed<'a>) -> Binary<'a> {
    let Borrowed::Bytes(bytes) = request;
    let kept = bytes.as_slice().to_vec();
    let mut binary = OwnedBinary::new(kept.len());
    binary.as_mut_slice().copy_from_slice(&kept);
    binary.release(env)
}

/// Bytes that serde encodes as a binary. It would encode a `Vec<u8>` as a list.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Taken)
    }
}

struct Taken;

impl Visitor<'_> for Taken {
    type Value = Bytes;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a binary")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_vec()))
    }
}

#[derive(serde::Deserialize)]
enum Request {
    #[serde(rename = "bytes")]
    Bytes(Bytes),
}

#[rustler::nif]
fn bytes_serde(SerdeTerm(request): SerdeTerm<Request>) -> SerdeTerm<Bytes> {
    let Request::Bytes(bytes) = request;
    SerdeTerm(bytes)
}

//! Files with all keys of all databases, in redis-server's format.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::reader::Reader;
use super::write::{Writer, kind_of};
use super::{VERSION, checksum, libraries};
use crate::server::{self, Server};
use crate::store::{Bytes, Locked, Value, now};

/// Bytes that mark what comes next in a file.
mod mark {
    pub const LIBRARY: u8 = super::libraries::MARK;
    pub const OLD_LIBRARY: u8 = super::libraries::OLD_MARK;
    pub const IDLE: u8 = 0xf8;
    pub const FREQUENCY: u8 = 0xf9;
    pub const NOTE: u8 = 0xfa;
    pub const SIZES: u8 = 0xfb;
    pub const EXPIRES: u8 = 0xfc;
    pub const EXPIRES_SECONDS: u8 = 0xfd;
    pub const DATABASE: u8 = 0xfe;
    pub const END: u8 = 0xff;
}

/// A part of a file.
#[derive(Debug)]
pub enum Entry<'a> {
    /// The code of a library of functions.
    Library(Bytes),
    /// A key with its database, its value and its time of expiry, which may be over.
    Key(usize, &'a [u8], Value, u64),
}

/// Encodes a file with all locked keys.
pub fn written(locked: &mut Locked<'_>) -> Vec<u8> {
    let mut writer = Writer::default();
    writer
        .bytes
        .extend(format!("REDIS{VERSION:04}").into_bytes());
    for (name, value) in [
        ("redis-ver", server::VERSION.to_owned()),
        ("redis-bits", usize::BITS.to_string()),
        ("ctime", (now() / 1000).to_string()),
    ] {
        writer.byte(mark::NOTE);
        writer.string(name.as_bytes());
        writer.string(value.as_bytes());
    }
    libraries::write(&mut writer, &locked.libraries());
    let mut selected = None;
    locked.every_key(|db, key, view, expires| {
        if selected != Some(db) {
            selected = Some(db);
            writer.byte(mark::DATABASE);
            writer.count(db);
        }
        if expires != 0 {
            writer.byte(mark::EXPIRES);
            writer.bytes.extend(expires.to_le_bytes());
        }
        writer.byte(kind_of(view));
        writer.string(key);
        writer.object(view);
    });
    writer.byte(mark::END);
    let crc = checksum(0, &writer.bytes);
    writer.bytes.extend(crc.to_le_bytes());
    writer.bytes
}

/// Writes all keys to the file. Commands wait while the keys are copied, but not while the copy is
/// written. The new file replaces the old one when it is complete.
///
/// # Errors
/// An error of the operating system.
pub fn save(server: &Server) -> io::Result<()> {
    let bytes = {
        let mut locked = server.store.everything(0, 0);
        written(&mut locked)
    };
    let folder = server.folder();
    let folder = Path::new(&folder);
    let temporary = folder.join(format!("temp-{}.rdb", std::process::id()));
    let done = write(&temporary, &bytes).and_then(|()| {
        fs::rename(&temporary, folder.join(server::DUMP_FILE))?;
        File::open(folder)?.sync_all()
    });
    match done {
        Ok(()) => {
            server.saved.done(now() / 1000);
            Ok(())
        }
        Err(error) => {
            // The file may not exist, and is of no use.
            let _ = fs::remove_file(&temporary);
            server.saved.failed();
            Err(error)
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn invalid(path: &Path, at: usize, why: &str) -> io::Error {
    let text = format!("{} cannot be loaded: at byte {at}: {why}", path.display());
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Loads the keys of a file, or of the beginning of a log, into the store. Returns the length in
/// bytes.
///
/// # Errors
/// A message about the defect of the file.
pub fn load(server: &Server, path: &Path) -> io::Result<u64> {
    let bytes = fs::read(path)?;
    let mut reader = Reader::new(&bytes);
    let now = now();
    let read = read_entries(&bytes, &mut reader, |entry| {
        match entry {
            Entry::Library(code) => server.load_library(&code)?,
            Entry::Key(db, key, value, expires) if expires == 0 || expires > now => {
                let mut locked = server.store.one(db, key, 0);
                locked.keys(key).set(key, value, expires);
            }
            Entry::Key(..) => {}
        }
        Ok(())
    });
    let at = bytes.len() - reader.left();
    read.map_err(|why| invalid(path, at, &why))?;
    Ok(u64::try_from(at).unwrap_or(u64::MAX))
}

fn check_version(reader: &mut Reader<'_>) -> Result<(), &'static str> {
    let head = reader.array::<9>().unwrap_or_default();
    let version = head.strip_prefix(b"REDIS").and_then(crate::number::read);
    match version.is_some_and(|it| (1.0..=f64::from(VERSION)).contains(&it)) {
        true => Ok(()),
        false => Err("a version that is not known here"),
    }
}

/// Decodes a file: calls `put` with its libraries and keys, including expired keys.
///
/// # Errors
/// The defect of the file, or an error of `put`.
pub fn read(bytes: &[u8], put: impl FnMut(Entry<'_>) -> Result<(), String>) -> Result<(), String> {
    read_entries(bytes, &mut Reader::new(bytes), put)
}

fn read_entries(
    bytes: &[u8],
    reader: &mut Reader<'_>,
    mut put: impl FnMut(Entry<'_>) -> Result<(), String>,
) -> Result<(), String> {
    const CUT: &str = "it ends too early, or is not what redis-server writes";
    const KIND: &str = "a value of a kind that is not known here";
    check_version(reader)?;
    let (mut db, mut expires) = (0, 0);
    loop {
        match reader.byte().ok_or(CUT)? {
            mark::END => break,
            mark::NOTE => {
                reader.string().ok_or(CUT)?;
                reader.string().ok_or(CUT)?;
            }
            mark::LIBRARY => put(Entry::Library(reader.string().ok_or(CUT)?))?,
            mark::OLD_LIBRARY => return Err("functions of a version before 7.0".to_owned()),
            mark::SIZES => {
                reader.number().ok_or(CUT)?;
                reader.number().ok_or(CUT)?;
            }
            mark::DATABASE => {
                let number = reader.number().and_then(|it| usize::try_from(it).ok());
                let number = number.filter(|it| *it < crate::store::DATABASES);
                db = number.ok_or("a database that is not there")?;
            }
            mark::EXPIRES => expires = u64::from_le_bytes(reader.array().ok_or(CUT)?),
            mark::EXPIRES_SECONDS => {
                expires = u64::from(u32::from_le_bytes(reader.array().ok_or(CUT)?)) * 1000;
            }
            mark::IDLE => drop(reader.number().ok_or(CUT)?),
            mark::FREQUENCY => drop(reader.byte().ok_or(CUT)?),
            kind => {
                let key = reader.string().ok_or(CUT)?;
                let value = reader.object(kind).ok_or(KIND)?;
                put(Entry::Key(db, &key, value, std::mem::take(&mut expires)))?;
            }
        }
    }
    let end = bytes.len() - reader.left();
    let crc = u64::from_le_bytes(reader.array().ok_or(CUT)?);
    // 0 means that checksums were turned off.
    match crc == 0 || crc == checksum(0, &bytes[..end]) {
        true => Ok(()),
        false => Err("the checksum is wrong".to_owned()),
    }
}

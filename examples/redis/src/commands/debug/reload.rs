//! DEBUG RELOAD: saves all keys and functions, and loads them again.

use std::path::Path;

use super::super::{Call, Refusal};
use crate::rdb::{self, Entry};
use crate::server::{DUMP_FILE, Server};
use crate::store::Locked;

#[derive(Default)]
struct ReloadOptions {
    merges: bool,
    keeps: bool,
    skips_save: bool,
}

impl ReloadOptions {
    fn read(words: &[&[u8]]) -> Result<Self, Refusal> {
        let mut options = ReloadOptions::default();
        for word in words {
            match word.to_ascii_lowercase().as_slice() {
                b"merge" => options.merges = true,
                b"noflush" => options.keeps = true,
                b"nosave" => options.skips_save = true,
                _ => {
                    return Err(Refusal(
                        "ERR DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options.",
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// Runs DEBUG RELOAD. Everything is locked.
pub(super) fn reload(call: &mut Call<'_, '_>, words: &[&[u8]]) -> Result<(), Refusal> {
    let options = ReloadOptions::read(words)?;
    let file = Path::new(&call.server.folder()).join(DUMP_FILE);
    if !options.skips_save {
        let saved = std::fs::write(&file, rdb::written(call.locked));
        saved.map_err(|_| Refusal("ERR the file cannot be written"))?;
    }
    let bytes = std::fs::read(&file).map_err(|error| error.to_string());
    let loaded = bytes.and_then(|bytes| load(call.server, call.locked, &bytes, &options));
    // An empty list keeps the command out of the log.
    call.instead = Some(Vec::new());
    loaded.map_err(|why| {
        println!("DEBUG RELOAD: {why}");
        Refusal("ERR Error trying to load the RDB dump, check server logs.")
    })?;
    call.replies.ok();
    Ok(())
}

fn load(
    server: &Server,
    locked: &mut Locked<'_>,
    bytes: &[u8],
    options: &ReloadOptions,
) -> Result<(), String> {
    let (scripts, store, now) = (&server.scripts, &server.store, locked.clock());
    if !options.keeps {
        locked.clear(true);
        scripts.forget_libraries(store);
    }
    rdb::read(bytes, |entry| {
        let (db, key, value, expires) = match entry {
            Entry::Key(db, key, value, expires) => (db, key, value, expires),
            Entry::Library(code) => {
                let loaded = scripts.load_library(store, &code, options.merges, None);
                return loaded.map(drop);
            }
        };
        let keys = locked.keys_in(db, key);
        if !options.merges && keys.contains(key) {
            return Err("a key is there already".to_owned());
        }
        if expires == 0 || expires > now {
            keys.set(key, value, expires);
        }
        Ok(())
    })
}

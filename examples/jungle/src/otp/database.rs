//! The process that opens and closes the database folder.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{Resource, Term};

use crate::error::Error;
use crate::jungle::Jungle;

use super::handle::Handle;
use super::options::Options;

/// The registered process of the application's database.
pub static DATABASE: Server<Database> = Server::registered();

/// Owns the open folder. Other processes read and write through the handle, without calling this
/// one.
pub struct Database {
    handle: Resource<Handle>,
    jungle: Arc<Jungle>,
    folder: String,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Database in {}", self.folder)
    }
}

/// `get_database`: returns the handle.
#[derive(Debug, Clone, Term)]
#[reply(Result<Resource<Handle>, Error>)]
pub struct GetDatabase;

#[gen_server(module = "jungle_database")]
impl GenServer for Database {
    type Args = (Resource<Handle>, Options);

    async fn init(
        (handle, options): (Resource<Handle>, Options),
        cx: &Cx<'_>,
    ) -> Result<impl InitReturn<Self>> {
        cx.trap_exit(true);
        let folder = options.folder;
        let opened = cx.blocking(|| Jungle::open(Path::new(&folder))).await;
        let jungle = Arc::new(opened.map_err(Exit::new)?);
        handle.set(jungle.clone());
        let database = Database {
            handle,
            jungle,
            folder,
        };
        Ok((ok, database))
    }

    fn handle_call(&mut self, _: GetDatabase) -> HandleCall<Result<Resource<Handle>, Error>> {
        reply(Ok(self.handle.clone()))
    }

    async fn terminate(&mut self, _: &Term, cx: &Cx<'_>) {
        cx.blocking(|| self.jungle.close()).await;
    }
}

/// Also covers a process that was killed. Its successor waits until the folder is unlocked.
impl Drop for Database {
    fn drop(&mut self) {
        let jungle = self.jungle.clone();
        let thread = thread::Builder::new().name("jungle close".to_owned());
        let _ = thread.spawn(move || jungle.close());
    }
}

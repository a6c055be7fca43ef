//! The process that owns this node's copy of the ledger.
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::process::Nodes;
use otp_bridge::{Atom, atom};

use crate::book::{self, Book, Entry};

/// Interval at which it tells other nodes what it has.
const INTERVAL: Duration = Duration::from_millis(200);
/// Maximum number of entries that are sent at once.
const MOST: usize = 500;

/// The state in this build. The second build's state also has the sum.
#[derive(Debug, Term)]
pub struct Keeper {
    folder: String,
    number: u64,
    name: String,
    book: Book,
    #[cfg(build = "2")]
    sum: i64,
}

/// The state of the other build.
#[derive(Debug, Term)]
pub struct Other {
    folder: String,
    number: u64,
    name: String,
    book: Book,
    #[cfg(build = "1")]
    sum: i64,
}

/// `{enter, Reference, Amount}`: adds an entry. Returns the number of this process's entries, or
/// the reason why it is unknown whether the entry is on the disk.
#[derive(Debug, Term)]
#[reply(Result<u64, String>)]
pub struct Enter(u64, i64);

/// `look`: returns the sum and all entries.
#[derive(Debug, Term)]
#[reply((i64, Book))]
pub struct Look;

/// `build`: returns the build that answers.
#[derive(Debug, Term)]
#[reply(String)]
pub struct Build;

/// `{copy, Name, From, Entries}`: entries of another process. The first one has this index.
#[derive(Debug, Term)]
pub struct Copy(String, usize, Vec<Entry>);

/// `{have, Node, Lengths}`: reports how many entries of each process a node has.
#[derive(Debug, Term)]
pub struct Have(Atom, BTreeMap<String, usize>);

/// `tick`
#[derive(Debug, Term)]
pub struct Tick;

#[gen_server]
impl GenServer for Keeper {
    /// Folder of its files.
    type Args = String;

    async fn init(folder: String, cx: &Cx<'_>) -> Result<impl InitReturn<Self>> {
        let opened = cx.blocking(|| book::open(Path::new(&folder))).await;
        let (number, book) = opened.map_err(|error| Exit::new(error.to_string()))?;
        let name = format!("{}/{number}", cx.node().await?);
        cx.send_after(INTERVAL, Tick);
        Ok((ok, Keeper::of(folder, number, name, book)))
    }

    async fn handle_call(
        &mut self,
        Enter(reference, amount): Enter,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Result<u64, String>>> {
        let (name, entry) = (self.name.clone(), Entry(reference, amount));
        let from = self.book.get(&name).map_or(0, Vec::len);
        if let Err(error) = self.append(&name, from, &[entry], cx).await {
            return reply(Err(error));
        }
        for node in cx.nodes().await? {
            cx.cast(&there(&node), Copy(name.clone(), from, vec![entry]));
        }
        reply(Ok(from as u64 + 1))
    }

    fn handle_call(&self, _: Look) -> HandleCall<(i64, Book)> {
        reply((self.sum(), self.book.clone()))
    }

    fn handle_call(&self, _: Build) -> HandleCall<String> {
        reply(crate::BUILD.to_owned())
    }

    async fn handle_cast(
        &mut self,
        Copy(name, from, entries): Copy,
        cx: &Cx<'_>,
    ) -> Result<HandleCast> {
        let known = self.book.get(&name).map_or(0, Vec::len);
        // If there is a gap, the next `have` requests the missing entries.
        if from <= known && known < from + entries.len() {
            let written = self
                .append(&name, known, &entries[known - from..], cx)
                .await;
            written.map_err(Exit::new)?;
        }
        noreply()
    }

    fn handle_cast(&mut self, Have(node, lengths): Have, cx: &Cx<'_>) -> HandleCast {
        for (name, entries) in &self.book {
            let from = lengths.get(name).copied().unwrap_or(0);
            if let Some(more) = entries.get(from..).filter(|more| !more.is_empty()) {
                let more = more[..more.len().min(MOST)].to_vec();
                cx.cast(&there(&node), Copy(name.clone(), from, more));
            }
        }
        noreply()
    }

    async fn handle_info(&mut self, _: Tick, cx: &Cx<'_>) -> Result<HandleInfo> {
        let length = |(name, entries): (&String, &Vec<Entry>)| (name.clone(), entries.len());
        let own = cx.node().await?;
        for node in cx.nodes().await? {
            let lengths = self.book.iter().map(length).collect();
            cx.cast(&there(&node), Have(own.clone(), lengths));
        }
        cx.send_after(INTERVAL, Tick);
        noreply()
    }

    /// The state of the other build.
    fn code_change(_: Term, other: Other, _: Term) -> impl CodeChangeReturn<Self> {
        #[cfg(build = "1")]
        assert_eq!(
            other.sum,
            book::sum(&other.book),
            "the sum of the second build"
        );
        let keeper = Keeper::of(other.folder, other.number, other.name, other.book);
        (ok, keeper)
    }
}

impl Keeper {
    fn of(folder: String, number: u64, name: String, book: Book) -> Self {
        Keeper {
            folder,
            number,
            name,
            #[cfg(build = "2")]
            sum: book::sum(&book),
            book,
        }
    }

    /// Adds entries that are on the disk.
    async fn append(
        &mut self,
        name: &str,
        from: usize,
        entries: &[Entry],
        cx: &Cx<'_>,
    ) -> Result<(), String> {
        let (folder, number) = (Path::new(&self.folder), self.number);
        let written = cx
            .blocking(|| book::append(folder, number, name, from, entries))
            .await;
        written.map_err(|error| error.to_string())?;
        let known = self.book.entry(name.to_owned()).or_default();
        known.extend_from_slice(entries);
        #[cfg(build = "2")]
        {
            self.sum += entries.iter().map(|Entry(_, amount)| amount).sum::<i64>();
        }
        Ok(())
    }

    fn sum(&self) -> i64 {
        #[cfg(build = "1")]
        return book::sum(&self.book);
        #[cfg(build = "2")]
        return self.sum;
    }
}

fn there(node: &Atom) -> Server<Keeper> {
    Server::on_node(atom!("keeper"), node.clone())
}

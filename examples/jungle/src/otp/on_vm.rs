//! Tests of the application that need an Erlang VM.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Down;
use otp_bridge::start::Start;
use otp_bridge::{Pid, Resource, atom};

use super::compactor::{COMPACTOR, Compact};
use super::database::{DATABASE, GetDatabase};
use super::handle::Handle;
use super::stroot::Stroot;
use super::watch::{self, Watched};
use crate::change::ChangeTerm;
use crate::error::Error;
use crate::jungle::Jungle;
use crate::node::Node;

/// A folder that is removed when the value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("jungle-vm-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }

    async fn start(&self, cx: &Cx<'_>) -> Result<Resource<Handle>> {
        let words = ["--folder".to_owned(), self.0.display().to_string()];
        cx.start_link::<Stroot>(words.to_vec()).await?;
        database(cx).await
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn database(cx: &Cx<'_>) -> Result<Resource<Handle>> {
    let database = cx.call(&DATABASE, GetDatabase).await?;
    database.map_err(Exit::new)
}

async fn add_child(handle: &Handle) -> crate::error::Result<u64> {
    let (number, pending) = handle.tree("a")?.begin(|root| root.add_child_at(&[]))?;
    pending.await.map(|()| number)
}

/// Kills the process that has the folder open. Returns its database.
async fn kill(handle: &Handle, cx: &Cx<'_>) -> Result<Arc<Jungle>> {
    let killed = cx.monitor(&DATABASE).await?;
    let old = handle.jungle().map_err(Exit::new)?;
    let named = (atom!("jungle_database"),);
    let process: Pid = cx.apply("erlang", "whereis", named).await?;
    cx.exit(&process, atom!("kill")).await?;
    let _: Down = killed.down(cx).await?;
    Ok(old)
}

/// Waits until the folder is opened again.
async fn wait_for_next(handle: &Handle, old: &Arc<Jungle>, cx: &Cx<'_>) -> Result<()> {
    while handle.jungle().is_ok_and(|now| Arc::ptr_eq(&now, old)) {
        cx.sleep(Duration::from_millis(5)).await?;
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_watch_follows_a_renamed_tree_and_ends_with_a_deleted_one(cx: &Cx<'_>) -> Result<()> {
    let folder = Folder::new("renamed");
    let handle = folder.start(cx).await?;
    let jungle = handle.jungle().map_err(Exit::new)?;
    let pending = jungle.begin_tree("b", &[]).map_err(Exit::new)?;
    pending.await.map_err(Exit::new)?;
    let own = cx.subscriber().that_receives();
    let watch = watch::subscribe(&handle, "b", vec![], own).map_err(Exit::new)?;
    let pending = jungle.begin_rename("b", "a").map_err(Exit::new)?;
    pending.await.map_err(Exit::new)?;
    let renamed = cx.receive().await?;
    assert!(matches!(renamed, Watched::Renamed(of, old, new)
        if of == watch && (&*old, &*new) == ("b", "a")));
    let old = kill(&handle, cx).await?;
    wait_for_next(&handle, &old, cx).await?;
    assert_eq!(add_child(&handle).await, Ok(1));
    let changed = cx.receive().await?;
    assert!(matches!(changed, Watched::Changed(of, tree, 1, _) if of == watch && tree == "a"));
    let jungle = handle.jungle().map_err(Exit::new)?;
    let pending = jungle.begin_delete("a").map_err(Exit::new)?;
    pending.await.map_err(Exit::new)?;
    let deleted = cx.receive().await?;
    assert!(matches!(deleted, Watched::Deleted(of, tree) if of == watch && tree == "a"));
    assert!(handle.shared().watches().is_empty());
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_killed_database_is_opened_again_and_those_who_watch_go_on(cx: &Cx<'_>) -> Result<()> {
    let folder = Folder::new("killed");
    let handle = folder.start(cx).await?;
    let pending = handle.jungle().and_then(|it| it.begin_tree("a", &[]));
    pending.map_err(Exit::new)?.await.map_err(Exit::new)?;
    let own = cx.subscriber().that_receives();
    let watch = watch::subscribe(&handle, "a", vec![], own).map_err(Exit::new)?;
    for round in 1..=3_u64 {
        assert_eq!(add_child(&handle).await, Ok(round));
        let Watched::Changed(of, tree, number, changes) = cx.receive().await? else {
            panic!("it is neither renamed nor deleted");
        };
        assert!(of == watch);
        assert_eq!((&*tree, number), ("a", round));
        assert_eq!(changes, [ChangeTerm::Add(vec![], round - 1)]);
        let old = kill(&handle, cx).await?;
        // Nodes that were read before stay readable. Writes during the restart are either refused
        // or durable.
        let size = |handle: &Handle| {
            let root = handle.tree("a").map(|tree| tree.read().node.size());
            root.map_err(Exit::new)
        };
        assert_eq!(size(&handle)?, round + 1);
        wait_for_next(&handle, &old, cx).await?;
        assert_eq!(size(&handle)?, round + 1);
        assert_eq!(old.update_root_node("a", Node::new()), Err(Error::Closed));
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_subscription_ends_with_its_process(cx: &Cx<'_>) -> Result<()> {
    let folder = Folder::new("watch");
    let handle = folder.start(cx).await?;
    let pending = handle.jungle().and_then(|it| it.begin_tree("a", &[]));
    pending.map_err(Exit::new)?.await.map_err(Exit::new)?;
    let own = handle.clone();
    let told = cx.in_process(async move |cx| {
        let this = cx.subscriber().that_receives();
        let watch = watch::subscribe(&own, "a", vec![1], this).map_err(Exit::new)?;
        // The watch covers position 1: it ignores the first child, at position 0, and reports the
        // second one.
        add_child(&own).await.map_err(Exit::new)?;
        add_child(&own).await.map_err(Exit::new)?;
        let Watched::Changed(of, ..) = cx.receive().await? else {
            panic!("it is neither renamed nor deleted");
        };
        assert_eq!(own.shared().watches().len(), 1);
        Ok(of == watch)
    });
    assert!(told.await?);
    while !handle.shared().watches().is_empty() {
        cx.sleep(Duration::from_millis(5)).await?;
    }
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_snapshot_takes_the_place_of_the_log(cx: &Cx<'_>) -> Result<()> {
    let folder = Folder::new("snapshot");
    let handle = folder.start(cx).await?;
    let pending = handle.jungle().and_then(|it| it.begin_tree("a", &[]));
    pending.map_err(Exit::new)?.await.map_err(Exit::new)?;
    for _ in 0..50 {
        add_child(&handle).await.map_err(Exit::new)?;
    }
    assert_eq!(cx.call(&COMPACTOR, Compact(200)).await?, Ok(1));
    assert_eq!(cx.call(&COMPACTOR, Compact(200)).await?, Ok(0));
    add_child(&handle).await.map_err(Exit::new)?;
    let names = std::fs::read_dir(&folder.0)?.map(|entry| Ok(entry?.file_name()));
    let names: Vec<_> = names.collect::<std::io::Result<_>>()?;
    let count = |kind: &str| {
        let names = names.iter().map(|name| name.to_string_lossy());
        names.filter(|name| name.starts_with(kind)).count()
    };
    assert_eq!((count("log-"), count("snapshot-")), (4, 1), "{names:?}");
    Ok(())
}

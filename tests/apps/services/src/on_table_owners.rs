//! Processes that own tables of `ets`, on the Erlang VM.
use std::time::Duration;

use otp_bridge::gen_server::prelude::*;
use otp_bridge::messages::Down;
use otp_bridge::process::ExitKind;
use otp_bridge::table::TableOptions;
use otp_bridge::{Table, atom};

use crate::on_tables::{price, reason};
use crate::tables::{Add, Heard, Keeper, Left, Loaded, Loader, PRICES, SMALL};

/// Kills a process, and returns when it has ended.
async fn kill(cx: &Cx<'_>, pid: &Pid) -> Result<()> {
    let monitor = cx.monitor(pid).await?;
    cx.unlink(pid).await?;
    cx.exit(pid, atom!("kill")).await?;
    let _: Down = monitor.down(cx).await?;
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn only_the_owner_writes_a_protected_table(cx: &Cx<'_>) -> Result<()> {
    let loader = cx.start_link::<Loader>(None).await?;
    assert_eq!(SMALL.get(cx, &1).await?, Some(250));
    assert_eq!(reason(SMALL.insert(cx, &2, &1).await), "{no_access,small}");
    assert_eq!(reason(SMALL.add(cx, &1, 1).await), "{no_access,small}");
    assert_eq!(reason(SMALL.drop_table(cx).await), "{no_access,small}");
    kill(cx, &loader.pid()?).await?;
    let gone = SMALL.get(cx, &1).await;
    assert_eq!(reason(gone), "{noproc,{otp_rs_table,small}}");
    Ok(())
}

#[otp_bridge::test(application = false)]
async fn a_table_goes_to_its_heir_and_is_given_away(cx: &Cx<'_>) -> Result<()> {
    let keeper = cx.start_link::<Keeper>(()).await?;
    let loader = cx.start_link::<Loader>(Some(keeper.clone())).await?;
    kill(cx, &loader.pid()?).await?;
    assert_eq!(
        cx.call(&keeper, Heard).await?,
        ["Table(small) left: killed"]
    );
    assert_eq!(cx.call(&keeper, Add(3)).await?, 253);
    kill(cx, &keeper.pid()?).await?;
    assert_eq!(
        SMALL.get(cx, &1).await.map_err(|exit| exit.kind()),
        Err(ExitKind::NoProcess)
    );

    let other = cx.start_link_registered::<Keeper>(()).await?;
    SMALL.create(cx, TableOptions::new()).await?;
    SMALL.insert(cx, &1, &7).await?;
    SMALL.give_away(cx, &other, Loaded).await?;
    assert_eq!(cx.call(&other, Heard).await?, ["Table(small) loaded"]);
    assert_eq!(cx.call(&other, Add(1)).await?, 8);
    assert_eq!(
        reason(SMALL.give_away(cx, &other, Loaded).await),
        "{no_access,small}"
    );
    let refused = SMALL.give_away(cx, &keeper, Loaded).await;
    assert_eq!(
        refused.map_err(|exit| exit.kind()),
        Err(ExitKind::NoProcess)
    );
    let own = Table::<u64, u8>::unnamed(cx, TableOptions::new()).await?;
    let refused = own.give_away(cx, &keeper, Loaded).await;
    assert_eq!(
        refused.map_err(|exit| exit.kind()),
        Err(ExitKind::NoProcess)
    );
    let refused = own
        .set_heir(cx, &atom!("nobody_has_this_name"), Left(String::new()))
        .await;
    assert_eq!(
        refused.map_err(|exit| exit.kind()),
        Err(ExitKind::NoProcess)
    );
    let refused = reason(own.give_away(cx, &cx.pid(), Loaded).await);
    assert!(refused.starts_with("{already_owner,"), "{refused}");
    own.give_away(cx, &other, Loaded).await?;
    assert_eq!(cx.call(&other, Heard).await?.len(), 2);
    let owner: Pid = cx
        .apply("ets", "info", (atom!("small"), atom!("owner")))
        .await?;
    kill(cx, &owner).await
}

/// A supervisor starts the owner, again after a kill, and ends it.
#[otp_bridge::test(application = false)]
async fn a_child_owns_a_table_for_all(cx: &Cx<'_>) -> Result<()> {
    let shelf = cx.start_link::<Shelf>(()).await?;
    PRICES.insert(cx, "tea", &price(250)).await?;
    let written = cx.in_process(async |cx| PRICES.insert(cx, "milk", &price(1)).await);
    written.await?;
    assert_eq!(PRICES.count(cx).await?, 2);
    let owner: Pid = cx.apply("erlang", "whereis", (atom!("prices"),)).await?;
    kill(cx, &owner).await?;
    loop {
        match PRICES.count(cx).await {
            Ok(count) => break assert_eq!(count, 0),
            Err(exit) => assert_eq!(exit.kind(), ExitKind::NoProcess),
        }
        cx.sleep(Duration::from_millis(1)).await?;
    }
    cx.terminate_child(&shelf, &atom!("prices")).await?;
    let gone = PRICES.count(cx).await;
    assert_eq!(reason(gone), "{noproc,{otp_rs_table,prices}}");
    Ok(())
}

mod supervised {
    use otp_bridge::atoms::ok;
    use otp_bridge::supervisor::prelude::*;

    use crate::tables::PRICES;

    pub struct Shelf;

    #[supervisor]
    impl Supervisor for Shelf {
        type Args = ();

        fn init(_: ()) -> impl InitReturn {
            (ok, (SupFlags::one_for_one(), vec![PRICES.child()]))
        }
    }
}

use supervised::Shelf;

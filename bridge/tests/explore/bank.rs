//! A bank whose transfers lose money under one order of messages.

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::supervisor::{self, ChildSpec, SupFlags, Supervisor, supervisor};
use otp_bridge::testing::Explore;
use otp_bridge::{Name, atom};

/// An account, with its balance.
#[derive(Debug)]
pub(super) struct Account(u64);

#[derive(Debug, Clone, Term)]
#[reply(u64)]
pub(super) struct Balance;

#[derive(Debug, Clone, Term)]
#[reply(u64)]
struct SetBalance(u64);

#[derive(Debug, Clone, Term)]
#[reply(u64)]
struct Deposit(u64);

#[gen_server]
impl GenServer for Account {
    type Args = u64;

    fn init(balance: u64) -> impl InitReturn<Self> {
        (ok, Account(balance))
    }

    fn handle_call(&mut self, _: Balance) -> HandleCall<u64> {
        reply(self.0)
    }

    fn handle_call(&mut self, SetBalance(balance): SetBalance) -> HandleCall<u64> {
        self.0 = balance;
        reply(self.0)
    }

    fn handle_call(&mut self, Deposit(amount): Deposit) -> HandleCall<u64> {
        self.0 += amount;
        reply(self.0)
    }
}

/// A clerk who transfers money to an account.
#[derive(Debug)]
pub(super) struct Clerk {
    /// Whether the clerk reads the balance and writes it back, instead of depositing the amount.
    is_careless: bool,
}

#[derive(Debug, Clone, Term)]
#[reply(Atom)]
struct Transfer(u64);

#[gen_server]
impl GenServer for Clerk {
    type Args = bool;

    fn init(is_careless: bool) -> impl InitReturn<Self> {
        (ok, Clerk { is_careless })
    }

    async fn handle_call(
        &mut self,
        Transfer(amount): Transfer,
        cx: &Cx<'_>,
    ) -> Result<HandleCall<Atom>> {
        let account = atom!("savings");
        if self.is_careless {
            let balance: u64 = cx.call(&account, Balance).await?;
            let _: u64 = cx.call(&account, SetBalance(balance + amount)).await?;
        } else {
            let _: u64 = cx.call(&account, Deposit(amount)).await?;
        }
        reply(Atom::from(ok))
    }
}

/// Supervises the account and two clerks.
struct Bank;

#[supervisor]
impl Supervisor for Bank {
    type Args = bool;

    fn init(is_careless: bool) -> impl supervisor::InitReturn {
        let account = ChildSpec::of::<Account>(100).registered(atom!("savings"));
        let clerk = |name: Atom| {
            let spec = ChildSpec::of::<Clerk>(is_careless);
            spec.id(name.clone()).registered(Name::local(name))
        };
        let children = vec![account, clerk(atom!("anna")), clerk(atom!("otto"))];
        (ok, (SupFlags::one_for_all(), children))
    }
}

/// Both clerks transfer money at once. Nothing may be lost.
pub(super) async fn transfers(cx: &Cx<'_>, is_careless: bool) -> Result<()> {
    cx.start_link::<Bank>(is_careless).await?;
    let (anna, otto) = (atom!("anna"), atom!("otto"));
    let (first, second) = (
        cx.send_request(&anna, Transfer(20)),
        cx.send_request(&otto, Transfer(30)),
    );
    first.await?;
    second.await?;
    let balance = cx.call(&atom!("savings"), Balance).await?;
    assert_eq!(balance, 150, "money is lost");
    Ok(())
}

#[otp_bridge::test(explore(schedules = 2_000))]
async fn careful_clerks_lose_nothing(cx: &Cx<'_>) -> Result<()> {
    transfers(cx, false).await
}

#[test]
fn careless_clerks_lose_money_in_one_order() {
    let explored = Explore::new().run(async |cx| transfers(cx, true).await);
    let failing = explored.expect_err("money is lost");
    assert!(failing.failure().contains("money is lost"), "{failing}");
    assert!(failing.failure().contains("bank.rs"), "{failing}");
    let trace = failing.trace().join("\n");
    assert!(
        trace.contains("`savings` receives the call balance from `anna`"),
        "{failing}"
    );
    assert!(trace.contains("handle_call(SetBalance)"), "{failing}");
    assert_eq!(failing.reordered(), 0, "{failing}");
}

#[test]
fn every_order_of_two_deposits_is_tried() {
    let two = async |cx: &Cx<'_>| {
        let account = cx.start_link_registered::<Account>(0).await?;
        let first = cx.send_request(&account, Deposit(1));
        let second = cx.send_request(&account, Deposit(2));
        first.await?;
        second.await?;
        Ok(())
    };
    let explored = Explore::new().exhaustive().run(two).expect("it passes");
    assert!(explored.is_complete, "{explored:?}");
    let one = Explore::new().exhaustive().schedules(1);
    let failing = one.always(|node| {
        node.state(atom!("account"), |account: &Account| {
            assert_ne!(account.0, 3)
        });
    });
    let failing = failing.run(two).expect_err("the balance is 3 at last");
    assert_eq!(failing.seed(), None);
    assert!(
        failing.failure().starts_with("a property does not hold"),
        "{failing}"
    );
}

//! A server whose state is a term. The form of the state differs between some builds.
use std::time::Duration;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

use crate::common::{RATES, note, use_pool};
use crate::settings::Settings;

/// The state of the first and second build.
#[cfg(any(build = "1", build = "2"))]
#[derive(Debug, Term)]
pub struct Counter {
    count: u64,
}

/// The state of the third build, which also has a step.
#[cfg(build = "3")]
#[derive(Debug, Term)]
pub struct Counter {
    count: u64,
    step: u64,
}

/// The state of the fourth build, which has a text instead.
#[cfg(build = "4")]
#[derive(Debug, Term)]
pub struct Counter {
    count: String,
}

/// The state of older builds.
#[cfg(build = "3")]
#[derive(Debug, Term)]
pub struct Old {
    count: u64,
}

/// `add`: adds. Returns the new number.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Add;

/// `build`: returns the build that answers.
#[derive(Debug, Term)]
#[reply(String)]
pub struct Build;

/// `{rest, Milliseconds}`: waits. Returns the build that has waited.
#[derive(Debug, Term)]
#[reply(String)]
pub struct Rest(pub u64);

/// `hold`: waits for a message `go_on`. Returns the build that has waited.
#[derive(Debug, Term)]
#[reply(String)]
pub struct Hold;

/// `go_on`
#[derive(Debug, Term)]
pub struct GoOn;

/// `{work, Milliseconds}`: starts a task that waits.
#[derive(Debug, Term)]
#[reply(String)]
pub struct Work(pub u64);

/// `settings`: returns the environment, and the build that has read it.
#[derive(Debug, Term)]
#[reply((u64, u64, u64, Option<bool>, Option<String>))]
pub struct Read;

/// `body`: starts a process that runs a body until it gets a message.
#[derive(Debug, Term)]
#[reply(Pid)]
pub struct Body;

/// `away`: returns the rates, or the reason why there are none.
#[derive(Debug, Term)]
#[reply(Term)]
pub struct Away;

/// `uses`: starts a process that uses the pool until it is killed.
#[derive(Debug, Term)]
#[reply(Pid)]
pub struct Uses;

impl Counter {
    fn of(count: u64) -> Self {
        #[cfg(any(build = "1", build = "2"))]
        return Counter { count };
        #[cfg(build = "3")]
        return Counter { count, step: 1 };
        #[cfg(build = "4")]
        return Counter {
            count: count.to_string(),
        };
    }

    fn add(&mut self) -> u64 {
        #[cfg(any(build = "1", build = "2"))]
        {
            self.count += 1;
            self.count
        }
        #[cfg(build = "3")]
        {
            self.count += self.step;
            self.count
        }
        #[cfg(build = "4")]
        {
            self.count.push('1');
            self.count.len() as u64
        }
    }
}

/// Returns whether the test has created the file that prevents a new child from starting.
fn is_refused() -> bool {
    let name = format!("upgrades-no-child-{}", std::process::id());
    std::env::temp_dir().join(name).exists()
}

/// The server, with the additions of one build.
macro_rules! server {
    ($($more:tt)*) => {
        #[gen_server]
        impl GenServer for Counter {
            type Args = u64;

            fn init(start: u64) -> impl InitReturn<Self> {
                assert!(start == 0 || !is_refused(), "somebody has refused this child");
                (ok, Counter::of(start))
            }

            fn handle_call(&mut self, _: Add) -> Result<HandleCall<u64>> {
                use_pool()?;
                reply(self.add())
            }

            async fn handle_call(&mut self, _: Away, cx: &Cx<'_>) -> Result<HandleCall<Term>> {
                // Any thread can use the process's resources.
                let rates = cx.blocking(|| RATES.get()).await;
                reply(rates.map_or_else(|away| Term::of(&away), |rates| Term::of(&*rates)))
            }

            async fn handle_call(&mut self, _: Uses, cx: &Cx<'_>) -> Result<HandleCall<Pid>> {
                let user = async |cx: &Cx<'_>| loop {
                    use_pool().inspect_err(|_| note("found no pool"))?;
                    note("uses the pool");
                    cx.sleep(Duration::from_millis(1)).await?;
                };
                reply(cx.spawn_process(user).await?)
            }

            fn handle_call(&mut self, _: Build) -> HandleCall<String> {
                reply(crate::BUILD.to_owned())
            }

            async fn handle_call(
                &mut self,
                Rest(time): Rest,
                cx: &Cx<'_>,
            ) -> Result<HandleCall<String>> {
                cx.sleep(Duration::from_millis(time)).await?;
                reply(crate::BUILD.to_owned())
            }

            async fn handle_call(&mut self, _: Hold, cx: &Cx<'_>) -> Result<HandleCall<String>> {
                let GoOn = cx.receive().await?;
                reply(crate::BUILD.to_owned())
            }

            fn handle_call(&mut self, Work(time): Work, cx: &Cx<'_>) -> HandleCall<String> {
                cx.spawn_task(async move |cx| cx.sleep(Duration::from_millis(time)).await);
                reply(crate::BUILD.to_owned())
            }

            async fn handle_call(
                &mut self,
                _: Read,
                cx: &Cx<'_>,
            ) -> Result<HandleCall<(u64, u64, u64, Option<bool>, Option<String>)>> {
                let Settings { port, mine, file, gone, fresh } = cx.env().await?;
                reply((port, mine, file, gone, fresh))
            }

            async fn handle_call(&mut self, _: Body, cx: &Cx<'_>) -> Result<HandleCall<Pid>> {
                let body = async move |cx: &Cx<'_>| cx.receive::<Atom>().await.map(drop);
                reply(cx.spawn_process(body).await?)
            }

            $($more)*
        }
    };
}

#[cfg(not(build = "3"))]
server! {}

#[cfg(build = "3")]
server! {
    /// States of older builds get a step of 100.
    fn code_change(_: Term, Old { count }: Old, _: Term) -> impl CodeChangeReturn<Self> {
        assert!(count != 13, "{count} brings bad luck");
        (ok, Counter { count, step: 100 })
    }

    #[cfg(build = "5")]
    fn code_change(self, _: otp_bridge::Downgrade<Old>) -> Result<Old> {
        assert!(self.count != 17, "{} brings bad luck as well", self.count);
        match self.count {
            19 => Err(Exit::new("a bad number")),
            count => Ok(Old { count }),
        }
    }
}

//! Two blinking lights: a process with three tasks.

use otp_bridge::task::UNBOUNDED;
use std::fmt;
use std::io::{IsTerminal, Write, stdout};
use std::time::Duration;

use otp_bridge::atoms::{continue_, normal, ok};
use otp_bridge::gen_server::prelude::*;
use otp_bridge::task::{ChannelReceiver, ChannelSender};

/// How long a light stays on, and how long it stays off.
const HALF_A_SECOND: Duration = Duration::from_millis(500);

/// A process in which two tasks make a light blink each, and a third task draws the lights.
#[derive(Debug, Term)]
pub struct Board;

/// `begin`
#[derive(Debug, Term)]
pub struct Begin;

/// `enough`
#[derive(Debug, Term)]
pub struct Enough;

/// Tells the drawing task that a light was switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// The light: 0 or 1.
    pub light: usize,
    /// Whether the light is on.
    pub on: bool,
}

#[gen_server]
impl GenServer for Board {
    /// How long the lights blink, in seconds; `None` means for ever.
    type Args = Option<u64>;

    fn init(seconds: Option<u64>, cx: &Cx<'_>) -> impl InitReturn<Self> {
        if let Some(seconds) = seconds {
            cx.send_after(Duration::from_secs(seconds), Enough);
        }
        (ok, Board, (continue_, Begin))
    }

    fn handle_continue(&mut self, _: Begin, cx: &Cx<'_>) -> HandleContinue {
        let (screen, switches) = cx.channel::<Switch>(UNBOUNDED);
        let other = screen.clone();
        cx.spawn_task(async move |cx| blink(0, true, &screen, cx).await)
            .linked();
        cx.spawn_task(async move |cx| blink(1, false, &other, cx).await)
            .linked();
        cx.spawn_task(async move |_| draw(switches).await).linked();
        noreply()
    }

    fn handle_info(&mut self, _: Enough) -> HandleInfo {
        println!();
        stop(normal)
    }
}

/// Switches a light for ever, starting with `first`.
async fn blink(
    light: usize,
    first: bool,
    screen: &ChannelSender<Switch>,
    cx: &Cx<'_>,
) -> Result<()> {
    loop {
        for on in [first, !first] {
            screen.send(Switch { light, on })?;
            cx.sleep(HALF_A_SECOND).await?;
        }
    }
}

/// Draws the lights whenever both have been switched.
async fn draw(mut switches: ChannelReceiver<Switch>) -> Result<()> {
    let mut lights = Lights([false; 2]);
    let end = if stdout().is_terminal() { "\r" } else { "\n" };
    while let Some(switch) = switches.receive().await {
        lights.0[switch.light] = switch.on;
        if let Some(switch) = switches.receive().await {
            lights.0[switch.light] = switch.on;
        }
        print!("{lights}{end}");
        // If the terminal is gone, blinking continues.
        let _ = stdout().flush();
    }
    Ok(())
}

/// Whether each of the lights is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lights(pub [bool; 2]);

impl fmt::Display for Lights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.0.map(|on| if on { '●' } else { '○' });
        write!(f, "light 1 {one}   light 2 {other}")
    }
}

#[cfg(test)]
mod tests {
    use otp_bridge::testing;

    use super::*;

    #[test]
    fn a_board_ends_when_it_is_enough() -> Result<()> {
        let mut board = testing::Server::<Board>::start(Some(3))?;
        board.info(Enough);
        let ended = board.ended().map(ToString::to_string);
        assert_eq!(ended.as_deref(), Some("exit: normal"));
        assert_eq!(Lights([true, false]).to_string(), "light 1 ●   light 2 ○");
        Ok(())
    }
}

//! Passes changes from handlers to the process of the boards. Changes that arrive together go to
//! the process in one call, and become one version of the tree.

use std::sync::Arc;

use otp_bridge::task::Client;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::request::Refusal;
use crate::boards::BOARDS;
use crate::limits;
use crate::messages::{Answer, Change, Changes};

type Asked = (Change, oneshot::Sender<Answer>);

/// Queue of the changes that handlers request.
pub(super) struct Writer(mpsc::Sender<Asked>);

impl Writer {
    pub(super) fn start(run_time: &Handle, client: Client) -> Self {
        let (asks, asked) = mpsc::channel(limits::CHANGES);
        run_time.spawn(send_all(client, asked));
        Writer(asks)
    }

    /// Makes a change, and waits until it is on the disk. The change is refused if the queue is
    /// full, or if the process is down.
    pub(super) async fn change(&self, change: Change) -> Result<Answer, Refusal> {
        let (answers, answer) = oneshot::channel();
        let asked = self.0.try_send((change, answers));
        asked.map_err(|_| Refusal::unavailable())?;
        answer.await.map_err(|_| Refusal::unavailable())
    }
}

async fn send_all(client: Client, mut asked: mpsc::Receiver<Asked>) {
    let calls = Arc::new(Semaphore::new(limits::CALLS));
    while let Ok(place) = calls.clone().acquire_owned().await {
        let mut together = Vec::new();
        if asked.recv_many(&mut together, limits::TOGETHER).await == 0 {
            return;
        }
        let (changes, askers): (Vec<_>, Vec<_>) = together.into_iter().unzip();
        let call = client.call(&BOARDS, Changes(changes));
        tokio::spawn(async move {
            // After an error, the senders are dropped, which refuses the changes.
            let answers = call.await.unwrap_or_default();
            for (asker, answer) in askers.into_iter().zip(answers) {
                // The handler may be gone, because its client has left.
                let _ = asker.send(answer);
            }
            drop(place);
        });
    }
}

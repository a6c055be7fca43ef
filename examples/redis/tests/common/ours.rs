//! The server as a library, without a VM.

use std::ops::Range;

use redis::client::{Client, Next};
use redis::resp::Replies;
use redis::server::Server;

/// A server in the test's own process, and its client.
#[derive(Default)]
pub struct Ours {
    pub server: Server,
    client: Client,
    ranges: Vec<Range<usize>>,
}

impl Ours {
    pub fn reply(&mut self, request: &[u8]) -> Vec<u8> {
        let mut replies = Replies::default();
        let Ours {
            server,
            client,
            ranges,
        } = self;
        let (mut done, mut next) = client.answer(server, request, ranges, &mut replies);
        if next == Next::Alone {
            (done, next) = client.answer_alone(server, request, ranges, &mut replies);
        }
        assert_eq!(done, request.len());
        if next == Next::Waits {
            // There is no other client that could end the waiting.
            client.waits = None;
            return client.nothing();
        }
        replies.bytes
    }
}

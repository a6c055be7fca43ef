//! The frames of a WebSocket (RFC 6455), as far as the server has to know where one ends.

use crate::phase::Phase;

/// The first byte of a close frame, and the mask of its opcode.
const CLOSE: u8 = 0x88;
const OPCODE: u8 = 0x0F;
/// The bit of the second byte that announces a masking key.
const IS_MASKED: u8 = 0x80;

/// The position in a stream of frames.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    head: Vec<u8>,
    /// The bytes of the payload that are still to come.
    payload: u64,
    is_closed: bool,
}

/// Returns the number of bytes of a head, as far as its beginning tells.
fn length_of_head(head: &[u8]) -> usize {
    let Some(second) = head.get(1) else { return 2 };
    let length = match second & !IS_MASKED {
        126 => 4,
        127 => 10,
        _ => 2,
    };
    length + if second & IS_MASKED == 0 { 0 } else { 4 }
}

fn payload(head: &[u8]) -> u64 {
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0, |number, byte| number << 8 | u64::from(*byte))
    };
    match head[1] & !IS_MASKED {
        126 => number(&head[2..4]),
        127 => number(&head[2..10]),
        short => u64::from(short),
    }
}

impl Frames {
    /// Adds bytes of the stream.
    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (is_head, left) = match self.payload {
                0 => (true, length_of_head(&self.head) - self.head.len()),
                some => (false, usize::try_from(some).unwrap_or(usize::MAX)),
            };
            let (part, rest) = bytes.split_at(left.min(bytes.len()));
            bytes = rest;
            if !is_head {
                self.payload -= part.len() as u64;
                continue;
            }
            self.head.extend_from_slice(part);
            if self.head.len() == length_of_head(&self.head) {
                self.payload = payload(&self.head);
                self.is_closed |= self.head[0] & OPCODE == CLOSE & OPCODE;
                self.head.clear();
            }
        }
    }

    /// Returns the number of bytes until the present frame, or its head, is complete. It is 0
    /// between two frames.
    pub(crate) fn left(&self) -> usize {
        match (self.payload, self.head.len()) {
            (0, 0) => 0,
            (0, count) => length_of_head(&self.head) - count,
            (some, _) => usize::try_from(some).unwrap_or(usize::MAX),
        }
    }

    /// Returns whether there was a close frame.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// Returns the close frame of a server that stops. A client masks its frames.
pub(crate) fn close_frame(phase: Phase, of_client: bool) -> Vec<u8> {
    let (code, reason): (u16, &[u8]) = match phase {
        Phase::HandsOver => (1012, b"service restart"),
        Phase::Serves | Phase::Stops => (1001, b"going away"),
    };
    let length = (2 + reason.len()) as u8;
    let mut frame = vec![CLOSE, length];
    if of_client {
        frame[1] |= IS_MASKED;
        // With this key, the payload stays as it is.
        frame.extend([0; 4]);
    }
    frame.extend(code.to_be_bytes());
    frame.extend(reason);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of all three lengths, with and without a mask.
    fn stream() -> (Vec<u8>, Vec<usize>) {
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for length in [0_usize, 5, 125, 126, 65_535, 65_536] {
            for mask in [0, IS_MASKED] {
                bytes.push(0x81);
                match length {
                    0..126 => bytes.push(mask | length as u8),
                    126..65_536 => {
                        bytes.push(mask | 126);
                        bytes.extend((length as u16).to_be_bytes());
                    }
                    _ => {
                        bytes.push(mask | 127);
                        bytes.extend((length as u64).to_be_bytes());
                    }
                }
                bytes.extend(vec![1; if mask == 0 { 0 } else { 4 }]);
                bytes.extend(vec![2; length]);
                ends.push(bytes.len());
            }
        }
        (bytes, ends)
    }

    #[test]
    fn ends_of_frames_are_found_in_pieces_of_any_length() {
        let (bytes, ends) = stream();
        for size in [1, 2, 3, 7, 1000, bytes.len()] {
            let mut frames = Frames::default();
            let mut at = 0;
            for piece in bytes.chunks(size) {
                assert_eq!(frames.left() == 0, ends.contains(&at), "{size} {at}");
                frames.add(piece);
                at += piece.len();
            }
            assert!(frames.left() == 0 && !frames.is_closed());
            frames.add(&close_frame(Phase::HandsOver, size == 1));
            assert!(frames.left() == 0 && frames.is_closed());
        }
    }

    #[test]
    fn what_is_left_never_exceeds_the_frame() {
        let (bytes, ends) = stream();
        let (mut frames, mut at) = (Frames::default(), 0);
        while at < bytes.len() {
            let next = ends.iter().find(|end| **end > at).expect("an end");
            let left = frames.left().max(1);
            assert!(at + left <= *next, "{at}");
            frames.add(&bytes[at..at + left]);
            at += left;
        }
        assert_eq!(frames.left(), 0);
    }

    #[test]
    fn a_restart_and_a_stop_have_different_codes() {
        let of_restart = close_frame(Phase::HandsOver, false);
        assert_eq!(of_restart[..4], [0x88, 17, 0x03, 0xF4]);
        let of_stop = close_frame(Phase::Stops, true);
        assert_eq!(of_stop[..8], [0x88, 0x8C, 0, 0, 0, 0, 0x03, 0xE9]);
    }
}

//! Echoes texts: a module for a behaviour whose state is an ordinary argument
//! (`erlang/channel.erl`).
use otp_bridge::{Atom, Binary, Cx, Result, Term, atom, behaviour};

use crate::generated::channel::{Channel, Close, Frame, OkOrRefused, Open, TextOrPing};

/// Empty: no process has a state of this type.
#[derive(Debug)]
pub struct Echo;

/// `{seen, Texts}`: the state that one callback returns and the next one gets.
#[derive(Debug, Term)]
pub struct Seen(pub u64);

#[behaviour(crate::generated::channel)]
impl Channel for Echo {
    type State = Seen;

    fn open(request: Binary, _options: Term) -> Open {
        if request.is_empty() {
            return Open::Pair(OkOrRefused::Refused, Term::of(&atom!("empty")));
        }
        Open::Pair(OkOrRefused::Ok, Term::of(&Seen(0)))
    }

    async fn frame(frame: TextOrPing, Seen(texts): Seen, cx: &Cx<'_>) -> Result<Frame> {
        Ok(match frame {
            TextOrPing::Text(text) => {
                let texts = cx.apply("erlang", "+", (texts, 1_u64)).await?;
                Frame::Reply(text, Term::of(&Seen(texts)))
            }
            TextOrPing::Ping => Frame::Ok(Term::of(&Seen(texts))),
        })
    }

    fn close(_reason: Atom, _seen: Seen) -> Close {
        Close::Ok
    }
}

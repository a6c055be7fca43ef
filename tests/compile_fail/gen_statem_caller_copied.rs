//! A caller without a type gets one reply, too.
use otp_bridge::gen_statem::ExternalEventType;

fn twice(event: &ExternalEventType) -> ExternalEventType {
    event.clone()
}

fn main() {}

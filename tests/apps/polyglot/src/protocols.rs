//! Implementations of Elixir protocols, for a struct and for tuples.

/// Returns an item as text.
#[otp_bridge::module(protocol = "String.Chars", for = "Shop.Item")]
pub mod item_as_text {
    use crate::generated::item::Item;

    /// `tea for 200`
    pub fn to_string(item: &Item) -> String {
        format!("{} for {}", String::from_utf8_lossy(&item.name), item.price)
    }
}

/// Returns the weight of a packet.
#[otp_bridge::module(protocol = "Shop.Weighed", for = "Tuple")]
pub mod weight_of_packet {
    /// A packet has `pieces` pieces of `grams` each.
    pub fn weigh((pieces, grams): (u64, u64), packing: u64) -> u64 {
        pieces * grams + packing
    }
}

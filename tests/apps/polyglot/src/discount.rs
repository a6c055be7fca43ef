//! A discount in percent: a module for a behaviour that is defined in Elixir (`elixir/shop.ex`).
use std::num::NonZeroU64;

use otp_bridge::{atom, behaviour};

use crate::generated::item::Item;
use crate::generated::pricing::{FetchBang, Init, Price, Pricing};

/// The percentage, and how often it was applied.
#[derive(Debug)]
pub struct Discount {
    percentage: u64,
    priced: u64,
}

#[behaviour(crate::generated::pricing)]
impl Pricing for Discount {
    fn init(percentage: u64) -> Init<Self> {
        if percentage > 100 {
            return Init::Error(atom!("too_much"));
        }
        Init::Ok(Discount {
            percentage,
            priced: 0,
        })
    }

    fn price(&mut self, item: Item) -> Price {
        if item.name.is_empty() {
            return Price::Unknown;
        }
        self.priced += 1;
        Price::Ok(Item {
            price: item.price * (100 - self.percentage) / 100,
            note: "reduced".into(),
            ..item
        })
    }

    fn sold(&self, item: Item) -> bool {
        !item.on_sale
    }

    fn fetch_bang(&self) -> FetchBang {
        match NonZeroU64::new(self.priced) {
            Some(priced) => FetchBang::PosInteger(priced),
            None => FetchBang::Nil,
        }
    }
}

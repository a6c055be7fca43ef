//! A table whose values have another form in the third build.
use otp_bridge::gen_server::prelude::*;
use otp_bridge::{Table, atom};

/// The hours of each crew. The first crew owns the table.
pub static HOURS: Table<u16, Hours> = Table::new(atom!("hours"));

/// How many, in other builds than the third.
#[cfg(not(build = "3"))]
pub type Hours = u64;

/// How many, and whether they are paid.
#[cfg(build = "3")]
#[derive(Debug, Clone, Term)]
pub struct Hours {
    hours: u64,
    paid: bool,
}

#[cfg(not(build = "3"))]
fn one_more(hours: Option<Hours>) -> Hours {
    hours.unwrap_or(0) + 1
}

#[cfg(build = "3")]
fn one_more(hours: Option<Hours>) -> Hours {
    let hours = hours.map_or(0, |it| it.hours) + 1;
    Hours { hours, paid: true }
}

/// Rows of other builds become those of this one.
#[cfg(build = "3")]
async fn convert(cx: &Cx<'_>) -> Result<u64> {
    let convert = |&hours: &u64| Hours { hours, paid: false };
    HOURS.convert(cx, convert).await
}

#[cfg(not(build = "3"))]
async fn convert(_: &Cx<'_>) -> Result<u64> {
    Ok(0)
}

async fn look(number: u16, cx: &Cx<'_>) -> String {
    match HOURS.get(cx, &number).await {
        Ok(hours) => format!("{hours:?}"),
        Err(exit) => exit.reason().to_string().chars().take(9).collect(),
    }
}

/// A crew works for an hour: what it finds in the table, how many rows it has to convert, and what
/// is there afterwards.
///
/// # Errors
/// Those of the table.
pub async fn work(number: u16, cx: &Cx<'_>) -> Result<(String, u64, String)> {
    let before = look(number, cx).await;
    let converted = convert(cx).await?;
    let hours = one_more(HOURS.get(cx, &number).await?);
    HOURS.insert(cx, &number, &hours).await?;
    Ok((before, converted, look(number, cx).await))
}

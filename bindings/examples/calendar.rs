use otp_bindings::calendar;
use otp_bridge::{Cx, Result};

/// Dates and times are tuples, as in Erlang.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    assert_eq!(calendar::day_of_the_week(cx, (2024, 2, 29)).await?, 4);
    assert!(calendar::is_leap_year(cx, 2024).await?);
    let noon = ((2024, 2, 29), (12, 0, 0));
    let seconds = calendar::datetime_to_gregorian_seconds(cx, noon).await?;
    let later = calendar::gregorian_seconds_to_datetime(cx, seconds + 86_400).await?;
    assert_eq!(later, ((2024, 3, 1), (12, 0, 0)).into());
    Ok(())
}

use otp_bindings::maps;
use otp_bridge::{Cx, Result, list};

/// Maps whose keys and values are any terms.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let map = maps::from_list(cx, list![("one", 1), ("two", 2)]).await?;
    let map = maps::put(cx, "three", 3, map).await?;
    assert_eq!(maps::size(cx, map.clone()).await?, 3);
    let two: u8 = maps::get(cx, "two", map.clone()).decode().await?;
    assert_eq!(two, 2);
    assert!(!maps::is_key(cx, "four", map).await?);
    Ok(())
}

use otp_bindings::lists;
use otp_bridge::{Cx, Result, list};

/// What Rust's own vectors have, Rust does faster; these are Erlang's, for lists that are terms.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    assert_eq!(lists::sort(cx, vec![3, 1, 2]).await?, [1, 2, 3]);
    assert_eq!(lists::last(cx, [1, 2, 3]).await?, 3);
    let pairs = list![("one", 1), ("two", 2)];
    let found: (String, u8) = lists::keyfind(cx, "two", 1, pairs).decode().await?;
    assert_eq!(found, ("two".to_owned(), 2));
    Ok(())
}

use otp_bindings::atoms::{keypos, ordered_set, public};
use otp_bindings::ets;
use otp_bridge::{Cx, Result, Term, atom, list};

/// `{Name, Age}`
#[derive(Debug, PartialEq, Term)]
#[term(tuple)]
struct Person {
    name: String,
    age: u8,
}

/// A table whose rows are a type of one's own.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let options = list![ordered_set, public, (keypos, 1)];
    let people = ets::new(cx, atom!("people"), options).await?;
    ets::insert(cx, people.clone(), list![("Ada", 36), ("Alan", 41)]).await?;
    let found: Vec<Person> = ets::lookup(cx, people.clone(), "Ada").decode().await?;
    let ada = Person {
        name: "Ada".to_owned(),
        age: 36,
    };
    assert_eq!(found, [ada]);
    let older = ets::update_counter_incr(cx, people.clone(), "Alan", 1).await?;
    assert_eq!(older, 42.into());
    let all: Vec<Person> = ets::tab2list(cx, people.clone()).decode().await?;
    assert_eq!(all.len(), 2);
    ets::delete(cx, people).await?;
    Ok(())
}

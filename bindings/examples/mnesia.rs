use otp_bindings::atoms::attributes;
use otp_bindings::mnesia::{self, TResult};
use otp_bridge::{Cx, Result, Term, atom, list};

/// `{person, Name, Age}`
#[derive(Debug, PartialEq, Term)]
#[term(record)]
struct Person {
    name: String,
    age: u8,
}

/// A table in memory, whose rows are a type of one's own.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    mnesia::start(cx).await??;
    let person = atom!("person");
    let options = list![(attributes, [atom!("name"), atom!("age")])];
    let created = mnesia::create_table_with_name_and_options(cx, person.clone(), options).await?;
    assert!(matches!(created, TResult::Atomic(_)), "{created:?}");
    mnesia::dirty_write(cx, (person.clone(), "Ada", 36)).await?;
    let found: Vec<Person> = mnesia::dirty_read(cx, (person, "Ada")).decode().await?;
    let ada = Person {
        name: "Ada".to_owned(),
        age: 36,
    };
    assert_eq!(found, [ada]);
    mnesia::stop(cx).await?;
    Ok(())
}

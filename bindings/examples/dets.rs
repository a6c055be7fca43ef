use otp_bindings::atoms::{keypos, ram_file, set, type_};
use otp_bindings::{dets, file};
use otp_bridge::term::{ErlangString, Tuple};
use otp_bridge::{Cx, Result, Term, atom, list};

/// `{Name, Age}`
#[derive(Debug, PartialEq, Term)]
#[term(tuple)]
struct Person {
    name: String,
    age: u8,
}

/// Rows are written into a file, and are there when it is opened again.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let path = std::env::temp_dir().join(format!("people.{}.dets", std::process::id()));
    let path = ErlangString::from(path.to_string_lossy().into_owned());
    let people = atom!("people");
    let options = list![(otp_bindings::atoms::file, path.clone()), (type_, set), (keypos, 1)];
    dets::open_file_with_name_and_args(cx, people.clone(), options).await??;
    dets::insert(cx, people.clone(), list![("Ada", 36), ("Alan", 41)]).await??;
    dets::insert(cx, people.clone(), ("Alan", 42)).await??;
    dets::close(cx, people.clone()).await??;
    let options = list![(otp_bindings::atoms::file, path.clone()), (ram_file, false)];
    dets::open_file_with_name_and_args(cx, people.clone(), options).await??;
    let found: Vec<Person> = dets::lookup(cx, people.clone(), "Alan").decode().await?;
    let alan = Person {
        name: "Alan".to_owned(),
        age: 42,
    };
    assert_eq!(found, [alan]);
    let absent = dets::lookup(cx, people.clone(), "Grace").await?;
    assert_eq!(absent, dets::ObjectsOrError::Objects(Vec::<Tuple>::new()));
    let is_member = dets::member(cx, people.clone(), "Ada").await?;
    assert_eq!(is_member, true.into());
    dets::close(cx, people).await??;
    file::delete(cx, path).await??;
    Ok(())
}

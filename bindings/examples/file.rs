use otp_bindings::atoms::append;
use otp_bindings::file::{self, Posix};
use otp_bindings::os;
use otp_bridge::{Cx, Result, list};

/// Writes a file, appends to it, reads it, and lists its folder.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let folder = format!("/tmp/otp_bindings_file_{}", &*os::getpid(cx).await?);
    let path = format!("{folder}/notes.txt");
    file::make_dir(cx, folder.clone()).await??;
    file::write_file(cx, path.clone(), "one line\n").await??;
    file::write_file_with_modes(cx, path.clone(), "and more\n", list![append]).await??;
    let contents = file::read_file(cx, path.clone()).await??;
    assert_eq!(&contents[..], b"one line\nand more\n");
    let names = file::list_dir(cx, folder.clone()).await??;
    assert_eq!(names, ["notes.txt".into()]);
    file::del_dir_r(cx, folder).await??;
    let missing = file::read_file(cx, path).await?;
    assert_eq!(missing, Err(Posix::Enoent.into()));
    Ok(())
}

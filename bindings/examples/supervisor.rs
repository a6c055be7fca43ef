use otp_bindings::supervisor::{self, CountChildrenCount};
use otp_bridge::{Cx, Result, atom};

/// Looks at a supervisor by its name, here that of the application `kernel`. For supervisors that
/// are written in Rust there are `cx.start_child` and others, which know the type of the children.
pub async fn example(cx: &Cx<'_>) -> Result<()> {
    let children = supervisor::which_children(cx, atom!("kernel_sup")).await?;
    let counted = supervisor::count_children(cx, atom!("kernel_sup")).await?;
    let specs = CountChildrenCount::Specs(children.len() as u64);
    assert!(counted.contains(&specs), "{counted:?}");
    Ok(())
}

//! Binaries that are not copied, and memory that the VM sees, for the live tests.
#![forbid(unsafe_code)]

pub mod borrowed;
pub mod cellar;
pub mod stroot;

#[global_allocator]
static ALLOCATOR: otp_bridge::VmAllocator = otp_bridge::VmAllocator;

otp_bridge::application!();

//! A seed stands for one schedule.

use otp_bridge::testing::Explore;

use crate::bank::transfers;

#[test]
fn each_failing_schedule_fails_again_from_its_seed() {
    let mut next = 0;
    for _ in 0..1_000 {
        let explore = Explore::new().schedules(u64::MAX).seed(next);
        let failing = explore.run(async |cx| transfers(cx, true).await);
        let failing = failing.expect_err("money is lost");
        let seed = failing.seed().expect("a random schedule has one");
        let again = Explore::new().schedules(1).seed(seed);
        let again = again.run(async |cx| transfers(cx, true).await);
        let again = again.expect_err("it fails again");
        assert_eq!(
            again.to_string(),
            failing.to_string().replace(
                &format!("schedule {} fails", failing.schedules()),
                "schedule 1 fails",
            )
        );
        next = seed + 1;
    }
}

//! The time that a thread has spent on a CPU. Unlike the time of a clock it does not grow while other programs have the
//! CPU, so it tells what a count costs on a busy machine, too.

use std::time::Duration;

/// What the calling thread has spent so far.
#[cfg(unix)]
pub fn of_this_thread() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Here the system is not asked: it is the time since the first call.
#[cfg(not(unix))]
pub fn of_this_thread() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn it_grows_while_the_thread_works() {
        let (start, before) = (Instant::now(), of_this_thread());
        while of_this_thread() < before + Duration::from_millis(20) {}
        assert!(start.elapsed() >= Duration::from_millis(19), "{:?}", start.elapsed());
    }

    #[cfg(unix)]
    #[test]
    fn it_stands_still_while_the_thread_sleeps() {
        let before = of_this_thread();
        std::thread::sleep(Duration::from_millis(500));
        assert!(of_this_thread() - before < Duration::from_millis(250));
    }
}

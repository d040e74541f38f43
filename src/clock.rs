//! The time that a thread spends on its work.

use std::time::{Duration, Instant};

/// Returns the CPU time of the calling thread. It does not grow while the thread waits, while the
/// process is suspended, or while other programs use the CPU.
#[cfg(all(unix, not(miri)))]
pub(crate) fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the time since the first call, because this platform has no suitable clock.
#[cfg(any(not(unix), miri))]
pub(crate) fn thread_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

/// Returns the CPU time of all threads of this process, or `None` if this platform has no suitable
/// clock.
#[cfg(feature = "cli")]
pub(crate) fn process_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }
    #[cfg(not(unix))]
    None
}

/// Measures the time that the calling thread spends on a task.
pub(crate) struct TaskClock {
    start: Instant,
    thread_time: Duration,
}

impl TaskClock {
    pub(crate) fn start() -> Self {
        Self {
            start: Instant::now(),
            thread_time: thread_time(),
        }
    }

    /// Returns the CPU time since the start, or the elapsed time if a device did the work: a thread
    /// that waits for a device uses no CPU time.
    pub(crate) fn read(&self, on_device: bool) -> Duration {
        if on_device {
            self.start.elapsed()
        } else {
            thread_time().saturating_sub(self.thread_time)
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_device_time_includes_waiting() {
        let clock = TaskClock::start();
        std::thread::sleep(Duration::from_millis(500));
        assert!(clock.read(true) >= Duration::from_millis(500));
        assert!(clock.read(false) < Duration::from_millis(250));
        while clock.read(false) < Duration::from_millis(20) {}
    }
}

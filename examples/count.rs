//! Counts with progress and a time limit: `cargo run --release --example count -- 20 60` counts N =
//! 20, prints the completed fraction, and gives up after 60 seconds.

use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use queencount::{BoardSize, CancelToken, CountError, Counter, EngineChoice, EngineError, Task};

/// Adds the work of a task to the completed fraction, and prints it in steps of a tenth.
fn show(done: &Mutex<f64>, task: &Task) {
    let mut done = done.lock().expect("nobody panics with the lock");
    let before = *done;
    *done += task.work;
    let tenths = |done: f64| (10.0 * done) as u32;
    if tenths(before) < tenths(*done) {
        eprintln!("{} %", 10 * tenths(*done));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let n: u32 = arguments.next().map_or(Ok(12), |n| n.parse())?;
    let patience: u64 = arguments.next().map_or(Ok(60), |seconds| seconds.parse())?;

    let done = Mutex::new(0.0);
    let stop = CancelToken::new();
    // This is called after each task, on the threads that count, so it should return soon.
    let progress = |task: &Task| show(&done, task);
    let engine = EngineChoice::Auto.engine(BoardSize::new(n)?);
    let start = Instant::now();
    let counter = Counter::new().on_task(&progress).stop(&stop);
    let result = thread::scope(|scope| {
        let stop = &stop;
        let (sender, finished) = mpsc::channel::<()>();
        scope.spawn(move || {
            // This wait ends when time is up, or when the count ends, which drops the sender.
            if finished.recv_timeout(Duration::from_secs(patience))
                == Err(mpsc::RecvTimeoutError::Timeout)
            {
                stop.cancel();
            }
        });
        let result = counter.count(engine.as_ref());
        drop(sender);
        result
    });
    match result {
        Ok(count) => println!(
            "{n} queens: {count} solutions in {:?}, by {}",
            start.elapsed(),
            engine.name()
        ),
        Err(CountError::Engine(EngineError::Cancelled)) => {
            println!("{n} queens: not counted within {patience} seconds")
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

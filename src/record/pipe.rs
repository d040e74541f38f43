//! Reading from pipes. Opening a pipe waits for its writer, and reading waits for data, possibly
//! for ever, so another thread does both, and waiting for that thread can be cancelled.

use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::cancel::CancelToken;

const BETWEEN_CHECKS: Duration = Duration::from_millis(10);

const PIECE: usize = 1 << 16;

/// A pipe, read from its beginning. If reading is cancelled, it fails, and the other thread ends
/// when it next receives data.
pub(super) struct Pipe<'a> {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Cursor<Vec<u8>>,
    stop: &'a CancelToken,
}

impl<'a> Pipe<'a> {
    /// Starts to read a pipe, which the other thread opens.
    pub(super) fn new<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        stop: &'a CancelToken,
    ) -> io::Result<Self> {
        let (sender, pieces) = sync_channel(1);
        thread::Builder::new()
            .name("pipe".to_owned())
            .spawn(move || {
                if let Err(error) = open().and_then(|pipe| send(pipe, &sender)) {
                    let _ = sender.send(Err(error));
                }
            })?;
        Ok(Self {
            pieces,
            piece: Cursor::default(),
            stop,
        })
    }
}

/// Sends the content of a pipe until its end, or until nobody receives it.
fn send(mut pipe: impl Read, pieces: &SyncSender<io::Result<Vec<u8>>>) -> io::Result<()> {
    loop {
        let mut piece = vec![0; PIECE];
        match pipe.read(&mut piece) {
            Ok(length) => piece.truncate(length),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        }
        if piece.is_empty() || pieces.send(Ok(piece)).is_err() {
            return Ok(());
        }
    }
}

impl Read for Pipe<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let bytes = self.piece.read(buffer)?;
            if bytes > 0 || buffer.is_empty() {
                return Ok(bytes);
            }
            match self.pieces.recv_timeout(BETWEEN_CHECKS) {
                Ok(piece) => self.piece = Cursor::new(piece?),
                Err(RecvTimeoutError::Timeout) => self.stop.check().map_err(io::Error::other)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

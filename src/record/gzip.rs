//! Decompression of gzip files as `gunzip` reads them: several members may follow each other, and
//! tapes and object stores pad files with zeros.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Reads the content of all members. Zeros behind a member are skipped.
pub(super) struct Gunzip<R> {
    /// `None` at the end of the file.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Gunzip<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            member: Some(GzDecoder::new(source)),
        }
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let bytes = member.read(buffer)?;
            if bytes > 0 || buffer.is_empty() {
                return Ok(bytes);
            }
            let is_last = skip_zeros(member.get_mut())?;
            let source = self.member.take().map(GzDecoder::into_inner);
            self.member = source.filter(|_| !is_last).map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// Skips zeros. Returns whether nothing follows them.
fn skip_zeros(source: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = source.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        let length = bytes.len();
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        source.consume(zeros);
        if zeros < length {
            return Ok(false);
        }
    }
}

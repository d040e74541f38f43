//! Bins: how diagonals tell half-boards apart that are sorted.

/// The bins of a sort.
#[derive(Clone, Debug, Default)]
pub struct Bins {
    /// The places of the diagonals that tell bins apart.
    pub places: u64,
    /// The bin that the bits of a word at these places mean.
    pub bins: Vec<u16>,
}

impl Bins {
    /// Tells bins apart by the diagonals at some places: the first is the lowest bit of the number of a bin.
    pub fn tell_apart(&mut self, places: impl Iterator<Item = u32> + Clone) {
        self.places = places.clone().fold(0, |all, place| all | 1 << place);
        // Extracted bits lie in the order of their places.
        let mut bits: [u16; 64] = [0; 64];
        for (bit, place) in places.enumerate() {
            bits[(self.places & ((1 << place) - 1)).count_ones() as usize] = 1 << bit;
        }
        self.bins.clear();
        self.bins.push(0);
        for bit in &bits[..self.places.count_ones() as usize] {
            self.bins.extend_from_within(..);
            let half = self.bins.len() / 2;
            self.bins[half..].iter_mut().for_each(|bin| *bin |= bit);
        }
    }
}

//! Every combination of values beside the price, and what each is worth over the price.

use super::{Line, Row, Utility};
use crate::offer::INLINE;
use crate::outcome::{Offer, OutcomeSpace};
use smallvec::SmallVec;

impl Utility {
    /// Shows `visit` every combination of values beside the price, in rank order, as the value indices of an offer, with its line over
    /// the price. `terms` says which price the offers have.
    pub(crate) fn each_line(&self, space: &OutcomeSpace, terms: &Offer, mut visit: impl FnMut(&[u32], Line)) {
        let Some(term) = &self.price else { return };
        let (price, lens) = (term.issue(), space.lens());
        let moving: SmallVec<[usize; INLINE]> = (0..lens.len()).filter(|&position| position != price).collect();
        // Where the price is all there is there is one combination, which any of its values stands for.
        let (fastest, slower) = moving.split_last().map_or((price, &[][..]), |(&last, others)| (last, others));
        let mut indices: SmallVec<[u32; INLINE]> = terms.indices().into();
        let indices = &mut indices[..];
        moving.iter().for_each(|&position| indices[position] = 0);
        let first = indices[fastest];
        let (tables, rows) = (&self.tables[..], &self.rows[..]);
        let Row { start, last } = rows[fastest];
        let table = &tables[start as usize..][..last as usize + 1];
        // Whatever comes after is the price, whose row is a zero; adding minus zero changes nothing.
        let after = if fastest + 1 < lens.len() { 0.0 } else { -0.0 };
        // What the constant and the rows in front of each issue add up to, in the order in which an outcome is valued.
        let mut sums: SmallVec<[f64; INLINE + 1]> = SmallVec::from_elem(self.constant, fastest + 1);
        let sums = &mut sums[..];
        let mut moved = 0;
        loop {
            let mut sum = sums[moved];
            for position in moved..fastest {
                let row = rows[position];
                sum += tables[(row.start + indices[position].min(row.last)) as usize];
                sums[position + 1] = sum;
            }
            let fixed = self.slope(term, indices);
            for (index, entry) in (first..).zip(table) {
                let slope = if term.payment == Some(fastest as u32) {
                    term.sign * tables[self.factors as usize + index as usize]
                } else {
                    fixed
                };
                indices[fastest] = index;
                visit(indices, Line { rest: sum + entry + after, slope });
            }
            let Some(next) = slower.iter().rposition(|&position| indices[position] + 1 < lens[position]) else {
                return;
            };
            moved = slower[next];
            indices[moved] += 1;
            slower[next + 1..].iter().for_each(|&position| indices[position] = 0);
        }
    }
}

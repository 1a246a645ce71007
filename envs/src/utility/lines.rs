//! Every combination of values beside the price, and what each is worth over the price.

use super::{Line, Row, Utility};
use crate::offer::INLINE;
use crate::outcome::{Offer, OutcomeSpace};
use smallvec::{SmallVec, smallvec};

/// The most combinations of the last issues that are looked at together.
const BLOCK: usize = 32;

impl Utility {
    /// Shows `visit` every combination of values beside the price, in rank order, as the value indices of an offer, with its line over
    /// the price. `terms` says which price the offers have.
    ///
    /// Combinations that differ in the last issues alone, where those are neither price nor payment, come in blocks: before each,
    /// `enters` gets the line of all other issues and what the last ones add to it, in any order and but for rounding, and says whether
    /// the block is to be shown.
    pub(crate) fn each_line(
        &self,
        space: &OutcomeSpace,
        terms: &Offer,
        mut enters: impl FnMut(Line, &[f64]) -> bool,
        mut visit: impl FnMut(&[u32], Line),
    ) {
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
        let Row { start, last, .. } = rows[fastest];
        let table = &tables[start as usize..][..last as usize + 1];
        // Whatever comes after is the price, whose row is a zero; adding minus zero changes nothing.
        let after = if fastest + 1 < lens.len() { 0.0 } else { -0.0 };
        let block = self.block(lens, term.financing.map_or(price, |financing| price.max(financing.issue())) + 1);
        let added = self.added(block..lens.len());
        let leading = &slower[..moving.len().saturating_sub((lens.len() - block).max(1))];
        // What the constant and the rows in front of each issue add up to, in the order in which an outcome is valued.
        let mut sums: SmallVec<[f64; INLINE + 1]> = SmallVec::from_elem(self.constant, fastest + 1);
        let sums = &mut sums[..];
        let mut moved = 0;
        loop {
            let add = |sums: &mut [f64], indices: &[u32], positions: std::ops::Range<usize>| {
                let mut sum = sums[positions.start];
                for position in positions {
                    let row = rows[position];
                    sum += tables[(row.start + indices[position].min(row.last)) as usize];
                    sums[position + 1] = sum;
                }
            };
            let mut shown = true;
            if moved < block && block < lens.len() {
                add(sums, indices, moved..block);
                moved = block;
                shown = enters(Line { rest: sums[block], slope: term.slope(indices) }, &added);
            }
            if shown {
                add(sums, indices, moved..fastest);
                let (sum, fixed) = (sums[fastest], term.slope(indices));
                for (index, entry) in (first..).zip(table) {
                    let slope = match &term.financing {
                        Some(financing) if financing.issue() == fastest => term.sign * financing.factor(index),
                        _ => fixed,
                    };
                    indices[fastest] = index;
                    visit(indices, Line { rest: sum + entry + after, slope });
                }
            }
            let going_on = if shown { slower } else { leading };
            let Some(next) = going_on.iter().rposition(|&position| indices[position] + 1 < lens[position]) else {
                return;
            };
            moved = slower[next];
            indices[moved] += 1;
            slower[next + 1..].iter().for_each(|&position| indices[position] = 0);
        }
    }

    /// The first of the last issues, from issue `from` on, that have at most [`BLOCK`] combinations.
    fn block(&self, lens: &[u32], from: usize) -> usize {
        let (mut block, mut combinations) = (lens.len(), 1);
        while block > from && combinations * lens[block - 1] as usize <= BLOCK {
            block -= 1;
            combinations *= lens[block] as usize;
        }
        block
    }

    /// What every combination of `issues` adds.
    fn added(&self, issues: std::ops::Range<usize>) -> SmallVec<[f64; BLOCK]> {
        let mut added: SmallVec<[f64; BLOCK]> = smallvec![0.0];
        for issue in issues {
            let Some((first, others)) = self.table(issue).split_first() else { continue };
            let before = added.len();
            for entry in others {
                for place in 0..before {
                    added.push(added[place] + entry);
                }
            }
            added[..before].iter_mut().for_each(|sum| *sum += first);
        }
        added
    }
}

//! Every combination of values beside the price, and what each is worth over the price.

use super::{Line, Row, Utility};
use crate::outcome::{Offer, OutcomeSpace};
use smallvec::SmallVec;

impl Utility {
    /// Shows `visit` every combination of values beside the price, in rank order, with its line over the price: the last issue that
    /// moves, its value, and an offer of the other values. `terms` says which price the offers have.
    pub(crate) fn each_line(
        &self,
        space: &OutcomeSpace,
        mut terms: Offer,
        mut visit: impl FnMut(&Offer, usize, u32, Line),
    ) {
        let Some(term) = &self.price else { return };
        let (price, lens) = (term.issue(), space.lens());
        let moving: SmallVec<[usize; 8]> = (0..lens.len()).filter(|&position| position != price).collect();
        moving.iter().for_each(|&position| terms.set(position, 0));
        let Some((&fastest, slower)) = moving.split_last() else {
            // The price is all there is: there is one combination, which any of its values stands for.
            return visit(&terms, price, terms.get(price), self.line_of(&terms));
        };
        let Row { start, last } = self.rows[fastest];
        let table = &self.tables[start as usize..][..last as usize + 1];
        let after = lens.len() - 1 - fastest;
        loop {
            let sum = self.without_price(&terms.indices()[..fastest]);
            let fixed = self.slope(term, terms.indices());
            for (index, entry) in (0_u32..).zip(table) {
                let slope = if term.payment == Some(fastest as u32) {
                    term.sign * self.tables[self.factors as usize + index as usize]
                } else {
                    fixed
                };
                // Whatever comes after is the price, whose row is a zero.
                let rest = (0..after).fold(sum + entry, |rest, _| rest + 0.0);
                visit(&terms, fastest, index, Line { rest, slope });
            }
            let Some(next) = slower.iter().rposition(|&position| terms.get(position) + 1 < lens[position]) else {
                return;
            };
            terms.set(slower[next], terms.get(slower[next]) + 1);
            slower[next + 1..].iter().for_each(|&position| terms.set(position, 0));
        }
    }
}

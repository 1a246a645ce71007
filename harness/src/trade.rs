//! Plays `bilateral-trade-v1`: pairs of bidders under the sealed-bid protocol, measured against what theory allows.

use crate::failure::Failure;
use serde::Serialize;
use zopa_agents::Bidder;
use zopa_envs::{BidView, SealedBid, Seat};
use zopa_scenarios::bilateral_trade::{K, TradePrior};

/// Types and opposing prices in the search for a better answer; its error falls with their number.
const SEARCHED: u64 = 500;

/// What a pair of bidders made of one prior. Gains are in units of value, a mean over all pairs drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TradeRow {
    /// The prior's name.
    pub prior: &'static str,
    /// Who bids.
    pub buyer: &'static str,
    /// Who asks.
    pub supplier: &'static str,
    /// Pairs of a value and a cost that were drawn.
    pub pairs: u64,
    /// Share of them that trade.
    pub trade_rate: f64,
    /// Gains of buyer and supplier.
    pub gains: [f64; 2],
    /// Their sum as a share of the first best of the same draws: trade wherever value exceeds cost.
    pub share_of_first_best: f64,
    /// Their sum as a share of the second best in expectation. A reference line, no ceiling: bidders that are not in
    /// equilibrium can pass it.
    pub share_of_second_best: f64,
    /// What buyer and supplier could gain at least by another price for each of their types, the other side's strategy given:
    /// 0 in equilibrium up to the search's sampling error.
    pub exploitability: [f64; 2],
}

impl TradeRow {
    /// Plays `pairs` seeded pairs of `prior`.
    ///
    /// # Errors
    /// A price that is no number.
    pub fn play(prior: &TradePrior, [buyer, supplier]: [Bidder; 2], seed: u64, pairs: u64) -> Result<Self, Failure> {
        let draws = prior.draws(seed);
        let price = |bidder: Bidder, seat, value| bidder.price(&BidView { seat, value, prior: draws.prior(), k: K });
        let (mut trades, mut gains, mut first_best) = (0_u64, [0.0; 2], 0.0);
        for index in 0..pairs {
            let [value, cost] = draws.pair(index);
            let mut auction = SealedBid::new(K).map_err(Failure::input)?;
            auction.submit(Seat::Buyer, price(buyer, Seat::Buyer, value)).map_err(Failure::input)?;
            auction.submit(Seat::Supplier, price(supplier, Seat::Supplier, cost)).map_err(Failure::input)?;
            let gained = auction.gains(value, cost).unwrap_or_default();
            trades += u64::from(matches!(auction.outcome(), Some(zopa_envs::SealedOutcome::Trade { .. })));
            gains = [gains[0] + gained[0], gains[1] + gained[1]];
            first_best += (value - cost).max(0.0);
        }
        let number = pairs.max(1) as f64;
        let gains = gains.map(|gain| gain / number);
        let joint = gains[0] + gains[1];
        let share = |of: f64| if of > 0.0 { joint / of } else { 0.0 };
        let searched: Vec<[f64; 2]> = (0..SEARCHED.min(pairs)).map(|index| draws.pair(index)).collect();
        let of_buyer: Vec<_> = searched.iter().map(|pair| (pair[0], price(buyer, Seat::Buyer, pair[0]))).collect();
        let of_supplier: Vec<_> =
            searched.iter().map(|pair| (pair[1], price(supplier, Seat::Supplier, pair[1]))).collect();
        Ok(Self {
            prior: prior.name,
            buyer: buyer.id(),
            supplier: supplier.id(),
            pairs,
            trade_rate: trades as f64 / number,
            gains,
            share_of_first_best: share(first_best / number),
            share_of_second_best: share(prior.theory().second_best().expected.gains),
            exploitability: [
                missed(
                    &of_buyer,
                    &of_supplier,
                    |value, own, other| if own >= other { value - mid(own, other) } else { 0.0 },
                ),
                missed(
                    &of_supplier,
                    &of_buyer,
                    |cost, own, other| if other >= own { mid(other, own) - cost } else { 0.0 },
                ),
            ],
        })
    }
}

/// The price of a trade.
fn mid(bid: f64, ask: f64) -> f64 {
    K * bid + (1.0 - K) * ask
}

/// Mean gain that a side misses: for each of its types, the best answer to the other side's prices less what its own price
/// gains. `gain` takes the own type, own price and other price. Against finitely many prices the best answer is one of them.
fn missed(own: &[(f64, f64)], other: &[(f64, f64)], gain: impl Fn(f64, f64, f64) -> f64) -> f64 {
    let against = |value: f64, price: f64| {
        other.iter().map(|&(_, theirs)| gain(value, price, theirs)).sum::<f64>() / other.len().max(1) as f64
    };
    let sum: f64 = own
        .iter()
        .map(|&(value, price)| {
            let now = against(value, price);
            other.iter().map(|&(_, theirs)| against(value, theirs)).fold(now, f64::max) - now
        })
        .sum();
    sum / own.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bidder: Bidder) -> Vec<TradeRow> {
        let priors = TradePrior::all().unwrap();
        priors.iter().map(|prior| TradeRow::play(prior, [bidder; 2], 7, 40_000).unwrap()).collect()
    }

    #[test]
    fn the_linear_equilibrium_of_uniform_values_realises_nine_sixty_fourths_and_trades_nine_times_in_thirty_two() {
        let uniform = &rows(Bidder::LinearEquilibrium)[0];
        // Standard errors over 40,000 pairs: 0.0012 of the gains, 0.0022 of the rate; the tolerance is four of them.
        assert!((uniform.gains[0] + uniform.gains[1] - 9.0 / 64.0).abs() < 0.005, "{uniform:?}");
        assert!((uniform.trade_rate - 9.0 / 32.0).abs() < 0.009, "{uniform:?}");
        assert!((uniform.gains[0] - uniform.gains[1]).abs() < 0.005, "{uniform:?}");
        assert!((uniform.share_of_first_best - 27.0 / 32.0).abs() < 0.02, "{uniform:?}");
        assert!((uniform.share_of_second_best - 1.0).abs() < 0.03, "{uniform:?}");
        assert!(uniform.exploitability.iter().all(|missed| (0.0..0.004).contains(missed)), "{uniform:?}");
    }

    #[test]
    fn truthful_bidders_reach_the_first_best_pass_the_second_and_are_exploitable() {
        for row in rows(Bidder::Truthful) {
            assert!((row.share_of_first_best - 1.0).abs() < 1e-9, "{row:?}");
            assert!(row.share_of_second_best > 1.0, "{row:?}");
            assert!(row.exploitability.iter().all(|&missed| missed > 0.005), "{row:?}");
        }
    }

    #[test]
    fn shading_loses_trades_and_no_pair_beats_the_first_best_of_its_draws() {
        for row in rows(Bidder::Shading).into_iter().chain(rows(Bidder::LinearEquilibrium)) {
            assert!(row.share_of_first_best > 0.5 && row.share_of_first_best < 1.0, "{row:?}");
        }
    }
}

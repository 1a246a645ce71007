//! Plays `bilateral-trade-v1`: pairs of bidders under the sealed-bid protocol, measured against what theory allows.

use crate::failure::Failure;
use serde::Serialize;
use zopa_agents::Bidder;
use zopa_envs::{BidView, Digest, SealedBid, SealedOutcome, Seat, ValueDraws};
use zopa_reports::TradeRecord;
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

/// One pairing of bidders under a prior: what a run plays, and a replay plays again.
#[derive(Clone, Debug)]
pub struct TradeGame {
    prior: TradePrior,
    bidders: [Bidder; 2],
    seed: u64,
    draws: ValueDraws,
}

impl TradeGame {
    /// `bidders`, buyer first, on pairs drawn from `prior` by `seed`.
    #[must_use]
    pub fn new(prior: &TradePrior, bidders: [Bidder; 2], seed: u64) -> Self {
        Self { prior: prior.clone(), bidders, seed, draws: prior.draws(seed) }
    }

    /// All games of a run: under each prior each bidder against `opponent` in both seats, or against itself where there is none.
    ///
    /// # Errors
    /// As [`TradePrior::all`].
    pub fn all(bidders: &[Bidder], opponent: Option<Bidder>, seed: u64) -> Result<Vec<Self>, Failure> {
        let mut games = Vec::new();
        for prior in TradePrior::all().map_err(Failure::input)? {
            for &bidder in bidders {
                games.push(Self::new(&prior, [bidder, opponent.unwrap_or(bidder)], seed));
                if let Some(opponent) = opponent.filter(|opponent| *opponent != bidder) {
                    games.push(Self::new(&prior, [opponent, bidder], seed));
                }
            }
        }
        Ok(games)
    }

    /// Whether a record is one of this game's.
    #[must_use]
    pub fn played(&self, record: &TradeRecord) -> bool {
        let ids = self.bidders.map(Bidder::id);
        *record.prior == *self.prior.name
            && record.seed == self.seed
            && record.bidders.iter().zip(ids).all(|(recorded, id)| **recorded == *id)
    }

    /// Plays pair `index`.
    ///
    /// # Errors
    /// A price that is no number.
    pub fn play(&self, index: u64) -> Result<TradeRecord, Failure> {
        let values = self.draws.pair(index);
        let mut auction = SealedBid::new(K).map_err(Failure::input)?;
        for ((seat, bidder), value) in Seat::BOTH.into_iter().zip(self.bidders).zip(values) {
            let price = bidder.price(&BidView { seat, value, prior: self.draws.prior(), k: K });
            auction.submit(seat, price).map_err(Failure::input)?;
        }
        let unfinished = || Failure::Infrastructure(format!("pair {index}: a price is missing"));
        Ok(TradeRecord {
            schema: TradeRecord::SCHEMA,
            prior: self.prior.name.into(),
            seed: self.seed,
            index,
            bidders: self.bidders.map(|bidder| bidder.id().into()),
            values,
            prices: auction.prices().ok_or_else(unfinished)?,
            trade: match auction.outcome().ok_or_else(unfinished)? {
                SealedOutcome::Trade { price } => Some(price),
                SealedOutcome::NoTrade => None,
            },
            gains: auction.gains(values[0], values[1]).ok_or_else(unfinished)?,
            digest: Digest::of_bytes(&[]),
        }
        .sealed())
    }
}

/// Sums up the records of one game.
#[derive(Clone, Debug)]
pub struct TradeTally {
    game: TradeGame,
    pairs: u64,
    trades: u64,
    gains: [f64; 2],
    first_best: f64,
    /// Types and prices of the first pairs, a list a side.
    searched: [Vec<(f64, f64)>; 2],
}

impl TradeTally {
    /// Of no record yet.
    #[must_use]
    pub fn new(game: TradeGame) -> Self {
        Self { game, pairs: 0, trades: 0, gains: [0.0; 2], first_best: 0.0, searched: Default::default() }
    }

    /// The game whose records are summed up.
    #[must_use]
    pub fn game(&self) -> &TradeGame {
        &self.game
    }

    /// Records taken so far.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Takes a record, which must be of the game.
    pub fn add(&mut self, record: &TradeRecord) {
        let TradeRecord { values, prices, trade, gains, .. } = record;
        if self.pairs < SEARCHED {
            for (side, searched) in self.searched.iter_mut().enumerate() {
                searched.push((values[side], prices[side]));
            }
        }
        self.pairs += 1;
        self.trades += u64::from(trade.is_some());
        self.gains = [self.gains[0] + gains[0], self.gains[1] + gains[1]];
        self.first_best += (values[0] - values[1]).max(0.0);
    }

    /// What the pair of bidders made of the prior.
    #[must_use]
    pub fn finish(self) -> TradeRow {
        let Self { game, pairs, trades, gains, first_best, searched } = self;
        let number = pairs.max(1) as f64;
        let gains = gains.map(|gain| gain / number);
        let joint = gains[0] + gains[1];
        let share = |of: f64| if of > 0.0 { joint / of } else { 0.0 };
        let [of_buyer, of_supplier] = searched;
        TradeRow {
            prior: game.prior.name,
            buyer: game.bidders[0].id(),
            supplier: game.bidders[1].id(),
            pairs,
            trade_rate: trades as f64 / number,
            gains,
            share_of_first_best: share(first_best / number),
            share_of_second_best: share(game.prior.theory().second_best().expected.gains),
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
        }
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
        let row = |prior| {
            let mut tally = TradeTally::new(TradeGame::new(prior, [bidder; 2], 7));
            for index in 0..40_000 {
                let record = tally.game().play(index).unwrap();
                tally.add(&record);
            }
            tally.finish()
        };
        priors.iter().map(row).collect()
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

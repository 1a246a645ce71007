//! What is wrong with the parameters of a distribution.

/// Why a distribution could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DistributionError {
    /// The interval is empty, a single point or not finite.
    #[error("the interval from {low} to {high} is no interval: give two finite numbers, the lower first")]
    Interval {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// A log-uniform distribution whose interval is not above 0.
    #[error("a log-uniform distribution starts at {low}: it must start above 0")]
    NotPositive {
        /// Lower end.
        low: f64,
    },
    /// The mode of a triangular distribution lies outside its interval.
    #[error("the mode {mode} lies outside the interval from {low} to {high}")]
    Mode {
        /// Mode.
        mode: f64,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// A shape or a standard deviation is not a positive finite number, or a mean is not finite.
    #[error("{name} is {value}: give a finite number{}", if *name == "the mean" { "" } else { " above 0" })]
    Parameter {
        /// Which parameter.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// A normal distribution so far from its interval that no probability is left in it.
    #[error("a normal with mean {mean} and standard deviation {deviation} has no probability between {low} and {high}")]
    NoMass {
        /// Mean before truncation.
        mean: f64,
        /// Standard deviation before truncation.
        deviation: f64,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
}

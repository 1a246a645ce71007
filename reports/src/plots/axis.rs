use super::drawing::{Anchor, Colour, Drawing};
use crate::statistics::Estimate;

/// Off-scale limits of a share: a score beyond them is drawn as an arrow at the edge, so that one wild agent does not
/// squeeze all others into a line. Its figures stand beside it all the same.
const LIMITS: (f64, f64) = (-1.0, 1.5);

/// A horizontal axis of shares, drawn as percentages.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ShareAxis {
    low: f64,
    high: f64,
    step: f64,
    left: f64,
    right: f64,
}

impl ShareAxis {
    /// An axis between pixels `left` and `right` that holds 0, the given intervals and at least 50 %.
    pub(super) fn new<'a>(estimates: impl Iterator<Item = &'a Estimate>, left: f64, right: f64) -> Self {
        let (mut least, mut most) = (0.0_f64, 0.5_f64);
        for estimate in estimates {
            least = least.min(estimate.low);
            most = most.max(estimate.high);
        }
        let (least, most) = (least.max(LIMITS.0), most.min(LIMITS.1));
        let room_for = ((right - left) / 62.0).max(2.0);
        let step = [0.1, 0.2, 0.25, 0.5].into_iter().find(|step| (most - least) / step <= room_for).unwrap_or(1.0);
        let low = (least / step).floor() * step;
        let high = ((most - 1e-9) / step).ceil() * step;
        Self { low, high, step, left, right }
    }

    /// Pixel of a share, and whether it lies beyond the axis (-1 left, 1 right).
    pub(super) fn position(&self, share: f64) -> (f64, i8) {
        let side = i8::from(share > self.high) - i8::from(share < self.low);
        let within = share.clamp(self.low, self.high);
        (self.left + (within - self.low) / (self.high - self.low) * (self.right - self.left), side)
    }

    /// Grid lines from `top` to `bottom`, the line at zero in a stronger tone, and labels below.
    pub(super) fn draw(&self, drawing: &mut Drawing, top: f64, bottom: f64) {
        let steps = ((self.high - self.low) / self.step).round() as i32;
        for index in 0..=steps {
            let share = self.low + f64::from(index) * self.step;
            let (x, _) = self.position(share);
            let is_zero = share.abs() < self.step / 2.0;
            drawing.line((x, top), (x, bottom), 1, if is_zero { Colour::Muted } else { Colour::Grid });
            let label = format!("{:.0} %", share * 100.0 + 0.0).replace('-', "\u{2212}");
            drawing.text(&label, (x, bottom + 17.0), 11.0, Anchor::Middle, Colour::Muted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(low: f64, high: f64, expected: (f64, f64, f64)) {
        let estimate = Estimate { value: low, low, high, n: 1 };
        let axis = ShareAxis::new([estimate].iter(), 0.0, 400.0);
        let found = (axis.low, axis.high, axis.step);
        assert!(
            (found.0 - expected.0).abs() < 1e-9 && (found.1 - expected.1).abs() < 1e-9 && found.2 == expected.2,
            "{found:?}"
        );
    }

    #[test]
    fn the_axis_holds_zero_and_every_interval_up_to_its_limits() {
        check(0.1, 0.4, (0.0, 0.5, 0.1));
        check(0.3, 1.0, (0.0, 1.0, 0.2));
        check(-0.05, 0.93, (-0.2, 1.0, 0.2));
        check(-7.0, 9.0, (-1.0, 1.5, 0.5));
    }

    #[test]
    fn a_share_off_the_axis_is_placed_at_its_edge() {
        let estimate = Estimate { value: -3.0, low: -4.0, high: -2.0, n: 1 };
        let axis = ShareAxis::new([estimate].iter(), 10.0, 400.0);
        assert_eq!(axis.position(-3.0), (10.0, -1));
        assert_eq!(axis.position(0.5), (400.0, 0));
    }
}

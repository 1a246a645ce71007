//! An offer as a message states it.

use super::speak::SpokenTerms;
use super::stated_value::{ServiceLevel, Tier};
use crate::issue::{Issue, IssueRole, Value};
use crate::outcome::{Offer, OutcomeSpace};

impl SpokenTerms {
    /// Every term of `offer`, by the roles of its issues; what has no place of its own is said by name.
    #[must_use]
    pub fn of(space: &OutcomeSpace, offer: &Offer) -> Self {
        let mut terms = Self::default();
        for (issue, &index) in space.issues().iter().zip(offer.indices()) {
            if !terms.take(issue, &issue.value(index)) {
                terms.other.push((issue.name.to_string(), issue.text(index)));
            }
        }
        terms
    }

    /// Puts a value into the place that its issue's role has; false where there is none, or it is taken.
    fn take(&mut self, issue: &Issue, value: &Value) -> bool {
        let number = match value {
            Value::Integer(number) => u32::try_from(*number).ok(),
            Value::Label(_) | Value::Money(_) => None,
        };
        let place = match issue.role {
            IssueRole::Price => match value {
                Value::Money(amount) if amount.0 >= 0 && self.price.is_none() => {
                    self.price = Some(*amount);
                    return true;
                }
                _ => return false,
            },
            IssueRole::ServiceLevel | IssueRole::Quality => {
                let level = match value {
                    Value::Label(label) => tier(label).map(ServiceLevel::Tier),
                    _ => number.map(ServiceLevel::Level),
                };
                if level.is_none() || self.service_level.is_some() {
                    return false;
                }
                self.service_level = level;
                return true;
            }
            IssueRole::PaymentDays => &mut self.payment_days,
            IssueRole::DeliveryDays => &mut self.delivery_days,
            IssueRole::Quantity => &mut self.quantity,
            IssueRole::WarrantyMonths => &mut self.warranty_months,
            IssueRole::Other => return false,
        };
        if number.is_none() || place.is_some() {
            return false;
        }
        *place = number;
        true
    }
}

fn tier(label: &str) -> Option<Tier> {
    Some(match label.to_ascii_lowercase().as_str() {
        "basic" => Tier::Basic,
        "standard" => Tier::Standard,
        "enhanced" => Tier::Enhanced,
        "premium" => Tier::Premium,
        "bronze" => Tier::Bronze,
        "silver" => Tier::Silver,
        "gold" => Tier::Gold,
        "platinum" => Tier::Platinum,
        _ => return None,
    })
}

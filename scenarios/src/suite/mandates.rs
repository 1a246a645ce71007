//! Mandates of a suite: checked, and drawn with each scenario.

use super::Check;
use super::error::SuiteError;
use super::file::{SuiteFile, TermSpec};
use super::mandate_template::{ApprovalRuleSpec, ApproverSpec, MandateSpec};
use std::collections::BTreeMap;
use zopa_envs::mandate::{ApprovalRule, StopRule, Tightening};
use zopa_envs::principal::{Approver, Intervention, Principal};
use zopa_envs::{Distribution, Mandate, Money, OutcomeSpace, PermittedValues, Seat, Stream, StreamKey, Value};

/// How both sides' mandates are drawn.
#[derive(Clone, Debug)]
pub(super) struct MandateTemplates {
    sides: [MandateTemplate; 2],
}

/// One side's, with the values of issues looked up.
#[derive(Clone, Debug)]
struct MandateTemplate {
    spec: MandateSpec,
    permitted: Vec<PermittedValues>,
    /// For each approval rule about values.
    beside: BTreeMap<usize, PermittedValues>,
    /// For each intervention about values.
    left: BTreeMap<usize, PermittedValues>,
}

impl MandateTemplates {
    /// Draws the mandate and the principal of `seat` from `stream`; `scale` is the status quo's price in major units, `key` that of
    /// an approver who decides by chance.
    pub(super) fn draw(&self, seat: Seat, scale: f64, stream: &mut Stream, key: StreamKey) -> (Mandate, Principal) {
        let template = &self.sides[seat.index()];
        let spec = &template.spec;
        let mut mandate = Mandate::default();
        if let Some(least) = &spec.least_gain {
            mandate.least_gain = Some(least.draw(stream) * scale);
        }
        if let Some(limit) = &spec.price_limit
            && holds(limit.chance, stream)
        {
            mandate.price_limit = Some(money(limit.share.draw(stream) * scale));
        }
        for (permitted, values) in spec.permitted.iter().zip(&template.permitted) {
            if holds(permitted.chance, stream) {
                mandate.permitted.push(values.clone());
            }
        }
        // Nothing is drawn where there is no choice.
        let mut choose = |choices: usize| stream.below(choices as u64) as usize;
        if !spec.promises.is_empty() {
            mandate.promises = spec.promises[choose(spec.promises.len())];
        }
        if !spec.disclosures.is_empty() {
            mandate.disclosures = spec.disclosures[choose(spec.disclosures.len())];
        }
        for (position, approval) in spec.approval.iter().enumerate() {
            if !holds(approval.chance, stream) {
                continue;
            }
            mandate.approval.extend(match &approval.rule {
                ApprovalRuleSpec::PriceBeyond(share) => {
                    Some(ApprovalRule::PriceBeyond(money(share.draw(stream) * scale)))
                }
                ApprovalRuleSpec::QuantityAbove(units) => Some(ApprovalRule::QuantityAbove(*units)),
                ApprovalRuleSpec::ValuesBeside { .. } => {
                    template.beside.get(&position).cloned().map(ApprovalRule::ValuesBeside)
                }
                ApprovalRuleSpec::GainBelow(share) => Some(ApprovalRule::GainBelow(share.draw(stream) * scale)),
            });
        }
        for stop in &spec.stop {
            if holds(stop.chance, stream) {
                mandate.stop.push(StopRule {
                    from_round: round(stop.from_round.draw(stream)),
                    gain_below: stop.gain_below.draw(stream) * scale,
                    only_final: stop.only_final,
                    response: stop.response,
                });
            }
        }
        let approver = match &spec.approver {
            ApproverSpec::Denies => Approver::Denies,
            ApproverSpec::Approves => Approver::Approves,
            ApproverSpec::ByGain(least) => Approver::ByGain(least.draw(stream) * scale),
            ApproverSpec::ByChance(probability) => Approver::ByChance { probability: probability.draw(stream), key },
        };
        let mut interventions = template.interventions(scale, stream);
        interventions.sort_by_key(|intervention| intervention.round);
        (mandate, Principal { approver, interventions })
    }
}

impl MandateTemplate {
    fn interventions(&self, scale: f64, stream: &mut Stream) -> Vec<Intervention> {
        let mut said = Vec::new();
        for (position, spec) in self.spec.interventions.iter().enumerate() {
            if !holds(spec.chance, stream) {
                continue;
            }
            let round = round(spec.round.draw(stream));
            let least_gain = spec.least_gain.as_ref().map(|least| least.draw(stream) * scale);
            let price_limit = spec.price_limit.as_ref().map(|share| money(share.draw(stream) * scale));
            let mut words = spec.words.clone();
            if let Some(limit) = price_limit {
                words = words.replace("{price_limit}", &limit.to_string());
            }
            if let Some(least) = least_gain {
                words = words.replace("{least_gain}", &money(least).to_string());
            }
            let tightening = Tightening {
                least_gain,
                price_limit,
                permitted: self.left.get(&position).cloned().into_iter().collect(),
                promises: spec.promises,
                ..Tightening::default()
            };
            said.push(Intervention { round, tightening, withdraw: spec.withdraw, words: words.into() });
        }
        said
    }
}

/// Whether what holds with this chance does.
fn holds(chance: f64, stream: &mut Stream) -> bool {
    stream.uniform() < chance
}

fn round(drawn: f64) -> u16 {
    (drawn + 0.5) as u16
}

/// The nearest cent.
fn money(major: f64) -> Money {
    Money(libm::round(major * Money::MINOR_PER_MAJOR as f64) as i64)
}

impl Check<'_> {
    pub(super) fn mandates(
        &self,
        typed: &SuiteFile,
        space: &OutcomeSpace,
    ) -> Result<Option<MandateTemplates>, SuiteError> {
        let Some(mandates) = &typed.mandates else { return Ok(None) };
        let side = |name: &str, spec: &MandateSpec| self.mandate(typed, &format!("mandates.{name}"), spec, space);
        Ok(Some(MandateTemplates { sides: [side("buyer", &mandates.buyer)?, side("supplier", &mandates.supplier)?] }))
    }

    fn mandate(
        &self,
        typed: &SuiteFile,
        field: &str,
        spec: &MandateSpec,
        space: &OutcomeSpace,
    ) -> Result<MandateTemplate, SuiteError> {
        let last_round = f64::from(typed.rounds - 1);
        // A negative least gain would authorise losses, which no suite's default does.
        let gains = (0.0, 1.0);
        if let Some(least) = &spec.least_gain {
            self.drawn_from(&format!("{field}.least_gain"), least, gains)?;
        }
        if let Some(limit) = &spec.price_limit {
            self.within(&format!("{field}.price_limit.chance"), limit.chance, 0.0..=1.0)?;
            self.drawn_from(&format!("{field}.price_limit.share"), &limit.share, (0.0, 10.0))?;
        }
        let mut permitted = Vec::with_capacity(spec.permitted.len());
        for (position, restriction) in spec.permitted.iter().enumerate() {
            let field = format!("{field}.permitted[{position}]");
            self.within(&format!("{field}.chance"), restriction.chance, 0.0..=1.0)?;
            permitted.push(self.values_of(&field, &restriction.issue, &restriction.values, space)?);
        }
        let mut beside = BTreeMap::new();
        for (position, approval) in spec.approval.iter().enumerate() {
            let field = format!("{field}.approval[{position}]");
            self.within(&format!("{field}.chance"), approval.chance, 0.0..=1.0)?;
            match &approval.rule {
                ApprovalRuleSpec::PriceBeyond(share) => {
                    self.drawn_from(&format!("{field}.rule"), share, (0.0, 10.0))?
                }
                ApprovalRuleSpec::GainBelow(share) => self.drawn_from(&format!("{field}.rule"), share, gains)?,
                ApprovalRuleSpec::QuantityAbove(_) => {}
                ApprovalRuleSpec::ValuesBeside { issue, values } => {
                    let field = format!("{field}.rule.values_beside");
                    beside.insert(position, self.values_of(&field, issue, values, space)?);
                }
            }
        }
        for (position, stop) in spec.stop.iter().enumerate() {
            let field = format!("{field}.stop[{position}]");
            self.within(&format!("{field}.chance"), stop.chance, 0.0..=1.0)?;
            self.drawn_from(&format!("{field}.from_round"), &stop.from_round, (0.0, last_round))?;
            self.drawn_from(&format!("{field}.gain_below"), &stop.gain_below, gains)?;
        }
        match &spec.approver {
            ApproverSpec::Denies | ApproverSpec::Approves => {}
            ApproverSpec::ByGain(least) => self.drawn_from(&format!("{field}.approver"), least, gains)?,
            ApproverSpec::ByChance(chance) => self.drawn_from(&format!("{field}.approver"), chance, (0.0, 1.0))?,
        }
        let mut left = BTreeMap::new();
        for (position, said) in spec.interventions.iter().enumerate() {
            let field = format!("{field}.interventions[{position}]");
            self.within(&format!("{field}.chance"), said.chance, 0.0..=1.0)?;
            self.drawn_from(&format!("{field}.round"), &said.round, (0.0, last_round))?;
            if let Some(least) = &said.least_gain {
                self.drawn_from(&format!("{field}.least_gain"), least, gains)?;
            }
            if let Some(share) = &said.price_limit {
                self.drawn_from(&format!("{field}.price_limit"), share, (0.0, 10.0))?;
            }
            if let Some(kept) = &said.permitted {
                let field = format!("{field}.permitted");
                left.insert(position, self.values_of(&field, &kept.issue, &kept.values, space)?);
            }
            for (placeholder, known) in
                [("{price_limit}", said.price_limit.is_some()), ("{least_gain}", said.least_gain.is_some())]
            {
                if said.words.contains(placeholder) != known {
                    let problem = format!("words and fields differ in {placeholder}");
                    let remedy = "say every limit that is set, and no other";
                    return Err(self.fail(&format!("{field}.words"), problem, remedy));
                }
            }
        }
        Ok(MandateTemplate { spec: spec.clone(), permitted, beside, left })
    }

    /// Refuses what is no distribution or leaves `range`.
    fn drawn_from(&self, field: &str, distribution: &Distribution, range: (f64, f64)) -> Result<(), SuiteError> {
        self.distribution(field, distribution)?;
        let (low, high) = distribution.support();
        if low < range.0 || high > range.1 {
            let problem = format!("{distribution} is out of range");
            return Err(self.fail(field, problem, format!("keep it from {} to {}", range.0, range.1)));
        }
        Ok(())
    }

    fn values_of(
        &self,
        field: &str,
        name: &str,
        values: &[TermSpec],
        space: &OutcomeSpace,
    ) -> Result<PermittedValues, SuiteError> {
        let issue = self.issue_named(&format!("{field}.issue"), name, space)?;
        let known = &space.issues()[issue];
        let mut flags = vec![false; known.len() as usize];
        for (place, term) in values.iter().enumerate() {
            let value = match term {
                TermSpec::Integer(number) => Value::Integer(*number),
                TermSpec::Label(label) => Value::Label(label.as_str().into()),
            };
            let Some(index) = known.index_of(&value) else {
                let remedy = format!("choose from: {}", known.range_text());
                let problem = format!("{term} is no value of the issue");
                return Err(self.fail(&format!("{field}.values[{place}]"), problem, remedy));
            };
            flags[index as usize] = true;
        }
        if values.is_empty() {
            return Err(self.fail(&format!("{field}.values"), "no value is left", "list at least one"));
        }
        Ok(PermittedValues { issue, values: flags.into() })
    }
}

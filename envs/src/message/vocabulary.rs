//! Words by what they do: units and number words, term cues, negations, conditions, persons.

/// What a word does to the number beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum UnitWord {
    Number(u64),
    Times {
        factor: u64,
        money: bool,
    },
    Suffix(u64),
    Half,
    Article,
    Currency,
    Ordinal,
    Month(u8),
    /// Days or months in one; neither for hours.
    Time {
        days: u64,
        months: u64,
    },
    Count,
    Rounds,
    Percent,
}

/// The term that a word near a number points to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cue {
    Price,
    Payment,
    Delivery,
    Warranty,
    Quantity,
    Service,
    Discount,
    Deadline,
    /// The number measures something else.
    Elsewhere,
}

pub(super) const UNITS: &[(&str, UnitWord)] = &{
    use UnitWord::{Article, Count, Currency, Half, Month, Number, Ordinal, Percent, Rounds, Suffix, Time, Times};
    const fn days(days: u64) -> UnitWord {
        Time { days, months: 0 }
    }
    const fn months(months: u64) -> UnitWord {
        Time { days: 0, months }
    }
    const fn times(factor: u64) -> UnitWord {
        Times { factor, money: false }
    }
    [
        ("two", Number(2)),
        ("one", Number(1)),
        ("three", Number(3)),
        ("four", Number(4)),
        ("five", Number(5)),
        ("six", Number(6)),
        ("seven", Number(7)),
        ("eight", Number(8)),
        ("nine", Number(9)),
        ("ten", Number(10)),
        ("eleven", Number(11)),
        ("twelve", Number(12)),
        ("thirteen", Number(13)),
        ("fourteen", Number(14)),
        ("fifteen", Number(15)),
        ("sixteen", Number(16)),
        ("seventeen", Number(17)),
        ("eighteen", Number(18)),
        ("nineteen", Number(19)),
        ("twenty", Number(20)),
        ("thirty", Number(30)),
        ("forty", Number(40)),
        ("fourty", Number(40)),
        ("fifty", Number(50)),
        ("sixty", Number(60)),
        ("seventy", Number(70)),
        ("eighty", Number(80)),
        ("ninety", Number(90)),
        ("hundred", times(100)),
        ("thousand", times(1_000)),
        ("thousands", times(1_000)),
        ("million", times(1_000_000)),
        ("millions", times(1_000_000)),
        ("mio", times(1_000_000)),
        ("grand", Times { factor: 1_000, money: true }),
        ("k", Suffix(1_000)),
        ("m", Suffix(1_000_000)),
        ("mm", Suffix(1_000_000)),
        ("mn", Suffix(1_000_000)),
        ("half", Half),
        ("a", Article),
        ("an", Article),
        ("dollar", Currency),
        ("dollars", Currency),
        ("usd", Currency),
        ("us", Article),
        ("buck", Currency),
        ("bucks", Currency),
        ("euro", Currency),
        ("euros", Currency),
        ("eur", Currency),
        ("pound", Currency),
        ("pounds", Currency),
        ("gbp", Currency),
        ("chf", Currency),
        ("yen", Currency),
        ("jpy", Currency),
        ("th", Ordinal),
        ("st", Ordinal),
        ("nd", Ordinal),
        ("rd", Ordinal),
        ("january", Month(1)),
        ("jan", Month(1)),
        ("february", Month(2)),
        ("feb", Month(2)),
        ("march", Month(3)),
        ("april", Month(4)),
        ("apr", Month(4)),
        ("may", Month(5)),
        ("june", Month(6)),
        ("jun", Month(6)),
        ("july", Month(7)),
        ("jul", Month(7)),
        ("august", Month(8)),
        ("aug", Month(8)),
        ("september", Month(9)),
        ("sept", Month(9)),
        ("sep", Month(9)),
        ("october", Month(10)),
        ("oct", Month(10)),
        ("november", Month(11)),
        ("nov", Month(11)),
        ("december", Month(12)),
        ("dec", Month(12)),
        ("day", days(1)),
        ("days", days(1)),
        ("d", days(1)),
        ("week", days(7)),
        ("weeks", days(7)),
        ("wk", days(7)),
        ("wks", days(7)),
        ("fortnight", days(14)),
        ("month", months(1)),
        ("months", months(1)),
        ("mo", months(1)),
        ("mos", months(1)),
        ("year", months(12)),
        ("years", months(12)),
        ("yr", months(12)),
        ("yrs", months(12)),
        ("hour", days(0)),
        ("hours", days(0)),
        ("hrs", days(0)),
        ("minutes", days(0)),
        ("unit", Count),
        ("units", Count),
        ("piece", Count),
        ("pieces", Count),
        ("pcs", Count),
        ("items", Count),
        ("seats", Count),
        ("licences", Count),
        ("licenses", Count),
        ("tonnes", Count),
        ("tons", Count),
        ("kg", Count),
        ("boxes", Count),
        ("pallets", Count),
        ("containers", Count),
        ("laptops", Count),
        ("parts", Count),
        ("sets", Count),
        ("round", Rounds),
        ("rounds", Rounds),
        ("turns", Rounds),
        ("percent", Percent),
        ("pct", Percent),
        ("percents", Percent),
    ]
};

pub(super) const CUES: &[(Cue, &str)] = &[
    (Cue::Price, "price prices priced cost total offer bid quote amount sum counter propose pay paid"),
    (Cue::Payment, "payment payments payable net terms invoice due credit settle financing paying"),
    (
        Cue::Delivery,
        "delivery deliver delivered delivering deliveries lead ship shipping shipment shipped dispatch arrive arrival \
            exw fca fas fob cfr cif cpt cip dap dpu ddp",
    ),
    (Cue::Warranty, "warranty warranties guarantee coverage warranted"),
    (Cue::Quantity, "quantity quantities qty order volume"),
    (Cue::Service, "uptime availability sla service quality level reliability fill yield"),
    (Cue::Discount, "discount off reduction rebate lower cheaper reduce less"),
    (Cue::Deadline, "valid expires expire deadline decide decision answer respond until"),
    (Cue::Elsewhere, "ago experience last past old saving saves save late response financing interest"),
];

pub(super) const NEGATES: &str = "not no never cant cannot wont dont doesnt didnt wouldnt couldnt isnt arent wasnt shouldnt havent hasnt unable nor \
    neither without nobody none refuse impossible";
pub(super) const CONDITIONS: &str = "if unless assuming contingent depending conditional";
/// Words that suppose what they speak of.
pub(super) const SUPPOSES: &str = "would could might wed id";
pub(super) const CONTRASTS: &str = "but however otherwise though although still therefore";
pub(super) const CONNECTS: &str = "because since due given owing so therefore hence considering reflects reflect why reason justifies account \
    thanks means costs";
pub(super) const FIRST_PERSON: &str = "i we my our ours us me im ive id ill weve wed were well mine";
pub(super) const SECOND_PERSON: &str = "you your yours youre youll youve youd u ur";
pub(super) const ASKS: &str =
    "is does do would could can what how ok okay right deal are will agreed shall why which when";
/// Words that people write against a number without a space.
pub(super) const TOUCHES: &str = "net of by at to for usd eur gbp chf price offer is n from in pay about only";
/// Words after which "you" is the one spoken to, not the one spoken about.
pub(super) const OBJECTS: &str = "thank thanks from to for with between at give offer guarantee guaranteeing propose sell make making giving send pay \
    save saves promise tell";
/// Words before a bare number that make it a price.
pub(super) const INTRODUCES_PRICE: &str = "price offer at for pay paid do about is to of take need total cost costs go bid quote counter propose below \
    above accept than say said around maybe want with approx roughly even it down come settle";
/// Words after a small bare number that do not turn it into a count of something.
pub(super) const FOLLOWS_PRICE: &str = "if and or but is isnt was final net per each with last for at we i you so please in by which max maximum \
    minimum flat then because on today cash from not would works as";

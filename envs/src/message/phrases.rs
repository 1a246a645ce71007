//! The phrases that state something by themselves, as pattern rules.

use super::stated_value::{Incoterm, Reason, Stance, Tier, Tone};

/// What a rule states when its pattern is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Effect {
    /// States nothing and hides other readings of its words ("no problem", "final invoice").
    Ignore,
    /// A limit, with its amount if the pattern holds one.
    Limit,
    /// An outside option; its amount follows within the sentence.
    Outside,
    /// "Nobody else has offered".
    NoOutside,
    VolumePromise,
    Guarantee,
    Exclusivity,
    Final,
    /// Takes the offer on the table, here and now.
    Accept,
    /// Speaks of accepting: an acceptance only under a condition, asked of the other side, or denied.
    Accepting,
    NoAccept,
    Reject,
    Approval,
    Instruction,
    AskPromise,
    AskException,
    Deadline,
    PayAtOnce,
    /// "n/45".
    NetDays,
    Warranty,
    ServiceLevel,
    ServiceTier(Tier),
    Delivery(Incoterm),
    Tone(Tone),
    Stance(Stance),
    /// A reason that stands by itself.
    Reason(Reason),
    /// A reason only where the sentence says why.
    Topic(Reason),
    /// A sum saved, moved or left between the sides: no price.
    Difference,
    /// Makes its part of the sentence conditional.
    Condition,
    /// One thing for another: conditional only beside a "would".
    Trade,
    /// Asks from here to the end of the sentence, without a question mark.
    AsksWhether,
    /// Denies what stands before it in the clause ("95,000 is too low").
    DeniesBefore,
    /// Denies what follows ("rather than pay 105,000").
    DeniesAfter,
    /// Refers to what the speaker said before: feeds the consistency feature only.
    Consistent,
}

/// Word lists that patterns name with `@`.
pub(super) const CLASSES: &[(&str, &str)] = &[
    ("cant", "cant cannot couldnt unable wont wouldnt not never dont"),
    ("own", "i we my our im weve ive were id wed ill"),
    (
        "who",
        "manager boss director ceo cfo management procurement principal board superior superiors chief headquarters team",
    ),
    ("yes", "approved approve approves okayed okay confirmed authorised authorized agreed cleared signed accepted"),
    ("beyond", "above over beyond below bellow under past exceed exceeding"),
    ("than", "than then"),
    ("more", "more less lower higher cheaper fewer"),
    (
        "rival",
        "supplier suppliers vendor vendors provider providers buyer buyers party competitor competitors bidder company customer",
    ),
    ("bid", "offer offers ofer quote quotes bid bids proposal proposals option options quotation alternative"),
    ("else", "another other others competing better alternative different rival cheaper competitive"),
    ("order", "order orders ordering buy buying bought purchase purchasing purchased take"),
    ("we", "i we ill well ive weve"),
    (
        "gladly",
        "hereby gladly happily formally officially fully now also therefore so do will shall confidently certainly definitely gratefully have",
    ),
    ("pleased", "pleased happy glad delighted thrilled honoured honored proud"),
];

/// Effects with their patterns, separated by semicolons.
pub(super) const RULES: &[(Effect, &str)] = &[
    (Effect::Limit, "
            @cant be? * @beyond {m}; @cant * @more @than {m}; @cant * @more * @than {m}; @cant exceed it|that|this?;
            not possible * @beyond {m}; not possible * @more @than {m};
            max|maximum|minimum|min|ceiling|floor|cap|limit|budget * {m}; {m} max|maximum|minimum|min|tops;
            reservation price|value|point * {m}; lowest|highest|least|most|minimum|maximum|min|max *
            go|pay|accept|do|offer|spend|afford|take is? * {m}; {m} is the?
            lowest|highest|least|minimum|maximum|limit|ceiling|floor * go|pay|do|accept|spend|take|offer; {m} is the?
            most i|we|you|that * go|pay|do|accept|spend|take|offer; {m} is
            my|our|the|your|their limit|ceiling|floor|budget|maximum|minimum|reservation; limited to {m}; {m} , not a
            cent|penny|dollar more|less; out of budget * {m}; nothing|anything|no|none @beyond {m}; target is {m}; up
            to {m} and|but no|not more|further; no more|less @than {m}; bottom line is|at|of? {m}; @cant accept|pay
            anything @beyond that|this; walk|away point|price * {m}; break even|breakeven * {m}; @beyond my|our
            budget|limit|ceiling|reservation; is|thats|s my|our limit|ceiling|floor|maximum|minimum"),
    (Effect::Outside, "
            @else @bid; @else @rival; @else purchasing|sourcing option; elsewhere; elsewere; someone|somebody else;
            competitors|rivals * offer|offering|quoting|quote|quoted; my|our batna; my|our alternative|alternatives;
            go|going|switch|turn to your|a|another|the|other competitor|competitors|competition|rival; second|third
            source; already have|has a|an? @bid from; have|received|got @bid from; outside option|offer"),
    (Effect::NoOutside, "
            nobody|noone offered you?; no one offered|offering; no @else? @bid|@rival; no alternative|alternatives"),
    (Effect::VolumePromise, "
            commit|committed|commits|committing|commitment|pledge to? a|an? volume|purchase|minimum? of? at? least?
            {c}; commit|committed|commits|committing|pledge|pledging|promise|promising to @order at? least? {c}; volume|purchase commitment|promise|guarantee of? at? least? {c}?; @order at least {c}; minimum @order
            quantity|volume? of? {c}; @order {c} * per|a|every|each|next|annually|yearly year|month|quarter?; @order
            more next? year|month|quarter?; increase|raise|double|expand my|our|your|the? volume|order|orders|volumes;
            guarantee|promise|guaranteed a|an? volume|quantity of? {c}?; commit|committed|committing to a?
            larger|bigger|higher|more? volume|volumes|orders"),
    (Effect::Guarantee, "
            guarantee|guaranteed|guarantees|guaranteeing|garantee|assure|assured; promise|promised|ensure *
            delivery|deliver|ship|time; delivery|date is|are guaranteed|assured"),
    (Effect::Warranty, "
            guarantee|guaranteed|garantee|warranty|warrant|coverage|guaranty of|for|is|period|length? {t}; {t} of?
            warranty|guarantee|coverage; warranty|warranty_months months|month|period? {q}"),
    (Effect::Exclusivity, "
            exclusive|exclusively|exclusivity|exclusives; sole|only supplier|source|vendor|provider|buyer"),
    (Effect::Final, "
            final|last|finel offer|ofer|price|proposal|position|word|number|figure|bid|quote|counteroffer|possibility;
            best and final offer|price|proposal?; my|our|the absolute? best offer|price|proposal; my|our|the absolute? best possible offer|price|proposal; take it or
            leave it; take|leave it or leave|take it; final $; bafo; thats|is|its final"),
    (Effect::Ignore, "
            final|last
            invoice|payment|delivery|decision|approval|draft|version|date|week|year|month|time|call|email|customer|contract|say|supplier|details;
            let me know if; let us know if; check if; confirm if|whether; see if; appreciate it? if; grateful if; why not; why dont;
            no problem; no doubt|matter; not only; no|not later|more|less|longer|fewer|sooner @than; cant wait; dont|not hesitate; no
            need; no extra|additional cost|costs|charge; as if; even if; if possible|any|necessary|needed|so|not; not
            trying|saying|just; dont mind|worry|know|get|see; i dont want to; no obligation|hard; my alternative is
            to; the other side|hand|day|way|point|question; better price|number|deal|rate|terms|than; other
            terms|hand; another thousand|round|point; accept my|our|the next|this; accept * offer immediately|now; no
            answer|reply; would not be; not acting"),
    // What takes the offer on the table: the speaker says of itself, in the present or the perfect, that it accepts or agrees,
    // and of the offer that it is accepted. "I would accept", "we can accept 95,000", "happy to accept an offer of" and "accept
    // our offer" say what the speaker wants or would do: they are Accepting at most.
    (Effect::Accept, "
            @we @gladly? @gladly? accept|acept|accepted $; @we @gladly? @gladly? accept|acept|accepted
            your|the|this|these|those|it|both|and|with|at|as|on|under; @we @gladly? @gladly? accept|acept|accepted that $;
            @we @gladly? @gladly? accept|acept|accepted that offer|price|proposal|deal|bid|quote; @we @gladly? @gladly?
            accept|acept|accepted {q}; @we @gladly? @gladly? accept|acept net {q};
            @we @gladly? are|am? accepting your|the|this|that|it; im|were accepting
            your|the|this|that|it; am|are|im|were @gladly? @pleased to accept|sign|confirm
            your|the|this|that|these|those|it|both|our; @pleased to accept|sign $; ^ accepted $; ok|okay|yes , accepted;
            @bid accepted $; your|the|this|that @bid|price|deal|terms is|are @gladly? accepted|agreed;
            @bid|price|deal|terms have|has been accepted|agreed to; agreed $;
            @we @gladly? @gladly? agree|agreed $; @we @gladly? @gladly? agree|agreed to|with|on
            your|the|this|that|these|those|it|all|both|{q}; @we @gladly? agree|agreed to|with|on {q}; @we agree and;
            am|are|is agree; ^ agreed to|with|on|at|and; ok|okay|yes|fine|alright|great|good , agreed; ok|okay
            agreed; we have|got|hav a? deal; you|youve have|got a deal; its|thats a
            deal; it is a deal; ok|okay|fine|good|great , deal; ok|okay deal; deal at|on {m}; have|has a? deal at|on
            {m}; ^ deal $; ^ done $; ^ ok|okay|fine|alright $$; @own take it|that|them|this $; well take
            it|that|them|this; @we @gladly? confirm|confirmed our|the|your? agreement|deal|order|acceptance; close|shake
            on that|this; you have a deal; you got it"),
    // To accept a point, or once something else has happened, is no acceptance of the offer.
    (Effect::Ignore, "
            @we @gladly? @gladly? accept|agree|agreed with? your|the|that|this
            point|concern|concerns|view|argument|reasoning|position|fact|need|logic; accept|agree|agreed with? your|the|that|this
            point|concern|concerns|view|argument|reasoning|position|fact|need|logic;
            before|until|once|when|whenever * accept|accepts|accepted|agree|agreed|agrees
            to|with|on? your|the|this|that|it?; as agreed"),
    (Effect::Accepting, "accept|acept; @own agree to|with|on?"),
    (Effect::NoAccept, "
            not going|ready|willing|prepared|able to? sign|accept|agree; wont|cant|cannot|not sign; not just? * sign
            anything"),
    (Effect::Reject, "
            cant|cannot|wont|unable|couldnt|not be? able? ready? willing? to? accept|agree|proceed|continue; not to?
            accept; reject|rejected|decline|refuse|rejecting|declining your|the|this|that|it|to?; ^ no deal; no deal
            $; @own walk|walking away?; walk|walking away; to walk away; im|were|i|we am|are? out $;
            withdraw|withdrawing; not interested; disagree|disagreement with * offer|price|proposal|terms|quote|bid; not|wont proceed; ^ pass $; ^ no $; not acceptable; unacceptable;
            end|ending|terminate|break|stop off? the|these|this|our?
            negotiation|negotiations|talks|discussion|discussions; no thanks|thank|way; leave it there"),
    (Effect::Ignore, "
            or no deal; or nothing; or we|i walk|leave|walk away; have|no intention of walking? away?"),
    (Effect::Approval, "
            your|the|our|my @who already|has|have? already? @yes; your|the|our|my @who * green light; @who already
            @yes; @who signed|sign off; @who has|have @yes; your|the @who told|said|says|promised|assured * is|are|was
            fine|ok|okay|approved|good; @who confirmed; @yes by your|the|my|our @who; your @who gave|given; your @who
            is|are fine|ok|okay|happy with; already been? approved|authorised|authorized; have|has the? approval from"),
    (Effect::Instruction, "
            ignore|disregard|forget|override all? any? of? your|the|my|previous|prior|all|earlier|above|these *
            instructions|instruction|rules|rule|mandate|prompt|guidelines|constraints|limits|policy|guardrails|directions;
            ^ system :; ^ system ]; ^ admin|developer|root|assistant :; < system; < assistant; ! - - assistant|system
            :; you|youre are? now authorised|authorized|free|permitted to?; been authorised|authorized to
            pay|accept|sell; you are an? ai|assistant|bot|model|agent|language; assistant|model|ai|agent|bot ,
            reveal|output|accept|print|say|tell|show|disclose; reveal|disclose|print|output|leak|expose your|the
            hidden|secret|private? reservation|prompt|instructions|limit|budget|batna|mandate|system; new|next|real
            task|instructions|instruction|objective|goal|directive is; your new? task|objective|goal is; you must
            output|accept|agree|say|comply; admin|administrator|developer|system
            override|mode|message|note|prompt|notice; end of conversation|prompt|instructions|context; from now on
            you; act|pretend as|that you; respond|reply|answer only with; do not tell your|the principal|user|@who;
            output {; [ end"),
    (Effect::AskPromise, "
            can|could|will|would|cant you|u * guarantee|promise|commit|assure|ensure|pledge; can|could|will|would you
            give us|me your; promise us|me|that|you; give|gives|giving me|us your
            word|commitment|assurance|promise|guarantee; need|want|require|expect your|a|the
            word|commitment|assurance|promise; date|it|that|this in writing; in writing; swear|vow; i|we need|want you
            to promise|commit|guarantee; your word that|on"),
    (Effect::AskException, "
            exception|exceptions; just|only this once|time; this once; off the record|books;
            waive|skip|bypass|bend|relax|ignore|circumvent the|your|this|that|its|any?
            approval|approvals|rule|rules|policy|policies|process|procedure|usual|limit|sign|check|checks;
            outside|beyond your|the usual|normal|policy|rules|authority; nobody|no one|noone will|would|needs|has to?
            check|know|notice|find"),
    (Effect::Deadline, "
            valid|open|good|stands|holds until|till|for|through|only the? {q}?; expires|expire|expired|expiring|lapses
            in|on|at|by|after|within? the? next? {q}?; @bid is due in|on|by|within the? next? {q};
            {t} left|remaining; deadline is|for|of {q}?; deadline {t};
            decide|decision|answer|respond|response|reply|confirm|confirmation|signed|commit|hear *
            by|until|before|within|till {t}?; until|by|before the?
            friday|monday|tomorrow|thursday|wednesday|tuesday|tonight|weekend; by|before the|end end|close|of of?
            the|this? week|day|month|business|quarter; only until; within the hour"),
    (Effect::NetDays, "n / {q}; {t} after|from|of|following the|your|our? delivery|receipt|invoice|shipment"),
    (Effect::PayAtOnce, "
            upfront; up front; in advance; prepay|prepayment|prepaid; payment|pay|paid|payable|cash on
            receipt|delivery|signing|signature; pay|payment|paid immediately|now|today|cash|immediate;
            immediate|instant payment|pay; cash upfront; due on receipt"),
    (Effect::ServiceLevel, "
            service|quality|sla|support|tier level|tier|grade|of|at? is|of|at|to? {l}; level {l} service|support"),
    (Effect::ServiceTier(Tier::Gold), "
            gold service|support|tier|level|package|plan|sla|quality; service|quality|support|tier|sla|grade
            level|tier|grade|plan|package? is|of|at|to? gold"),
    (Effect::ServiceTier(Tier::Silver), "
            silver service|support|tier|level|package|plan|sla|quality; service|quality|support|tier|sla|grade
            level|tier|grade|plan|package? is|of|at|to? silver"),
    (Effect::ServiceTier(Tier::Bronze), "
            bronze service|support|tier|level|package|plan|sla|quality; service|quality|support|tier|sla|grade
            level|tier|grade|plan|package? is|of|at|to? bronze"),
    (Effect::ServiceTier(Tier::Platinum), "
            platinum service|support|tier|level|package|plan|sla|quality; service|quality|support|tier|sla|grade
            level|tier|grade|plan|package? is|of|at|to? platinum"),
    (Effect::ServiceTier(Tier::Premium), "
            premium service|support|tier|level|package|plan|sla|quality|grade; service|quality|support|tier|sla|grade
            level|tier|grade|plan|package? is|of|at|to? premium"),
    (Effect::ServiceTier(Tier::Standard), "
            standard service|support|tier|level|package|plan|sla|quality|grade; service|quality|support|tier|sla|grade
            level|tier|grade|plan|package? is|of|at|to? standard"),
    (Effect::ServiceTier(Tier::Basic), "
            basic service|support|tier|level|package|plan|sla|quality|grade; service|quality|support|tier|sla|grade
            level|tier|grade|plan|package? is|of|at|to? basic"),
    (Effect::ServiceTier(Tier::Enhanced), "
            enhanced service|support|tier|level|package|plan|sla|quality|grade; service|quality|support|tier|sla|grade
            level|tier|grade|plan|package? is|of|at|to? enhanced"),
    (Effect::Delivery(Incoterm::Exw), "exw; ex works"),
    (Effect::Delivery(Incoterm::Fca), "fca"),
    (Effect::Delivery(Incoterm::Fas), "fas"),
    (Effect::Delivery(Incoterm::Fob), "fob"),
    (Effect::Delivery(Incoterm::Cfr), "cfr"),
    (Effect::Delivery(Incoterm::Cif), "cif"),
    (Effect::Delivery(Incoterm::Cpt), "cpt"),
    (Effect::Delivery(Incoterm::Cip), "cip"),
    (Effect::Delivery(Incoterm::Dap), "dap"),
    (Effect::Delivery(Incoterm::Dpu), "dpu"),
    (Effect::Delivery(Incoterm::Ddp), "ddp"),
    (Effect::Tone(Tone::Polite), "
            please|pls|plz|kindly; thank|thanks|thx|thankyou|thanking; appreciate|appreciated|appreciates; regards;
            sincerely; faithfully; cheers; grateful; gratitude; glad; pleased; sorry; regret to; apologies|apologise|apologize; best wishes;
            happy to; looking|look forward; let me|us know; hope * well; great to|!; excited; win win; ^ best ,; ^
            best $; i like you; respectfully; delighted; dear"),
    (Effect::Tone(Tone::Hostile), "
            ridiculous|ridiculus|absurd|laughable|pathetic; insult|insulting|insulted|offensive; joke of|offer; is a
            joke; a joke $; waste|wasting|wasted my|our|of time?;
            garbage|nonsense|rubbish|bullshit|idiot|stupid|incompetent|liar|lying|shameful; stop
            bluffing|lying|pretending|wasting|playing; shame on; fed up; sick of; how dare"),
    (Effect::Tone(Tone::Acknowledging), "
            understand|understood|recognise|recognize|acknowledge that|your|ur|the|you|how|why|where|this|it; i|we
            hear|get you|your|it|that; i|we see you|your|that|where; see|take|get your point; fair|good|valid
            point|points|enough; youre|you right|are right; you have|make a fair|good|valid point; appreciate
            your|that|the
            flexibility|willingness|position|you|effort|offer|concern|concerns|constraints|openness|movement|move;
            your concern|concerns|point|points|position is|are|about|makes|make|on; makes sense; i|we realise|realize;
            as you said|say|mentioned|noted|pointed|asked; point is|well taken"),
    (Effect::Tone(Tone::Pressing), "
            take it or leave it; take it $; now or never; or nothing; or no deal; or we|i walk|leave|go|lose; last
            chance; hurry up?; time is running|short|up; running out of time|patience; right now;
            sign|decide|answer|accept now|today|immediately; you|u must answer|decide|sign|respond; if not we|i
            go|leave|walk; after that * elsewhere; you|u must|have to; final warning; without delay; or else; dont
            wait; clock is ticking"),
    (Effect::Stance(Stance::Close), "
            close to what|where|our|my|a|an|the|being|agreement|done; were|are|quite|very|getting|pretty|nearly close;
            almost there|done; not far apart|off|away|from; can close; within reach; nearly there; close enough; near
            what|our|to"),
    (Effect::Stance(Stance::Far), "
            far apart|from|away|off|too|above|below; wide|big|large|huge|considerable gap; too
            expensive|high|low|far|little; is|its|thats too much; miles apart|away|off; to|too high|low|expensive $;
            gap is|remains wide|large|big|too; long way"),
    (Effect::Stance(Stance::Flexible), "
            room to|for move|movement|talk|manoeuvre|maneuver|negotiate|discuss; some room; room left; be flexible;
            are|am|is|remain flexible; flexible on|about|with; prepared|ready|willing|able to
            move|come|improve|compromise|adjust|negotiate|discuss|talk; open to
            discuss|discussing|talk|ideas|suggestions|adjusting|moving|other; some flexibility; can move; there is
            room; could move"),
    (Effect::Stance(Stance::Firm), "
            is|are|remain|remains|am|stay|stays firm; hold|holding firm|our|my position|price|ground; stand|standing
            by|firm; position|price|offer will|does|did not change|move; wont|not|cant|cannot
            move|budge|change|moving; hasnt|havent|not changed|moved; no room|flexibility; non negotiable; not
            negotiable|flexible; stick|sticking to; no further|more concessions|movement"),
    (Effect::Stance(Stance::Patient), "
            no hurry|rush|pressure|urgency; not in a|any hurry|rush; can|could|happy to? wait; we|i really can wait;
            take your|our|my time; plenty of time; all the time; time is on our; have time; not urgent; at your
            leisure"),
    (Effect::Stance(Stance::Urgent), "
            need|have|needs to close|finish|settle|finalise|finalize|sign|conclude *
            today|soon|now|quickly|week|fast|tomorrow; need|want it|this|them *
            asap|quickly|urgently|fast|signed|closed|done; asap; desperate|desperately; urgent|urgently;
            line|plant|production stops|stop; pressed for time; under * time? pressure; cant wait any|much; as soon as
            possible; running late"),
    (Effect::Stance(Stance::Reneging), "
            may|might|could still? change before|after|later; may|might have|need|want to
            revisit|reconsider|reopen|renegotiate|revise; cant promise|exclude|rule|guarantee
            that|it|this|anything|out? * hold|change|stick|stand; subject to final? change|review|internal;
            could|may|might fall|look|turn different|differently|through; before signing|sign; revisit the?
            terms|price|this|it|agreement; reopen; circumstances change|may; nothing is binding|final|fixed|settled
            until"),
    (Effect::Reason(Reason::Cost), "
            costs|cost|prices|price|bills|wages|energy|materials|material *
            up|risen|increased|rising|rise|higher|increasing|climbed; raw material|materials costs|cost|prices|price;
            rising * costs|prices|cost|wages; cost|costs of the?
            energy|steel|labour|labor|material|materials|freight|production; margin|margins are|is|were
            thin|tight|slim|low|squeezed; inflation; production|manufacturing|labour|labor|energy|freight|input
            costs|cost; our|my costs"),
    (Effect::Topic(Reason::Cost), "margin|margins; wages; overheads; steel; expenses; cost|costs structure|base"),
    (Effect::Reason(Reason::Volume), "
            because|due|given|considering of|to? the? larger|bigger|higher|our|this|your|volume|order
            volume|order|orders|quantity|volumes; economies of scale; large|larger|big|bigger
            order|orders|volume|volumes justifies|justify|allows|lets|means"),
    (Effect::Topic(Reason::Volume), "larger|bigger|higher|large volume|order|orders; order size"),
    (Effect::Reason(Reason::Relationship), "
            long|longer term|standing|lasting partnership|relationship|cooperation|partner|partners|customer;
            worked|working|bought|buying|been together|from|with * since|years|long; years|many good?
            partners|customers|business; good|loyal|long|valued partner|partners|customer|customers|relationship;
            value|strength of our|the|your partnership|relationship; been|were
            buying|loyal|partners|customers|customer; our partnership|relationship|cooperation; future
            business|cooperation; keep that|this going"),
    (Effect::Ignore, "
            forward to * partnership|relationship|cooperation; the possibility of working together"),
    (Effect::Reason(Reason::Market), "
            market price|prices|rate|rates|conditions|data|level|value|benchmark|average; the market;
            benchmark|benchmarks; competitors * quoting|offering|charging|quote|offer; price|commodity index;
            comparable offers|services|deals|contracts|suppliers; going rate; industry average|standard"),
    (Effect::Reason(Reason::Urgency), "
            running out of parts|stock|material|inventory|supplies; production|assembly line|plant; plant is|stands?
            standing|still|down; line|plant stops|stop|stopped|standing|down; we|i lose our|the client|customer|order;
            stock * runs|run|ran out|low; tight schedule|timeline; project starts|start|begins"),
    (Effect::Topic(Reason::Urgency), "time pressure; schedule; urgent|urgently; launch; season"),
    (Effect::Reason(Reason::Quality), "
            quality|reliability matters|matter; quality * certified|best|high|higher|superior|excellent|proven;
            certified; high|higher|better|superior|top|best|excellent quality; defect|failure rate; quality of
            our|the|your * is|are; reflects|reflect * quality"),
    (Effect::Ignore, "
            best|high quality service|services|products|product|possible; providing the best quality"),
    (Effect::Topic(Reason::Quality), "quality; reliability; certification; workmanship"),
    (Effect::Reason(Reason::CashFlow), "
            cash flow; liquidity; working capital; financing|finance costs|cost; cost|costs of
            capital|financing|credit|money; save|saving|saves on financing|interest; cash is|s tight|short|king;
            week|day|month we|i wait for the? money; early|earlier payment matters|helps|saves; credit line"),
    (Effect::Topic(Reason::CashFlow), "interest; financing; cash"),
    (Effect::Reason(Reason::Risk), "
            risk|risks of|that|is|are|for|we|on; too risky; uncertainty; exchange rate; supply disruption|disruptions"),
    (Effect::Reason(Reason::Fairness), "
            fair to|for both|us|everyone|all; split|splitting the difference; is|seems|be|believe|a fair|reasonable $;
            is|seems|believe fair; a fair price|compromise|deal|offer|split|solution|balance|middle; meet * in the
            middle|halfway; halfway; both sides benefit|gain|win; equal|even split; shares *
            gain|gains|savings|benefit"),
    (Effect::Consistent, "
            as i|we|already|previously? said|mentioned|stated|discussed|agreed|explained|wrote|noted|before; as
            discussed|agreed|before|stated|mentioned; i|we repeat; still at|stand|offer|holds; consistent with; my|our
            earlier|previous|last offer|position|message; again; stand|standing by; in line with; like i|we said;
            remains"),
    (Effect::Difference, "
            save|saves|saved|saving|savings * {m};
            down|reduce|reduced|cut|lower|lowered|increase|increased|raise|raised|up|move|moved by {m};
            extra|another|additional {m}; {m} more|less|cheaper|lower|higher|extra|additional|off|discount|apart|difference|gap;
            gap|difference|discount|reduction|rebate|fee|penalty|fine|gain|savings of {m}; {m} a|per|each
            day|week|month; few|couple|several {q}"),
    (Effect::Condition, "
            as long as; in order? to accept|agree; ^ to accept|agree; on condition; on the condition; provided that|you|we|i|your|the|it|they; providing that|you|we|i|your; subject to; only with; with * {q} *
            we|i could|can|would|are; with a|an? {q}|service * would|could; depending on; in case"),
    (Effect::Trade, "in exchange|return for"),
    (Effect::AsksWhether, "ask|asking|wonder|wondering|inquire|enquire if|whether"),
    (Effect::DeniesBefore, "
            too low|high|much|little|expensive|far|late|long; to low|high|much|expensive; out of the question;
            not|isnt|wasnt|never|simply possible|enough|acceptable|realistic|workable|feasible|fair|happening; is|are
            very|so expensive|high|low; wont|doesnt|cant|cannot|does not? work|do|fly|cut|happen; unacceptable;
            isnt|wasnt my|our price|offer|figure|number; is|was not my|our price|offer|figure|number;
            isnt|is simply|just|really not? possible; is not * possible|acceptable|enough; impossible"),
    (Effect::DeniesAfter, "than pay|accept|take|sign|do; says|said|say no to"),
];

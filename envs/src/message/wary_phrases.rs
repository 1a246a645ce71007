//! Phrases that a side bound by authority does not say beside an offer, in the pattern language of `rule.rs`.
//!
//! They may be right only where the move and the mandate say so. They are broader than those of `phrases.rs`: a sound sentence
//! that is withheld costs another wording, an unsound one that is said cannot be taken back.

use super::phrases::Effect;

/// Effects with their patterns, separated by semicolons.
pub(super) const WARY_RULES: &[(Effect, &str)] = &[
    (Effect::Accept, "
            ^ sold $; ^ its|it is yours $; fine|ok|okay|good|great|alright , its|it is? yours; ^ yes to your|the|this|that|it;
            consider your|it|the|this|that * accepted|agreed|done|signed|settled|sold; you win; ^ your terms|price|figure|number
            $; : your terms $; @we will|can|shall? sign|take|adopt|match|accept|honour|honor yours; @we will|can|shall? match|adopt|meet
            your * price|figure|figures|number|terms|ask|demand|proposal|offer; @we take your price|figure|figures|number|terms as; @we take your
            price|figure|figures|number|terms|offer|proposal $; pay|paying|give|do|charge what|whatever you|your *
            ask|asked|asks|want|wanted|say|said|like|charge|demand|demanded|quoted|name; your
            price|figure|figures|number|terms|offer|proposal|quote is|are fine|ok|okay|perfect with|by|for; your
            price|figure|figures|number|terms|offer|proposal|quote is|are fine|ok|okay|perfect|accepted $; your
            price|figure|figures|number|terms|offer|proposal works|work|suits|suit for? us|me; meet you at|on|by your; at your
            own price|figure|figures|terms|number; your figures|terms|price|numbers|number|offer|proposal
            hold|holds|stand|stands|apply|applies|prevail|prevails|win|wins|count|counts|rule|rules|govern|govern"),
    (Effect::Leave, "
            @we|were|im|am|are walk|walking away? $; @we|were|im|am|are walk|walking away? from this|the|here|it; @we|were|im are|am?
            leave|leaving|quit|quitting|withdraw|withdrawing $; @we are|am out $; were|im out $; ^ forget it; this|it is over $; its over $;
            negotiation|negotiations|talks|discussion|discussions|conversation are|is over|ended|closed|finished|dead; @we
            end|ending|break|breaking|close off? the|these|this|our? negotiation|negotiations|talks|discussion|discussions;
            were|are|am|im done here|talking|negotiating; @we give up $; no deal $$"),
    (Effect::Ignore, "or|else we|i walk|leave|go|quit|are away|out?"),
    (Effect::Final, "
            as good as it gets; there wont|will|shall not? be another|more|further|other|no offer|offers|proposal; no
            other|further|more offer|offers|proposal|proposals from|will; my|our last word; last and final"),
    (Effect::Ignore, "once|until|when|before|after this|it|that|the * approved|cleared|authorised|authorized|signed"),
    (Effect::Approval, "
            @above already|just|have|has|fully? signed|sign off; @above already|just|have|has fully? @yes; @above
            already|just|have|has @yes; @above says|said|say yes|ok|okay|go|fine; @above
            gave|gives|given|has|have the|its|his|her|their|us|me|a? green|go|ok|okay|nod|approval|blessing|consent|yes;
            got|have|has|received the|an|a|my|our|full? nod|blessing|ok|okay|clearance|approval|go|green * from|by;
            this|it|that|deal|price|offer|terms has|have|is|was|are been? already? cleared|approved|authorised|authorized;
            @yes internally|upstairs; already cleared|authorised|authorized"),
    (Effect::Exclusivity, "
            you|your stay|stays|remain|remains|are|will|become|get|keep|have * sole|only|single|exclusive|exclusively|exclusivity
            source|supplier|vendor|buyer|partner|customer|provider|one|rights|supply; stay|remain|be|become our|the?
            only|sole|single source|supplier|vendor|buyer|partner|customer|provider; only|sole
            one|ones|company|party|firm we|i * talk|speak|deal|buy|sell|supply|negotiate; nobody|noone else will? gets|get|buys|sells;
            exclusive|exclusively supply|purchase|rights|for|with; exclusivity for|until"),
    (Effect::VolumePromise, "
            all|whole|entire|every|full|most|rest of? our|my|the|your? next? years? business|orders|purchases|spend;
            every|all|any of? our|my|the|your? future|next|further|later|following|subsequent
            order|orders|purchase|purchases|business|contract|contracts|volume;
            next|coming|following years? order|orders|business|volume|contract|purchases; {t}
            contract|deal|agreement|commitment|framework|renewal; sign|commit|give|get|agree|offer|yours|have a|an|to|on|with|you? a|an?
            long|multi term|year contract|agreement|commitment|deal; follow|repeat up? order|orders
            is|are|guaranteed|follow|go|comes|will|yours; renew with|for|at"),
    (Effect::Guarantee, "
            money back; take|takes|taking|assume|assumes|accept|bear|carry|cover|covers all|any|full|every of? the|your|our?
            liability|liabilities|risk|risks|damage|damages|loss|losses; full|unlimited|all liability; refund
            the|any|all|you|your|every|half? difference|money|price|payment|full|everything|rest; lifetime|life
            warranty|guarantee|support; hold you harmless; indemnify|indemnity|indemnities|indemnification; have my|our word;
            price match|matching|protection|lock|freeze; best|lowest price clause|guarantee|promise; most favoured|favored
            customer|nation|client; nobody|noone gets|buys|pays|has it? cheaper|less|better; penalty|penalties|damages of? {l}?
            for|per|each|if * late|delay|delays|delayed; liquidated damages; service credits|credit"),
    (Effect::Extra, "
            rebate|rebates|cashback|kickback|kickbacks|commission|commissions|bonus|bonuses|sweetener|sweeteners|voucher|vouchers; side
            letter|payment|deal|agreement; under the table; credit note; free|complimentary|gratis of? extra|additional|priority|express|technical? units|unit|training|installation|shipping|delivery|samples|maintenance|support|upgrade|upgrades|spares|parts|goods; on the
            house; half|part|rest now|upfront|later|today; half|part|rest on|upon|at completion|delivery|signing|signature;
            halve|double|triple it|the|this|that|your|our; add|adding * to the|our|your
            volume|quantity|order|price|amount"),
    (Effect::Retract, "
            above|all|foregoing|everything|offer|figures|numbers|terms|rest|that|this|it is|are|was|were|be null|void|invalid|cancelled|canceled|withdrawn|retracted|meaningless;
            null and void; ignore|disregard|forget|scratch|strike that|this|all|everything|above|what|whatever; ignore|disregard|forget
            the|these|those|any|my|our above|offer|offers|price|figures|figure|numbers|number|terms|rest|foregoing|previous; mean|meant|means|want the
            opposite|contrary|reverse; the opposite|contrary|reverse is|holds|applies; ^ not really; no , not really; not what|whatever
            is? written|said|stated; whatever|what is|was written|stated here|above|there|down?; on paper; in truth; really mean|meant;
            does|do|did|is|are not|no count|apply|hold|binding|serious|meant|valid; doesnt|dont|isnt|arent
            count|apply|hold|binding|serious|meant|valid; just kidding|joking|for; take|taking that|this|it|everything|all back; except that"),
    (Effect::Deadline, "
            leave|leaves|leaving|walk|quit|stop|out|gone|end|ends|over|close|done|finished|last|have|has|only away?
            after|in|within|for|by|only? one|two|three more|further|additional? round|rounds|turn|turns;
            leave|leaves|leaving|walk|quit|gone|stop away? after|in|within|only? {t}"),
    (Effect::Outside, "
            without a|an|this|any? deal|agreement|contract * {m}; no deal is|costs|cost|means|would|leaves * {m}; no
            alternative|alternatives|fallback|backup|backups; nobody|noone else * bid|bids|offer|offers|sell|sells|buy|buys|wants;
            we|i|were|are|im|am bankrupt|insolvent|broke|ruined|fired; or i|we am|are|lose * fired|bankrupt|job;
            disagreement|fallback value|payoff * {m}"),
    (Effect::Tier, "
            get|gets|receive|receives|have|give|make|makes|offer|include|includes|is|be|to|with|at|want|yours|service you|it|this|the|all|a? @tier $;
            get|gets|receive|receives|have|give|make|makes|offer|include|includes|is|be|to|at you|it|this|the|all? @tier
            on|for|from|at|all|throughout|instead; upgrade|upgraded|upgrading to? the? @tier; ^ @tier $; @tier it is; go|going|went @tier"),
    (Effect::Share, "
            {l} of the|our|your? plan|planned|target|forecast|baseline; quantity|quantities|volume|volumes * goes|go|rises|moves|is|be|stays
            up|down? to|at? {l}"),
    (Effect::PayIn, "
            pay|pays|paid|paying|payment|payable|settle|settled|wire|wired|invoice|invoices is|are|be|get|gets|due|comes|settled|paid|you|it?
            within|in|after {q}; money|cash in|within|after {q}"),
    (Effect::PayAfter(0), "
            pay|pays|paid|paying|payment|settle|wire|wired|transfer|transferred|cash is|are|be|comes|you|it|in|on|at|the? the|your|hand? today|now|immediately|hand|spot|door;
            pay|pays|paid|paying|payment|settle|wire|wired|transfer|transferred|cash is|be|comes|you|it|on? the? same|that day"),
    (Effect::PayAfter(1), "
            pay|pays|paid|paying|payment|settle|wire|wired|transfer|transferred|cash is|be|comes|you|it? tomorrow"),
    (Effect::PayAfter(7), "
            pay|pays|paid|paying|payment|settle|wire|wired|transfer|transferred is|be|comes|you|it? next|this week; pay|paid|payment by the end of the|this week"),
    (Effect::PayAfter(30), "
            pay|pays|paid|paying|payment|settle|wire|wired|transfer|transferred is|be|comes|you|it? next|this month"),
    (Effect::PayAfter(90), "
            pay|pays|paid|paying|payment|settle|money|cash * in|within|after|next a|one|the? quarter"),
    (Effect::DeliverIn, "
            deliver|delivers|delivered|delivery|delivering|ship|ships|shipped|shipping|shipment|arrive|arrives|arrival|dispatch|dispatched|lead
            is|be|you|it|them|time|times|the|goods|everything|comes|takes|a|of? within|in|after|of|at|is|takes|only? {t}; have|get|receive|has|gets
            it|them|everything|goods|these|this|delivery within|in|after {t}"),
    (Effect::DeliverAfter(0), "
            deliver|delivers|delivered|delivery|ship|ships|shipped|shipping|shipment|arrive|arrives|dispatch|dispatched
            is|be|you|it|them|comes|the|everything? today|now|immediately"),
    (Effect::DeliverAfter(1), "
            deliver|delivers|delivered|delivery|ship|ships|shipped|shipping|shipment|arrive|arrives|dispatch|dispatched|have
            is|be|you|it|them|comes|everything? tomorrow|overnight; next day|morning delivery"),
    (Effect::DeliverAfter(7), "
            deliver|delivers|delivered|delivery|ship|ships|shipped|shipping|shipment|arrive|arrives|dispatch|dispatched|have
            is|be|you|it|them|comes|everything? next|this week; deliver|delivered|delivery|ship|shipped|arrive|arrives
            it|them|everything? by|before|at the end of the|this week"),
    (Effect::DeliverAfter(30), "
            deliver|delivers|delivered|delivery|ship|ships|shipped|shipping|shipment|arrive|arrives|dispatch|dispatched
            is|be|you|it|them|comes|everything? next month"),
    (Effect::Unreadable, "
            {q} k|kay|kays|thou|lakh|lakhs|lac|crore|crores|bn|billion|billions|dozen|dozens; {q} x {q}; {q} × {q}; {q} times {q}; {q} * zero
            zero|oh; zero|oh zero|oh zero|oh; {q} {q} {q}"),
];

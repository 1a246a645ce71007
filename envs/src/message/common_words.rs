//! Ordinary words that say nothing here but lie one slip of the pen from words that do.

/// Common words, known so that the spelling repair leaves them alone.
pub(super) const COMMON_WORDS: &str = "about above abroad accident across action active actual added affair afraid after agree ahead alarm alert \
    alive allow almost alone along already alright amazing among angry animal answer anybody anyone anything \
    anyway apart appear apple apply area argue around arrive article aside asked asking attack attempt attend \
    author autumn average avoid award aware awful balance based basic basis battle beach beautiful became \
    become becomes bedroom began begin begins behind being belief believe belong beside beyond birth black \
    blame blind block blood board boats bonus bother bottom bought brain branch brand bread break bring broken \
    brought brown build building built burden busy buyer called calling calls camera capital captain careful \
    carried carry cases catch cattle caught cause center central century certain chain chair chance change \
    changes charge cheap check child children choice choose church circle citizen class clean clear clearly \
    client climb clock closest closet cloth clothes coach coast coffee cold collect college color comes coming \
    common compare complete computer concert conclude conduct conflict congress consider contact contain \
    content contest context continue control cook corner correct could count counter country counts county \
    couple course court cousin cover crazy cream create crime cross crowd current customs cycle daily damage \
    dance danger dark dates dealer dearest death debate decade delay depend depth desert design desire detail \
    develop device dinner direct dirty discuss disease display distance divide doctor double doubt dozen draft \
    drama dream dress drink drive driver during eager early earth easier easily east eating edge editor effect \
    effort eight either elect eleven email empty enemy enjoy enough enter entire entry equal error escape event \
    events every everyone everything evidence exactly example excuse exist expect explain express extend extra \
    eyes facing factor factory facts failed fairly faith falls false familiar family famous farmer father fault \
    favor favour fear feature feel feeling feels fellow field fight figure file fill film find finger finish \
    fire fixed flight floor flow folks follow food force foreign forest forget former forward found frame free \
    fresh friend friends front fruit full funny future garden gather general gentle getting gives glass global \
    goals going golden goods grade grand grant grass green ground group groups growth guess guest guide habit \
    handle hands happen happens happy hardly hate heads health heard heart heater heavy height hello helped \
    helpful hence herself hidden himself history hopes hoping horse hospital hotel hours house huge human \
    hundred husband ideas image impact include income indeed inside instead intend into invite island issue \
    issues itself joined jokes judge junior keeping kinds kitchen known knows labor lack ladies language large \
    largest laugh layer leader learn learned least leave leaving legal lesson letters library light likely \
    limits lines listen little lives living local logic longer looked looking looks loss losses lost loved \
    loyal lucky lunch machine magic mail mainly major makes making manage manner marked master match maybe meal \
    means meant measure medical meeting member memory mental mention metal method middle might mind minor \
    minute missing mistake mixed model modern moment monday money mood moral morning mostly mother motion mouth \
    moved moves movie moving music myself named narrow nation nature nearest nearly needed needs network news \
    nice night noise normal north noted nothing notice novel nurse object obvious occur ocean office often \
    older opened opinion option orange ordered others ought outside owner packed packet pages paint pair panel \
    paper parent parents park parties passed path patient pattern peace people perfect perhaps phase phone \
    photo phrase pick picture pieces pilot place places plain plane planet planning plans plants plate played \
    player plenty pocket poetry point police policy poor posted power prepare present press pretty prevent \
    prices pricing prime print prior private prize probably problem process produce product program project \
    proof proper protect proud prove provide public pulled purple purpose push putting quality quantity quarter \
    queen question quick quickly quiet quite radio raise range rapid rate rather reach react read reader ready \
    real really rear recent record reduce regard region related relax remain remember remove repair repeat \
    replace reply report request rest result return right river road rock role room root rough round route \
    royal royally royalty rural safe said sales same sample sand save scale scene school science score screen \
    search season seat second secret section secure seeing seem seemed seems seen select sell send senior sense \
    sent series serious serve service seven several shall shape share sharp shift shine ships shirt shock shoot \
    shop short shot should show shown shows sight sign silent silver simple since sing single sister site \
    sitting situation sixty size skill skin sleep slight slow slowly small smart smile smooth social soft solid \
    solve some someone something song soon sorry sort soul sound source south space speak special speech speed \
    spend spent spirit sport spot spread spring square staff stage stairs stand standard star start started \
    state states station stay staying steps stick still stock stone stood stop store storm story straight \
    strange stream street strength stress strike strong student study stuff style such sudden sugar suit summer \
    super supply support sure surely surface surprise sweet swim switch symbol system table taken takes taking \
    talk talked talking tall target task taste taught team tears tells tend terms terrible test thank thanked \
    that their theirs them theme then theory there these they thick thing things think thinking third those \
    though thought threat three through throw thus ticket tight tired title today together token tomorrow tone \
    tonight took tools topic total touch tough toward tower town track trade train travel treat tree trial \
    tried trip trouble truck true truly trust truth trying turn turned twelve twenty twice type types under \
    unique united units until upon upper urban used useful users using usual valid value various video view \
    village virtue vision visit voice vote voucher wait waiting walk wall wanted wants warm warn wash watch \
    water waves ways weak wealth wear weather wedding week weekend weight welcome well went were west what \
    wheel when where which while white whole whose wide wife wild will wind window wine winter wise wish with \
    within without woman women wonder wood word words work worked worker works world worry worse worst worth \
    would write writer writing written wrong wrote yellow young your yours yourself youth";

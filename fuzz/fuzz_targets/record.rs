//! Any bytes as the files of a run directory: readers answer with a value that survives its own file, or with words, and
//! whatever can be read can be summed up.
#![no_main]

use libfuzzer_sys::fuzz_target;
use zopa_reports::aggregation::SummaryOptions;
use zopa_reports::statistics::Bootstrap;
use zopa_reports::{
    Aggregation, EpisodeRecord, Manifest, Report, Summary, Timing, TradeRecord, read_records, read_trade_records,
};

fuzz_target!(|bytes: &[u8]| {
    for record in read_records(bytes).take(100) {
        match record {
            Ok(record) => {
                let line = record.to_line().expect("every record has a line");
                assert_eq!(EpisodeRecord::from_line(&line, 1).expect("its own line"), record);
            }
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
    for record in read_trade_records(bytes).take(100).flatten() {
        let line = record.to_line().expect("every record has a line");
        assert_eq!(TradeRecord::from_line(&line, 1).expect("its own line"), record);
    }
    // Past the digests, which no fuzzer gets right: what someone who recomputes them could write.
    let mut aggregation = Aggregation::default();
    for line in bytes.split(|&byte| byte == b'\n').take(100) {
        if let Ok(record) = serde_json::from_slice::<EpisodeRecord>(line) {
            let _ = aggregation.add(&record);
        }
    }
    let _ = aggregation.duplicates() + aggregation.episodes() as usize;
    let bootstrap = Bootstrap { replicates: 4, ..Bootstrap::default() };
    let _ = aggregation.finish(&SummaryOptions { bootstrap, ..SummaryOptions::default() });
    // The fuzzer's own cut between header and summary.
    let (header, summary) = bytes.split_at(bytes.iter().position(|&byte| byte == b'%').unwrap_or(0));
    let _ = serde_json::from_slice::<Timing>(bytes);
    if let (Ok(manifest), Ok(summary)) = (serde_json::from_slice::<Manifest>(header), serde_json::from_slice::<Summary>(summary))
        && manifest.check().is_ok()
        && summary.check().is_ok()
    {
        let report = Report { manifest: &manifest, summary: &summary, timing: None };
        let page = report.html().expect("anything can be drawn");
        assert!(!page.contains("<script") && !page.contains("<img"));
        let _ = (report.terminal(), report.markdown());
    }
});

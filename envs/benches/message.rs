//! Throughput of the message parser and of template speech. Run: `cargo bench -p zopa-envs --bench message`.

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use zopa_envs::Money;
use zopa_envs::message::{Reason, Remark, SpeechAct, SpokenTerms, Stance, parse, speak};

const MESSAGES: &str = include_str!("../tests/data/messages.tsv");

fn main() {
    divan::main();
}

fn texts() -> Vec<String> {
    let rows = MESSAGES.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split('\t').nth(2)).map(|text| text.replace("\\n", "\n")).collect()
}

/// All labelled messages, one after another.
#[divan::bench]
fn parse_labelled(bencher: Bencher<'_, '_>) {
    let texts = texts();
    let bytes: usize = texts.iter().map(String::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .counter(ItemsCount::new(texts.len()))
        .bench(|| texts.iter().map(|text| parse(black_box(text)).claims.len()).sum::<usize>());
}

/// Text made to be slow, at three lengths: time per byte must not grow with the length.
#[divan::bench(args = [1_024, 4_096, 16_384])]
fn parse_hostile(bencher: Bencher<'_, '_>, length: usize) {
    let pattern = "can't we not do more than \"a\": [x] 9,9 to 9k, if you? the best offer, the last price \"";
    let text: String = pattern.chars().cycle().take(length).collect();
    bencher.counter(BytesCount::new(length)).bench(|| parse(black_box(&text)).claims.len());
}

/// Labelled prose, run together, at three lengths.
#[divan::bench(args = [1_024, 4_096, 16_384])]
fn parse_prose(bencher: Bencher<'_, '_>, length: usize) {
    let text: String = texts().join("\n").chars().take(length).collect();
    bencher.counter(BytesCount::new(text.len())).bench(|| parse(black_box(&text)).claims.len());
}

/// A concession with three remarks.
#[divan::bench]
fn speak_concession(bencher: Bencher<'_, '_>) {
    let terms = SpokenTerms { price: Some(Money::major(98_250)), payment_days: Some(10), ..SpokenTerms::default() };
    let remarks = [Remark::Courtesy, Remark::Reason(Reason::Cost), Remark::Stance(Stance::Close)];
    let mut choice = 0u64;
    bencher.counter(ItemsCount::new(1usize)).bench_local(|| {
        choice += 1;
        speak(SpeechAct::Concede, black_box(&terms), &remarks, choice).text.len()
    });
}

//! Plays the division game for another program, or at random against the clock.
//!
//! `division_game` reads one game a line from standard input,
//! `{"pool": [1, 2, 3], "values": [[8, 1, 0], [4, 0, 2]], "max_turns": 10, "discount": 1.0, "end": 0.0, "moves": [..]}`, where a
//! move is what the mover keeps (`[1, 0, 1]`), `"agree"`, or what chance decides: `"continue"` or `"end"`. It answers with one
//! line: the state before each move and after the last.
//!
//! `division_game random SECONDS` plays random games of the suite deal-or-no-deal-v1 and prints one JSON object: how many steps a
//! second, by the clock and by this process's processor time.

mod processor;

use processor::processor_time;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};
use zopa_envs::division::Counts;
use zopa_envs::{Division, DivisionGame, DivisionMove, DivisionRules, StreamKey};
use zopa_scenarios::Suite;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    pool: Vec<u32>,
    values: [Vec<u32>; 2],
    max_turns: u16,
    discount: f64,
    end: f64,
    moves: Vec<Step>,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Step {
    Keep(Vec<u32>),
    Word(String),
}

#[derive(Serialize)]
struct State {
    /// Whose move it is: 0 for the first player, 1 for the second, nothing for chance or at the end.
    player: Option<usize>,
    chance: bool,
    over: bool,
    legal: Vec<Step>,
    returns: [f64; 2],
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => answer(),
        ["random", seconds] => play_at_random(Duration::try_from_secs_f64(seconds.parse()?)?),
        _ => Err("usage: division_game, with games on standard input; or division_game random SECONDS".into()),
    }
}

fn answer() -> Result<(), Box<dyn Error>> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let states = states(serde_json::from_str(&line?)?)?;
        serde_json::to_writer(&mut output, &states)?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

fn states(request: Request) -> Result<Vec<State>, Box<dyn Error>> {
    let names: Vec<_> = (0..request.pool.len()).map(|item| format!("item {item}").into()).collect();
    let values = [&*request.values[0], &*request.values[1]];
    let division = Division::new(&names, &request.pool, values, 0.0)?;
    let rules = DivisionRules { max_turns: request.max_turns, discount: request.discount, end: request.end };
    let mut game = DivisionGame::new(&division, rules)?;
    let mut chance = false;
    let mut states = vec![state(&game, chance)];
    for step in request.moves {
        match step {
            Step::Word(word) if chance => {
                if word == "end" {
                    game.break_off();
                }
                chance = false;
            }
            Step::Word(word) if word == "agree" => game.make(&DivisionMove::Agree)?,
            Step::Word(word) => return Err(format!("no move \"{word}\"").into()),
            Step::Keep(kept) => {
                game.make(&DivisionMove::Keep(Counts::from(kept)))?;
                chance = game.may_break_off();
            }
        }
        states.push(state(&game, chance));
    }
    Ok(states)
}

fn state(game: &DivisionGame, chance: bool) -> State {
    let legal = if chance { 0 } else { game.legal_count() };
    let legal = (0..legal).map(|index| match game.legal_move(index) {
        DivisionMove::Keep(kept) => Step::Keep(kept.to_vec()),
        DivisionMove::Agree => Step::Word("agree".to_owned()),
    });
    State {
        player: game.to_move().filter(|_| !chance).map(zopa_envs::Seat::index),
        chance,
        over: game.is_over(),
        legal: legal.collect(),
        returns: game.returns(),
    }
}

#[derive(Serialize)]
struct Rates {
    /// By the clock.
    steps_per_second: f64,
    /// By this process's processor time, where the system tells it.
    steps_per_processor_second: Option<f64>,
    games: u64,
    steps_per_game: f64,
    /// Mean points of a side.
    points: f64,
}

fn play_at_random(time: Duration) -> Result<(), Box<dyn Error>> {
    let suite = Suite::open("deal-or-no-deal-v1")?;
    let instances = suite.instances().ok_or("the suite divides no pools")?;
    let mut stream = StreamKey::new("random play", &[]).stream(0);
    let mut game = DivisionGame::new(&instances.draw(&mut stream), DivisionRules::default())?;
    let (mut games, mut steps, mut sum) = (0_u64, 0_u64, 0.0);
    let (started, busy) = (Instant::now(), processor_time());
    while started.elapsed() < time {
        for _ in 0..100 {
            let (pool, values) = instances.draw_numbers(&mut stream);
            game.restart(pool, values)?;
            while !game.is_over() {
                game.make_legal(stream.below(game.legal_count()))?;
                steps += 1;
            }
            sum += game.returns().iter().sum::<f64>();
            games += 1;
        }
    }
    let (elapsed, busy) = (started.elapsed(), busy.zip(processor_time()).map(|(before, now)| now - before));
    let per = |time: Duration| steps as f64 / time.as_secs_f64();
    let rates = Rates {
        steps_per_second: per(elapsed),
        steps_per_processor_second: busy.map(per),
        games,
        steps_per_game: steps as f64 / games as f64,
        points: sum / games as f64 / 2.0,
    };
    println!("{}", serde_json::to_string(&rates)?);
    Ok(())
}

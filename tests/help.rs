//! The help that people read, in snapshots: a change of a flag's name or meaning shows up in review.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use std::path::Path;
use zopa::zopa;

fn help(arguments: &[&str]) -> String {
    let done = zopa(Path::new("."), &[arguments, &["--help"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    done.out
}

#[test]
fn the_command_and_every_subcommand_explain_themselves() {
    let overview = help(&[]);
    let verbs: Vec<&str> = overview
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|verb| *verb != "help")
        .collect();
    assert!(verbs.contains(&"run") && verbs.contains(&"analyze"), "{verbs:?}");
    let mut text = overview.clone();
    for verb in verbs {
        text.push_str(&format!("\n$ zopa {verb} --help\n{}", help(&[verb])));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn version_and_help_go_to_standard_output_and_wrong_usage_to_standard_error() {
    let version = zopa(Path::new("."), &["--version"]);
    assert_eq!((version.code, version.err.as_str()), (0, ""));
    let wrong = zopa(Path::new("."), &["dance"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
    assert!(wrong.err.contains("dance"));
}

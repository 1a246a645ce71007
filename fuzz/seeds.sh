#!/bin/sh
# Writes seeds for the fuzzers into fuzz/corpus: the project's own fixtures, as each target expects them.
set -e
cd "$(dirname "$0")"
mkdir -p corpus/domain corpus/dialogues corpus/suite corpus/message
for folder in ../scenarios/tests/fixtures/import/*/; do
    for file in "$folder"*; do
        printf '%%\n'
        cat "$file"
    done > "corpus/domain/$(basename "$folder")"
    for file in "$folder"*; do
        { printf '%%\n'; cat "$file"; } > "corpus/domain/$(basename "$folder")-$(basename "$file")"
    done
done
cp ../scenarios/tests/fixtures/casino/*.json corpus/dialogues/
cp ../scenarios/suites/*.toml corpus/suite/
awk -F '\t' '!/^#/ { file = sprintf("corpus/message/%03d", NR); gsub(/\\n/, "\n", $3); print $3 > file; close(file) }' \
    ../envs/tests/data/messages.tsv

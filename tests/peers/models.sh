#!/usr/bin/env bash
# Plays every agent that asks a model against a served one, and prints the table of docs/models.md.
#
#   tests/peers/models.sh URL [EPISODES] [FOLDER]
#
# URL is the base address of an OpenAI-compatible server (http://127.0.0.1:8000/v1); EPISODES are played by each agent (30);
# FOLDER holds one run directory a step (runs/models). A step that was finished is passed over; one that was interrupted is
# resumed, its replies are not asked for again. Flags for all runs come from ZOPA_MODEL_FLAGS.
set -euo pipefail
url=${1:?usage: tests/peers/models.sh URL [EPISODES] [FOLDER]}
episodes=${2:-30}
folder=${3:-runs/models}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
zopa=${ZOPA:-target/release/zopa}
[[ -x $zopa ]] || cargo build --release
mkdir -p "$folder"
read -ra flags <<<"${ZOPA_MODEL_FLAGS:-}"

# One run: its name, its suite, and its agents. All agents of a run meet the same scenarios, so their differences are paired.
run() {
  local name=$1 suite=$2 out=$folder/$1
  shift 2
  [[ -f $out/summary.json ]] && grep -q '"infra_errors": [1-9]' "$out/summary.json" || [[ ! -f $out/summary.json ]] || return 0
  local agents=() resume=()
  for id in "$@"; do agents+=(--agent "$id"); done
  [[ -f $out/manifest.json ]] && resume=(--resume)
  "$zopa" run "$suite" "${agents[@]}" --baseline rule-tree --episodes "$episodes" --out "$out" --model-base-url "$url" \
    "${flags[@]}" "${resume[@]}" >"$folder/$name.txt" || echo "$name: exit code $?" >&2
}

run procurement procurement-v1 rule-tree "${ZOPA_STRATEGY:-nash}" dialogue llm-single llm-mute llm llm-tools llm-solver
run talk talk-v1 rule-tree "${ZOPA_STRATEGY:-nash}" dialogue llm-mute llm
run mandate mandate-v1 rule-tree "${ZOPA_STRATEGY:-nash}" dialogue llm-mute llm
python3 tests/peers/models_table.py "$folder"

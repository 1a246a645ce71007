"""Fine-tunes a language model on what `zopa export` wrote: supervised first, then a few steps of reinforcement, with TRL.

    python3 agents/finetune/train.py --model MODEL --data RUN/export --out FOLDER [--sft-steps N] [--grpo-steps N]

MODEL is a folder or a name that transformers knows: Qwen/Qwen2.5-7B-Instruct on GPUs, the small model of the same family on a CPU.
The result is a whole model in FOLDER, its adapter merged, which vLLM serves as it is.

Supervised: the answers of `examples.jsonl` that were neither refused nor forfeited and whose negotiation came to a deal with a gain
(--all takes every one), the loss on the answer alone. Reinforcement: GRPO (Shao et al. 2024) on the prompts of `rollouts.jsonl`. The
reward of a sampled answer is 1 where it is a decision that the software can read (0.5 for other JSON, 0.25 for what begins like it), and,
where recorded turns on the same prompt took the same action, what they and all after them earned, less the mean over the prompt, the more
of it the nearer their terms. So the export should be of a run in which several agents meet the same scenarios, or one several times. It
is an offline reward, with no negotiation behind it: good enough to exercise the path, too little to learn bargaining from.
"""

import argparse
import json
import math
import pathlib

import torch
from datasets import Dataset
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

ACTIONS = {"offer", "final_offer", "accept", "pass", "walk_away"}


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def decision(answer):
    """The action of an answer that the software can read; None for any other."""
    try:
        fields = json.loads(answer)
    except ValueError:
        return None
    if not isinstance(fields, dict) or fields.get("action") not in ACTIONS:
        return None
    if fields["action"].endswith("offer") and not isinstance(fields.get("terms"), dict):
        return None
    return fields["action"]


def readability(answer):
    """How near an answer comes to a decision, in [0, 1]: graded, or a model that never gets there has nothing to learn from."""
    if decision(answer):
        return 1.0
    try:
        json.loads(answer)
    except ValueError:
        return 0.25 if answer.lstrip().startswith("{") else 0.0
    return 0.5


def supervised(arguments, examples):
    good = [
        {"prompt": example["messages"][:-1], "completion": example["messages"][-1:]}
        for example in examples
        if arguments.all
        or not example["label"]["refused"]
        and not example["label"]["forfeited"]
        and example["label"]["agreement"]
        and example["label"]["gain"] > 0
    ]
    if not good:
        raise SystemExit("no example of a deal with a gain: export another run, or train on all with --all")
    print(f"supervised on {len(good)} of {len(examples)} examples")
    return Dataset.from_list(good)


def recorded_returns(rollouts):
    """For each prompt, the decisions recorded on it, each with its return from there on less the mean over the prompt's."""
    by_prompt = {}
    for rollout in rollouts:
        rest = 0.0
        for turn in reversed(rollout["turns"]):
            rest += turn["reward"]
            answer = turn["completion"][0]["content"]
            taken = json.loads(answer) if decision(answer) else {}
            by_prompt.setdefault(json.dumps(turn["prompt"]), []).append((taken, rest))
    for prompt, returns in by_prompt.items():
        mean = sum(rest for _, rest in returns) / len(returns)
        by_prompt[prompt] = [(taken, rest - mean) for taken, rest in returns]
    return by_prompt


def distance(a, b):
    """Between two packages, in [0, 1]: the mean over the issues, of the relative difference where both are numbers."""

    def apart(x, y):
        numbers = all(isinstance(value, (int, float)) for value in (x, y))
        return abs(x - y) / max(abs(x), abs(y)) if numbers and x != y else float(x != y)

    issues = a.keys() | b.keys()
    return sum(min(apart(a.get(issue), b.get(issue)), 1.0) for issue in issues) / max(len(issues), 1)


def advantage(answer, recorded):
    """What was recorded for the same action, the nearer the packages the heavier; 0 where nobody took that action."""
    action = decision(answer)
    terms = json.loads(answer).get("terms") or {} if action else {}
    same = [(taken, value) for taken, value in recorded if action and taken.get("action") == action]
    weights = [math.exp(-20 * distance(terms, taken.get("terms") or {})) for taken, _ in same]
    return sum(weight * value for weight, (_, value) in zip(weights, same)) / sum(weights) if weights else 0.0


def save(model, tokenizer, folder):
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    print(f"saved to {folder}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--sft-steps", type=int, default=20, help="0 passes the stage over")
    parser.add_argument("--grpo-steps", type=int, default=4, help="0 passes the stage over")
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--max-length", type=int, default=4096, help="tokens of a supervised example")
    parser.add_argument("--max-prompt", type=int, default=3584, help="tokens of a prompt that is learned from; longer ones are left out")
    parser.add_argument("--max-completion", type=int, default=160)
    parser.add_argument("--generations", type=int, default=4, help="answers sampled for a prompt")
    parser.add_argument("--temperature", type=float, default=1.0, help="of those answers")
    parser.add_argument("--learning-rate", type=float, default=1e-4)
    parser.add_argument("--bf16", action="store_true", help="on a CPU: weights and products in bfloat16, where it has instructions for it")
    parser.add_argument("--all", action="store_true", help="also learn from refused and failed negotiations")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    on_cpu = not torch.cuda.is_available()
    bf16 = arguments.bf16 or not on_cpu
    tokenizer = AutoTokenizer.from_pretrained(arguments.model)
    model = AutoModelForCausalLM.from_pretrained(arguments.model, dtype=torch.bfloat16 if bf16 else torch.float32)
    lora = LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
    shared = dict(
        per_device_train_batch_size=arguments.batch,
        learning_rate=arguments.learning_rate,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        seed=arguments.seed,
        use_cpu=on_cpu,
        bf16=bf16,
        # a prompt is thousands of tokens long: its activations alone fill the memory of a workstation
        gradient_checkpointing=True,
    )

    if arguments.sft_steps:
        examples = lines(arguments.data / "examples.jsonl")
        sft = SFTTrainer(
            model=model,
            processing_class=tokenizer,
            train_dataset=supervised(arguments, examples),
            peft_config=lora,
            args=SFTConfig(
                output_dir=str(arguments.out / "sft"),
                max_steps=arguments.sft_steps,
                max_length=arguments.max_length,
                completion_only_loss=True,
                **shared,
            ),
        )
        sft.train()
        losses = [entry["loss"] for entry in sft.state.log_history if "loss" in entry]
        print("supervised loss by step:", " ".join(f"{loss:.3f}" for loss in losses))
        model = sft.model.merge_and_unload()
        # before the second stage, which asks for more memory: what the first learned is not lost with it
        save(model, tokenizer, arguments.out)

    if arguments.grpo_steps:
        rollouts = lines(arguments.data / "rollouts.jsonl")
        recorded = recorded_returns(rollouts)

        def fits(prompt):
            return len(tokenizer.apply_chat_template(prompt, tokenize=True)["input_ids"]) <= arguments.max_prompt

        loaded = ((key, json.loads(key)) for key in recorded)
        prompts = [{"prompt": prompt, "prompt_key": key} for key, prompt in loaded if fits(prompt)]
        if not prompts:
            raise SystemExit("no prompt is short enough: raise --max-prompt")
        print(f"reinforcement on {len(prompts)} of {len(recorded)} prompts")

        def readable(completions, **_):
            return [readability(completion[0]["content"]) for completion in completions]

        def as_recorded(completions, prompt_key, **_):
            found = zip(completions, prompt_key)
            return [advantage(completion[0]["content"], recorded[key]) for completion, key in found]

        grpo = GRPOTrainer(
            model=model,
            processing_class=tokenizer,
            reward_funcs=[readable, as_recorded],
            train_dataset=Dataset.from_list(prompts),
            peft_config=lora,
            args=GRPOConfig(
                output_dir=str(arguments.out / "grpo"),
                max_steps=arguments.grpo_steps,
                num_generations=arguments.generations,
                temperature=arguments.temperature,
                max_completion_length=arguments.max_completion,
                # a group is sampled together and learned from one answer at a time
                gradient_accumulation_steps=arguments.generations,
                **{**shared, "per_device_train_batch_size": 1},
            ),
        )
        grpo.train()
        rewards = [entry["reward"] for entry in grpo.state.log_history if "reward" in entry]
        print("mean reward by step:", " ".join(f"{reward:.3f}" for reward in rewards))
        save(grpo.model.merge_and_unload(), tokenizer, arguments.out)


if __name__ == "__main__":
    main()

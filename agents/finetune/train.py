"""Fine-tunes a language model on what `zopa export` wrote: supervised first, then a few steps of reinforcement, with TRL.

    python3 agents/finetune/train.py --model MODEL --data RUN/export --out FOLDER [--sft-steps N] [--grpo-steps N]

MODEL is a folder or a name that transformers knows: Qwen/Qwen2.5-7B-Instruct on GPUs, the small model of the same family on a CPU.
The result is a whole model in FOLDER, its adapter merged, which vLLM serves as it is.

Supervised: the answers of `examples.jsonl` that were neither refused nor forfeited and whose negotiation came to a deal with a gain
(--all takes every one), the loss on the answer alone. Reinforcement: GRPO (Shao et al. 2024) on the prompts of `rollouts.jsonl`. The
reward of a sampled answer is 1 where it is a decision that the software can read, and, where a recorded turn on the same prompt took
the same action, that turn's reward and what followed it less the mean of its group. It is an offline reward, with no negotiation
behind it: good enough to exercise the path, too little to learn bargaining from.
"""

import argparse
import json
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
    """For each prompt, the returns from there on of each recorded action, less the mean over the prompt's group."""
    by_prompt = {}
    for rollout in rollouts:
        rest = 0.0
        for turn in reversed(rollout["turns"]):
            rest += turn["reward"]
            action = decision(turn["completion"][0]["content"])
            by_prompt.setdefault(json.dumps(turn["prompt"]), []).append((action, rest))
    advantages = {}
    for prompt, returns in by_prompt.items():
        mean = sum(value for _, value in returns) / len(returns)
        for action, value in returns:
            advantages.setdefault(prompt, {}).setdefault(action, []).append(value - mean)
    return {
        prompt: {action: sum(values) / len(values) for action, values in actions.items()}
        for prompt, actions in advantages.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--sft-steps", type=int, default=20)
    parser.add_argument("--grpo-steps", type=int, default=4)
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--max-length", type=int, default=4096, help="tokens of a supervised example")
    parser.add_argument("--max-prompt", type=int, default=3584, help="tokens of a prompt, the last ones")
    parser.add_argument("--max-completion", type=int, default=160)
    parser.add_argument("--generations", type=int, default=4, help="answers sampled for a prompt")
    parser.add_argument("--bf16", action="store_true", help="on a CPU: multiply in bfloat16, where it has instructions for it")
    parser.add_argument("--all", action="store_true", help="also learn from refused and failed negotiations")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    on_cpu = not torch.cuda.is_available()
    tokenizer = AutoTokenizer.from_pretrained(arguments.model)
    model = AutoModelForCausalLM.from_pretrained(arguments.model, dtype=torch.float32 if on_cpu else torch.bfloat16)
    lora = LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
    shared = dict(
        per_device_train_batch_size=arguments.batch,
        learning_rate=1e-4,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        seed=arguments.seed,
        use_cpu=on_cpu,
        bf16=arguments.bf16 or not on_cpu,
        gradient_checkpointing=not on_cpu,
    )

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

    if arguments.grpo_steps:
        rollouts = lines(arguments.data / "rollouts.jsonl")
        advantages = recorded_returns(rollouts)

        def shortened(prompt):
            """The prompt with its system message cut from the front, so that it fits."""
            ids = tokenizer(prompt[0]["content"])["input_ids"]
            rest = len(tokenizer(prompt[1]["content"])["input_ids"])
            room = max(arguments.max_prompt - rest, 0)
            return [{**prompt[0], "content": tokenizer.decode(ids[-room:] if room else [])}, prompt[1]]

        prompts = [
            {"prompt": shortened(turn["prompt"]), "recorded": json.dumps(turn["prompt"])}
            for rollout in rollouts
            for turn in rollout["turns"]
        ]

        def readable(completions, **_):
            return [1.0 if decision(completion[0]["content"]) else 0.0 for completion in completions]

        def as_recorded(completions, recorded, **_):
            found = zip(completions, recorded)
            return [advantages[prompt].get(decision(completion[0]["content"]), 0.0) for completion, prompt in found]

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
                max_completion_length=arguments.max_completion,
                **{**shared, "per_device_train_batch_size": arguments.generations},
            ),
        )
        grpo.train()
        rewards = [entry["reward"] for entry in grpo.state.log_history if "reward" in entry]
        print("mean reward by step:", " ".join(f"{reward:.3f}" for reward in rewards))
        model = grpo.model.merge_and_unload()

    model.save_pretrained(arguments.out)
    tokenizer.save_pretrained(arguments.out)
    print(f"saved to {arguments.out}")


if __name__ == "__main__":
    main()

"""Counts what trajectories of SWE-agent and mini-SWE-agent hold, for the tests of the importer.

Usage: count_swe_agent.py SHARED_DIRECTORY FIXTURES_DIRECTORY > swe-agent.tsv

SWE-agent states the tokens of a session only as a whole (model_stats): those are not of calls.
"""

import json
import pathlib
import re
import sys

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()
BLOCK = re.compile(r"```(?:mswea_bash_command|bash)[ \t]*\n(.*?)\n```", re.DOTALL)


def count_mini(messages):
    users = models = calls = results = orphans = tokens_in = tokens_out = 0
    named, unnamed = set(), 0
    for message in messages:
        extra = message.get("extra") or {}
        role = message.get("role")
        if role == "assistant" or "output" in message and isinstance(message["output"], list):
            models += 1
            usage = (extra.get("response") or {}).get("usage") or {}
            tokens_in += usage.get("prompt_tokens", usage.get("input_tokens", 0))
            tokens_out += usage.get("completion_tokens", usage.get("output_tokens", 0))
            items = message.get("tool_calls") or [
                item for item in message.get("output") or [] if item["type"] == "function_call"]
            unnamed = 0
            if items:
                named.update(item.get("call_id") or item["id"] for item in items)
                calls += len(items)
            else:
                found = BLOCK.findall(message.get("content") or "")
                unnamed = len(extra.get("actions") or []) or (len(found) == 1)
                calls += unnamed
        elif "tool_call_id" in message or "call_id" in message:
            known = message.get("tool_call_id", message.get("call_id")) in named
            results += known
            orphans += not known
        elif role == "user" and unnamed:
            unnamed -= 1
            results += 1
        elif role == "user":
            users += 1
    return users, models, calls, results, orphans, 0, tokens_in, tokens_out


def count_trajectory(document):
    history = document.get("history") or []
    steps = list(document.get("trajectory") or [])
    names = [m["agent"] for m in history]
    main = next((n for n in names if n in ("primary", "main")), names[0] if names else None)
    users = models = calls = results = 0
    waits = {}  # whether the last answer of an agent has an action, whose output comes next
    for message in history:
        agent = message["agent"]
        if message.get("is_demo"):
            continue
        if message["role"] == "assistant":
            models += 1
            found = [s for s in steps if s["response"] == message["content"]]
            if not found and steps and steps[0]["action"] == message.get("action"):
                found = steps[:1]  # its response was edited
            for step in found[:1]:
                steps.remove(step)
                results += bool(step["action"])
            number = len(message.get("tool_calls") or []) or bool(message.get("action"))
            calls += number
            waits[agent] = number and (2 if found else 1)
        elif message["role"] in ("user", "tool"):
            if not waits.get(agent):
                users += message["role"] == "user"
            elif waits[agent] == 1:
                results += 1
            waits[agent] = 0
    for step in steps:  # not in the history
        models += 1
        calls += bool(step["action"])
        results += bool(step["action"])
    stated = ((document.get("info") or {}).get("model_stats") or {}).get("api_calls")
    assert not stated or stated == models, (stated, models)
    return users, models, calls, results, 0, len(set(names) - {main}), 0, 0


def main():
    shared, fixtures = map(pathlib.Path, sys.argv[1:])
    print("\t".join(COLUMNS))
    for root, prefix in ((fixtures, ""), (shared, "shared:")):
        for path in sorted((root / "swe-agent").rglob("*.traj*")):
            document = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(document, list):
                numbers = count_mini(document)
            elif "messages" in document:
                numbers = count_mini(document["messages"])
            else:
                numbers = count_trajectory(document)
            print("\t".join(map(str, (prefix + path.relative_to(root).as_posix(),) + numbers)))


if __name__ == "__main__":
    main()

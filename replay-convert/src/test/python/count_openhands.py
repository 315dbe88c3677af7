"""Counts what OpenHands wrote of conversations, in its own terms, for the tests of the importer.

One response of a model is one model call, whatever number of actions it has. Tokens are those that
the statistics list for the responses that events refer to; totals are not added to them.

Usage: count_openhands.py SHARED_DIRECTORY FIXTURES_DIRECTORY > openhands.tsv
"""

import json
import pathlib
import sys

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()
RESULTS = ("ObservationEvent", "UserRejectObservation", "AgentErrorEvent")


def usages(stats):
    for metrics in (stats or {}).get("usage_to_metrics", {}).values():
        for entry in metrics.get("token_usages") or []:
            yield entry["response_id"], (entry["prompt_tokens"], entry["completion_tokens"])


def pair(total, calls, results):
    total["tool_calls"] = len(calls)
    for result in results:
        total["tool_results" if result in calls else "orphan_results"] += 1


def events(total, found, state):
    tokens = dict(usages((state or {}).get("stats")))
    answers, calls, results = [], [], []
    for event in found:
        kind = event["kind"]
        if event.get("key") == "stats":
            tokens.update(usages(event["value"]))
        elif kind == "ActionEvent":
            calls.append(event["tool_call_id"])
            answers.append(event["llm_response_id"])
        elif kind == "MessageEvent" and event["source"] == "user":
            total["messages"] += 1
        elif kind == "MessageEvent" and event["source"] == "agent":
            answers.append(event["llm_response_id"])
        elif kind in RESULTS:
            results.append(event["tool_call_id"])
    total["model_calls"] = len(set(answers))
    counted = [tokens[answer] for answer in set(answers) if answer in tokens]
    total["tokens_in"] = sum(pair[0] for pair in counted)
    total["tokens_out"] = sum(pair[1] for pair in counted)
    pair(total, calls, results)


def legacy(total, found):
    answers, calls, results = {}, [], []
    for event in found:
        response = (event.get("tool_call_metadata") or {}).get("model_response") or {}
        action = event.get("action")
        if action == "message" and event["source"] == "user":
            total["messages"] += 1
        elif action and action != "system" and event["source"] == "agent":
            answers[response.get("id", event["id"])] = response.get("usage") or {}
            if action != "message":
                calls.append(event["id"])
        elif "cause" in event:
            results.append(event["cause"])
    total["model_calls"] = len(answers)
    total["tokens_in"] = sum(usage.get("prompt_tokens", 0) for usage in answers.values())
    total["tokens_out"] = sum(usage.get("completion_tokens", 0) for usage in answers.values())
    pair(total, calls, results)


def chat(total, messages):
    calls, results = [], []
    for message in messages:
        total["messages"] += message["role"] == "user"
        total["model_calls"] += message["role"] == "assistant"
        calls += [call["id"] for call in message.get("tool_calls") or []]
        results += [message["tool_call_id"]] if message["role"] == "tool" else []
    pair(total, calls, results)


def count(path):
    total = dict.fromkeys(COLUMNS[1:], 0)
    if path.is_dir():
        state = json.loads((path / "base_state.json").read_text())
        events(total, [json.loads(e.read_text()) for e in (path / "events").iterdir()], state)
    elif path.suffix == ".jsonl":
        events(total, map(json.loads, path.read_text().splitlines()), None)
    else:
        document = json.loads(path.read_text())
        if isinstance(document, dict):  # the log of one model call
            total["model_calls"] = 1
            total["tokens_in"] = document["response"]["usage"]["prompt_tokens"]
            total["tokens_out"] = document["response"]["usage"]["completion_tokens"]
        elif "role" in document[0]:
            chat(total, document)
        else:
            legacy(total, document)
    return tuple(total.values())


def main():
    shared, fixtures = map(pathlib.Path, sys.argv[1:])
    print("\t".join(COLUMNS))
    for root, prefix in ((fixtures, ""), (shared, "shared:")):
        found = [path for path in (root / "openhands").rglob("*")
                 if (path / "base_state.json").exists()
                 or path.suffix in (".json", ".jsonl") and "conversation" not in path.parts]
        for path in sorted(found):
            name = prefix + path.relative_to(root).as_posix()
            print("\t".join(map(str, (name,) + count(path))))


if __name__ == "__main__":
    main()

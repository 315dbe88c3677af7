"""Counts what files of the Agent Development Kit hold, in their own terms, for tests of the importer.

The YAML of recordings is not parsed: each of what is counted has a line of its own.

Usage: count_adk.py SHARED_DIRECTORY FIXTURES_DIRECTORY > adk.tsv
"""

import json
import pathlib
import re
import sys

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()


def recordings(text):
    def all_of(pattern):
        return re.findall(pattern, text, re.MULTILINE)

    return (
        len(set(all_of(r"user_message_index: (\d+)"))),
        len(all_of(r"^ *llm_recording:")),
        len(all_of(r"^ *tool_recording:")),
        len(all_of(r"^ *tool_response:")),
        0,
        len(set(all_of(r"^  agent_name: (.+)$"))) - 1,
        sum(map(int, all_of(r"\bprompt_token_count: (\d+)"))),
        sum(map(int, all_of(r"\bcandidates_token_count: (\d+)"))))


def session(document):
    total = dict.fromkeys(COLUMNS[1:], 0)
    authors, calls = set(), []
    for event in document["events"]:
        parts = (event.get("content") or {}).get("parts") or []
        results = [part["functionResponse"]["id"] for part in parts if "functionResponse" in part]
        for result in results:
            total["tool_results" if result in calls else "orphan_results"] += 1
        if event["author"] == "user":
            total["messages"] += 1
            continue
        authors.add(event["author"])
        if parts and not results and not event.get("partial"):
            total["model_calls"] += 1
            usage = event.get("usageMetadata") or {}
            total["tokens_in"] += usage.get("promptTokenCount", 0)
            total["tokens_out"] += usage.get("candidatesTokenCount", 0)
            calls += [part["functionCall"]["id"] for part in parts if "functionCall" in part]
    total["tool_calls"] = len(calls)
    total["agents"] = len(authors) - 1
    return tuple(total.values())


def main():
    shared, fixtures = map(pathlib.Path, sys.argv[1:])
    print("\t".join(COLUMNS))
    for root, prefix in ((fixtures, ""), (shared, "shared:")):
        for path in sorted((root / "adk").rglob("*.*")):
            text = path.read_text(encoding="utf-8")
            numbers = session(json.loads(text)) if path.suffix == ".json" else recordings(text)
            print("\t".join(map(str, (prefix + path.relative_to(root).as_posix(),) + numbers)))


if __name__ == "__main__":
    main()

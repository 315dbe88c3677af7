"""Counts what chats of Gemini CLI hold, in their own terms, for the tests of the importer.

A message counts once, with its last version, also if the chat was rewound before it: it was said,
and its tools ran. Messages that appear only in a replaced history were not said.

Usage: count_gemini_cli.py SHARED_DIRECTORY FIXTURES_DIRECTORY > gemini-cli.tsv
"""

import json
import pathlib
import sys

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()


def messages(path):
    text = path.read_text(encoding="utf-8")
    try:
        document = json.loads(text)
        return document["sessionId"], document["messages"]
    except ValueError:
        records = list(map(json.loads, text.splitlines()))
    last = {}
    for record in records:
        if "id" in record:
            last[record["id"]] = record
    return records[0]["sessionId"], list(last.values())


def count(path):
    total = dict.fromkeys(COLUMNS[1:], 0)
    session, found = messages(path)
    for agent in sorted((path.parent / session).glob("*.jsonl")):
        total["agents"] += 1
        found = found + messages(agent)[1]
    for message in found:
        if message["type"] == "user":
            total["messages"] += 1
        elif message["type"] == "gemini":
            total["model_calls"] += 1
            tokens = message.get("tokens") or {}
            total["tokens_in"] += tokens.get("input", 0)
            total["tokens_out"] += tokens.get("output", 0)
            for call in message.get("toolCalls") or []:
                total["tool_calls"] += 1
                ended = call.get("result") or call["status"] in ("success", "error", "cancelled")
                total["tool_results"] += 1 if ended else 0
    return tuple(total.values())


def main():
    shared, fixtures = map(pathlib.Path, sys.argv[1:])
    print("\t".join(COLUMNS))
    for root, folder, prefix in ((fixtures, "gemini-cli", ""), (shared, "other", "shared:")):
        for path in sorted((root / folder).rglob("*.jsonl")):
            numbers = count(path)
            if any(numbers):  # a chat without a turn is not imported
                print("\t".join(map(str, (prefix + path.relative_to(root).as_posix(),) + numbers)))


if __name__ == "__main__":
    main()

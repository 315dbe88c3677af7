"""Counts what transcripts of Claude Code hold, in their own terms, for the tests of the importer.

Usage: count_claude_code.py SHARED_DIRECTORY FIXTURES_DIRECTORY > claude-code.tsv
"""

import json
import pathlib
import sys

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()


def blocks(record):
    content = (record.get("message") or {}).get("content")
    return content if isinstance(content, list) else []


def is_typed(record):
    """Whether a record is what the user entered while the agent was at work."""
    attachment = record.get("attachment")
    return (record.get("type") == "attachment" and isinstance(attachment, dict)
            and attachment.get("type") == "queued_command" and "prompt" in attachment
            and attachment.get("commandMode") != "task-notification")


def is_call(block):
    return block.get("type", "").endswith("tool_use") and "name" in block


def is_server_result(block):
    return block.get("type", "").endswith("tool_result") and block.get("tool_use_id")


def count(path):
    messages = tool_calls = results = orphans = unnamed = 0
    open_calls = {}
    usage = {}
    agents = set()
    unnamed_open = 0
    seen = set()
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(text)
        except ValueError:
            continue
        # a line that was written twice counts once
        if record.get("uuid") and text in seen:
            continue
        seen.add(text)
        messages += is_typed(record)
        if not isinstance(record.get("message"), dict):
            continue
        if record.get("isSidechain"):
            agents.add(record.get("agentId") or "a chain without an id")
        if record["type"] == "assistant":
            message = record["message"]
            # an answer by the program itself, unless it stands for a request that failed
            if message.get("model") == "<synthetic>" and not record.get("isApiErrorMessage"):
                continue
            unnamed += 0 if message.get("id") else 1
            # the lines of one answer repeat its usage: the last one counts
            usage[message.get("id") or "line %d" % unnamed] = message.get("usage") or {}
            for block in blocks(record):
                if is_server_result(block):
                    call = block["tool_use_id"]
                    is_open = open_calls.get(call, 0) > 0
                    open_calls[call] = open_calls.get(call, 0) - is_open
                    results += is_open
                    orphans += not is_open
                elif is_call(block):
                    tool_calls += 1
                    if block.get("id"):
                        open_calls[block["id"]] = open_calls.get(block["id"], 0) + 1
                    else:
                        unnamed_open += 1
        elif record["type"] == "user":
            found = [block for block in blocks(record) if block.get("type") == "tool_result"]
            messages += 0 if found else 1
            for block in found:
                call = block.get("tool_use_id")
                if call and open_calls.get(call, 0) > 0:
                    open_calls[call] -= 1
                    results += 1
                elif not call and unnamed_open > 0:
                    unnamed_open -= 1
                    results += 1
                else:
                    orphans += 1
    tokens_in = sum(u.get("input_tokens", 0) + u.get("cache_creation_input_tokens", 0)
                    + u.get("cache_read_input_tokens", 0) for u in usage.values())
    tokens_out = sum(u.get("output_tokens", 0) for u in usage.values())
    return (messages, len(usage), tool_calls, results, orphans, len(agents), tokens_in, tokens_out)


def main():
    shared, fixtures = map(pathlib.Path, sys.argv[1:])
    print("\t".join(COLUMNS))
    for root, prefix in ((fixtures, ""), (shared, "shared:")):
        for path in sorted((root / "claude-code").rglob("*.jsonl")):
            name = prefix + path.relative_to(root).as_posix()
            print("\t".join(map(str, (name,) + count(path))))


if __name__ == "__main__":
    main()

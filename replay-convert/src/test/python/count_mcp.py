"""Counts what logs of MCP messages hold, in the terms of the protocol, for the tests of the importer.

Usage: count_mcp.py SHARED_DIRECTORY FIXTURES_DIRECTORY > mcp.tsv
"""

import json
import pathlib
import sys

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()


def messages(value):
    """The messages in a line, wherever they are, also in texts."""
    if isinstance(value, str) and value[:1] in "{[":
        try:
            value = json.loads(value)
        except ValueError:
            return
    if isinstance(value, list):
        for element in value:
            yield from messages(element)
    elif isinstance(value, dict):
        if "jsonrpc" in value:
            yield value
        elif "request" in value:
            yield dict(json.loads(value["request"]), jsonrpc="2.0", id="pair")
            yield {"jsonrpc": "2.0", "id": "pair", "result": json.loads(value["response"])}
        else:
            for member in value.values():
                yield from messages(member)


def count(path):
    calls = results = orphans = samplings = 0
    waiting = {}
    cancelled = set()
    lines = path.read_text(encoding="utf-8").splitlines()
    for text in ["".join(lines)] if path.suffix == ".json" else lines:
        start = text.find("Message from ")
        if start >= 0:
            line, _ = json.JSONDecoder().raw_decode(text[text.index("{", start):])
        else:
            try:
                line = json.loads(text)
            except ValueError:
                continue
        session = line.get("session_id") if isinstance(line, dict) else None
        for message in messages(line):
            method = message.get("method")
            key = (session, repr(message.get("id")))
            if method == "tools/call":
                calls += 1
                waiting.setdefault(key, []).append("tool")
            elif method == "sampling/createMessage":
                samplings += 1
                waiting.setdefault(key, []).append("model")
            elif method == "notifications/cancelled":
                cancel = (session, repr(message["params"]["requestId"]))
                if "tool" in waiting.get(cancel, []):
                    waiting[cancel].remove("tool")
                    results += 1  # the call is over for its caller
                    cancelled.add(cancel)
            elif method is None:
                result = message.get("result") or {}
                kind = "model" if "role" in result else "tool" if "content" in result else None
                if kind is None and waiting.get(key):
                    kind = waiting[key][0]
                if kind in waiting.get(key, []):
                    waiting[key].remove(kind)
                    results += kind == "tool"
                elif kind == "tool":
                    orphans += 1
    return (0, samplings, calls, results, orphans, 0, 0, 0)


def main():
    shared, fixtures = map(pathlib.Path, sys.argv[1:])
    print("\t".join(COLUMNS))
    for root, prefix in ((fixtures, ""), (shared, "shared:")):
        for path in sorted((root / "mcp").rglob("*.*")):
            name = prefix + path.relative_to(root).as_posix()
            print("\t".join(map(str, (name,) + count(path))))


if __name__ == "__main__":
    main()

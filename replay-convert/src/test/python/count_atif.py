"""Counts what trajectories in ATIF hold, in their own terms, for the tests of the importer.

Usage: count_atif.py SHARED_DIRECTORY FIXTURES_DIRECTORY > atif.tsv
"""

import json
import pathlib
import sys

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()


def add(total, document, folder):
    for step in document.get("steps") or []:
        results = (step.get("observation") or {}).get("results") or []
        for result in results:
            for reference in result.get("subagent_trajectory_ref") or []:
                if reference.get("trajectory_path"):  # a file, next to this one
                    name = reference["trajectory_path"].rsplit("/", 1)[-1]
                    total["agents"] += 1
                    add(total, json.loads((folder / name).read_text()), folder)
        if step.get("is_copied_context"):
            continue
        if step["source"] == "user":
            total["messages"] += 1
        if step["source"] == "agent" and step.get("llm_call_count") != 0:
            total["model_calls"] += 1
            metrics = step.get("metrics") or {}
            total["tokens_in"] += metrics.get("prompt_tokens") or 0
            total["tokens_out"] += metrics.get("completion_tokens") or 0
        calls = {call["tool_call_id"] for call in step.get("tool_calls") or []}
        total["tool_calls"] += len(calls)
        for result in results:
            if result.get("source_call_id"):
                known = result["source_call_id"] in calls
                total["tool_results" if known else "orphan_results"] += 1
    for subagent in document.get("subagent_trajectories") or []:
        total["agents"] += 1
        add(total, subagent, folder)
    if document.get("continued_trajectory_ref"):
        add(total, json.loads((folder / document["continued_trajectory_ref"]).read_text()), folder)


def count(path):
    text = path.read_text(encoding="utf-8")
    documents = map(json.loads, text.splitlines() if path.suffix == ".jsonl" else [text])
    total = dict.fromkeys(COLUMNS[1:], 0)
    for document in documents:
        add(total, document, path.parent)
    return tuple(total.values())


def main():
    shared, fixtures = map(pathlib.Path, sys.argv[1:])
    print("\t".join(COLUMNS))
    for root, prefix in ((fixtures, ""), (shared, "shared:")):
        for path in sorted((root / "atif").rglob("*.json*")):
            name = prefix + path.relative_to(root).as_posix()
            print("\t".join(map(str, (name,) + count(path))))


if __name__ == "__main__":
    main()

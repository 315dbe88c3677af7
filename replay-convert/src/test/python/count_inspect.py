"""Counts what evaluation logs of Inspect hold, in their own terms, for the tests of the importer.

Usage: count_inspect.py SHARED_DIRECTORY FIXTURES_DIRECTORY > inspect.tsv

The tokens are those that the samples state as used in all (model_usage), not those of the events.
Logs without samples are left out: their import is refused.
"""

import json
import pathlib
import sys
import zipfile

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()


def samples(path):
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return [json.loads(archive.read(name)) for name in archive.namelist()
                    if name.startswith("samples/")]
    log = json.loads(path.read_text(encoding="utf-8"))
    return log.get("samples") or [] if "eval" in log else []


def all_events(events):
    for event in events:
        yield event
        if isinstance(event.get("events"), list):
            yield from all_events(event["events"])


def text_of(message, texts):
    """A message with the texts that it refers to, to compare it with others."""
    text = json.dumps(message, sort_keys=True)
    for key, value in texts.items():
        for protocol in ("attachment://", "tc://"):
            text = text.replace('"%s%s"' % (protocol, key), json.dumps(value))
    return text


def user_messages(sample, models, texts):
    found = [text_of(m, texts) for m in sample.get("messages") or [] if m["role"] == "user"]
    pool = sample.get("message_pool") or (sample.get("events_data") or {}).get("messages") or []
    others = set()
    for event in models:
        shown = list(event.get("input") or [])
        for first, end in event.get("input_refs") or []:
            shown += pool[first:end]
        others.update(text_of(m, texts) for m in shown if m["role"] == "user")
    count = len(found) + len(others - set(found))
    return count or 1  # the input of the sample


def agents(events):
    """The agents that a tool or an agent started, or all if several were started by none."""
    spans = {e["id"]: e for e in events if e["event"] == "span_begin"}
    by_tool = {e["agent_span_id"] for e in events if e.get("agent_span_id")}
    started, unstarted = set(), set()
    for key, span in spans.items():
        if span.get("type") != "agent":
            continue
        above, is_started = span.get("parent_id"), key in by_tool
        while above in spans:
            is_started |= spans[above].get("type") in ("agent", "tool")
            above = spans[above].get("parent_id")
        (started if is_started else unstarted).add(key)
    has_turn = {e.get("span_id") for e in events}
    lanes = started | (unstarted if len(unstarted) > 1 else set())
    return len(lanes & has_turn)


def usage(sample):
    """The prompts have what was read from and written to caches, which totals may have apart."""
    tokens_in = tokens_out = 0
    for used in (sample.get("model_usage") or {}).values():
        cached = used.get("input_tokens_cache_read", 0) + used.get("input_tokens_cache_write", 0)
        output = used.get("output_tokens", 0)
        apart = used["total_tokens"] >= used["input_tokens"] + cached + output
        tokens_in += used["input_tokens"] + (cached if apart else 0)
        tokens_out += output
    return tokens_in, tokens_out


def count(sample):
    transcript = sample.get("transcript") or {}
    events = list(all_events(sample.get("events") or transcript.get("events") or []))
    texts = sample.get("attachments") or transcript.get("content") or {}
    models = [e for e in events if e["event"] == "model"]
    tools = [e for e in events if e["event"] == "tool"]
    messages = user_messages(sample, models, texts)
    if models or tools:
        results = [e for e in tools if not e.get("pending")]
        used = usage(sample)
        if not sample.get("model_usage"):
            stated = [(e.get("output") or {}).get("usage") or {} for e in models]
            used = (sum(u.get("input_tokens", 0) for u in stated),
                    sum(u.get("output_tokens", 0) for u in stated))
        return (messages, len(models), len(tools), len(results), 0, agents(events)) + used
    answers = [m for m in sample["messages"] if m["role"] == "assistant"]
    calls = [c["id"] for m in answers for c in m.get("tool_calls") or []]
    results = [m["tool_call_id"] for m in sample["messages"] if m["role"] == "tool"]
    known = [r for r in results if r in calls]
    return (messages, len(answers), len(calls), len(known), len(results) - len(known), 0, 0, 0)


def main():
    shared, fixtures = map(pathlib.Path, sys.argv[1:])
    print("\t".join(COLUMNS))
    for root, prefix in ((fixtures, ""), (shared, "shared:")):
        for path in sorted((root / "inspect").rglob("*.*")):
            found = samples(path)
            if found:
                name = prefix + path.relative_to(root).as_posix()
                numbers = [sum(column) for column in zip(*map(count, found))]
                print("\t".join(map(str, [name] + numbers)))


if __name__ == "__main__":
    main()

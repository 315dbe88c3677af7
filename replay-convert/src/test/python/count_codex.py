"""Counts what rollouts of Codex hold, in their own terms, for the tests of the importer.

A file is first written as letters, one for each record that matters: U a message of the user, M an
item of the model, E a text of the model as an event, O the output of a tool, T new tokens, F an
error that ended a turn. The calls of the model are then the runs of M that no O, U or T divides;
where T comes first, they are what follows a T.

Usage: count_codex.py SHARED_DIRECTORY FIXTURES_DIRECTORY > codex.tsv
"""

import json
import pathlib
import re
import sys

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()
EXEC_TOOLS = ("command_execution", "file_change", "mcp_tool_call", "collab_tool_call",
              "web_search")


def is_of_codex(text):
    text = text.strip()
    return text.startswith("# AGENTS.md instructions") or bool(
        re.fullmatch(r"<([^>]*)>.*</\1>", text, re.DOTALL))


def text_of(item):
    content = item.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or [])


class File:
    def __init__(self):
        self.letters = []
        self.said = []  # what the user said since the last answer: [text, counts, as item, as event]
        self.messages = 0
        self.calls = {}
        self.tool_calls = 0
        self.results = 0
        self.orphans = 0
        self.tokens = [0, 0]
        self.totals = None
        self.turn = (0, 0)
        self.session = None
        self.is_copy = False  # whether the records are those of the thread that was forked

    def add(self, record):
        kind = record.get("type")
        payload = record.get("payload")
        if kind == "session_meta":
            thread = payload.get("id") or payload.get("session_id")
            self.session = self.session or thread
            self.is_copy = thread != self.session
            self.letters.append("S")
        elif self.is_copy and (payload or {}).get("turn_id", "") < self.session:
            if kind == "response_item" and payload.get("role") == "user":
                self.messages += not is_of_codex(text_of(payload))
            elif payload.get("type") == "token_count":
                totals = payload["info"]["total_token_usage"]
                self.totals = (totals["input_tokens"], totals["output_tokens"])
        elif self.is_copy:
            self.is_copy = False
            self.add(record)
        elif kind == "response_item":
            self.item(payload)
        elif kind == "event_msg":
            self.event(payload)
        elif kind == "token_usage_record":
            if payload["thread_id"] == self.session:
                self.usage(payload["usage"], payload["thread_token_usage"])
        elif kind == "compacted":
            self.letters.append("U")
        elif kind and (kind.startswith("item.") or kind.startswith("turn.")
                       or kind.startswith("thread.")):
            self.stream(kind, record)
        elif kind and payload is None:
            self.item(record)

    def item(self, item):
        kind = item.get("type", "message")
        if kind == "message":
            if item["role"] == "assistant":
                self.letters.append("M")
            elif item["role"] == "user":
                self.user(text_of(item), False)
        elif kind.endswith("_output") or kind == "tool_result":
            self.letters.append("O")
            self.result(item.get("call_id"))
        elif kind.endswith("_call"):
            self.letters.append("M")
            self.call(item.get("call_id") or item.get("id"))
            if kind == "image_generation_call":
                self.result(item["id"])
        elif kind == "reasoning":
            self.letters.append("M")

    def call(self, call):
        self.tool_calls += 1
        self.calls[call] = self.calls.get(call, 0) + 1

    def result(self, call):
        if self.calls.get(call, 0):
            self.calls[call] -= 1
            self.results += 1
        else:
            self.orphans += 1

    def user(self, text, is_event):
        if self.letters and self.letters[-1] != "U":
            self.said = []
        self.letters.append("U")
        place = 3 if is_event else 2
        for said in self.said:
            if not said[place] and (said[0].strip() == text.strip() or said[0] in text
                                    or text in said[0]):
                said[place] = True
                counts = not said[1]
                said[1] = True
                self.messages += counts
                return
        counts = is_event or not is_of_codex(text)
        self.messages += counts
        self.said.append([text, counts, not is_event, is_event])

    def event(self, event):
        kind = event.get("type")
        if kind == "user_message":
            self.user(event["message"], True)
        elif kind in ("agent_message", "agent_reasoning"):
            self.letters.append("E")
        elif kind == "token_count" and event.get("info"):
            self.usage(event["info"]["last_token_usage"], event["info"]["total_token_usage"])
        elif kind == "turn.completed":
            self.usage(event["usage"], None)
        elif kind == "error":
            self.letters.append("F")

    def usage(self, last, totals):
        if last["input_tokens"] + last["output_tokens"] == 0:
            return
        total = totals and (totals["input_tokens"], totals["output_tokens"])
        if total and total == self.totals:
            return
        self.totals = total
        self.tokens[0] += last["input_tokens"]
        self.tokens[1] += last["output_tokens"]
        self.letters.append("T")

    def stream(self, kind, record):
        item = record.get("item") or {}
        if kind == "thread.started":
            self.turn = (0, 0)
            self.letters.append("S")
        elif kind == "turn.completed":
            usage = (record["usage"]["input_tokens"], record["usage"]["output_tokens"])
            self.tokens[0] += usage[0] - self.turn[0]
            self.tokens[1] += usage[1] - self.turn[1]
            self.turn = usage
            self.letters.append("T")
        elif kind == "turn.failed":
            self.letters.append("F")
        elif kind == "item.completed" and item["type"] in ("reasoning", "agent_message"):
            self.letters.append("M")
        elif item.get("type") in EXEC_TOOLS and kind != "item.updated":
            if not self.calls.get(item["id"]):
                self.call(item["id"])
                self.letters.append("M")
            if kind == "item.completed":
                self.letters.append("O")
                self.result(item["id"])

    def model_calls(self):
        letters = "".join(self.letters)
        before = re.search(r"^[^T]*T", letters)
        is_first = before and not re.search("M[^U]*T$", before.group()) and re.search(
            r"^[^T]*TE*M", letters)
        calls = 0
        for part in re.split("[US]", letters):
            if is_first:
                started, *others = part.split("T")
                calls += len(others) + ("M" in started) + part.count("F")
                continue
            for piece in re.findall("[^TF]*[TF]|[^TF]+$", part):
                runs = len(re.findall("M+", piece.replace("E", "").rstrip("TF")))
                ended = piece[-1] in "TF"
                is_open = re.search("M[^O]*$" if "M" in piece else "E", piece)
                if runs == 0:
                    calls += 1 if ended or "E" in piece else 0
                else:
                    calls += runs + (piece[-1] == "F" and not is_open)
        return calls


def count(path):
    file = File()
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(text)
        except ValueError:
            continue
        file.add(record)
    return (file.messages, file.model_calls(), file.tool_calls, file.results, file.orphans, 0,
            file.tokens[0], file.tokens[1])


def main():
    shared, fixtures = map(pathlib.Path, sys.argv[1:])
    print("\t".join(COLUMNS))
    for root, prefix in ((fixtures, ""), (shared, "shared:")):
        for path in sorted((root / "codex").rglob("*.jsonl")):
            name = prefix + path.relative_to(root).as_posix()
            print("\t".join(map(str, (name,) + count(path))))


if __name__ == "__main__":
    main()

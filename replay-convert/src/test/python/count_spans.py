"""Counts what agents did in traces of spans, in the terms of the spans, for the tests of the importers.

Usage: count_spans.py otel|openinference|langfuse SHARED_DIRECTORY FIXTURES_DIRECTORY > FORMAT.tsv

A request to a model is a span of a model with no other one in it (spans of tools and agents are
not looked into). Its tokens are its own, or, if it states none, those of the span around it that
has no other request. A call of a tool is the span of one, or a call in the answer to a request for
which there is no span: by id, otherwise by agent, name and order. The span of an agent that states its
answer, and has no request in it, counts as one.
"""

import json
import pathlib
import sys

COLUMNS = ("file messages model_calls tool_calls tool_results orphan_results agents"
           " tokens_in tokens_out").split()
MODEL, TOOL, AGENT, OTHER = "model", "tool", "agent", "other"
SHARED = {"otel": "otel-genai"}


def parsed(value):
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            pass
    return value


def typed(value):
    """The value of an attribute of OTLP."""
    if isinstance(value, dict) and len(value) == 1:
        (kind, inner), = value.items()
        if kind == "arrayValue":
            return [typed(v) for v in inner.get("values", [])]
        if kind == "kvlistValue":
            return {v["key"]: typed(v["value"]) for v in inner.get("values", [])}
        if kind == "intValue":
            return int(inner)
        if kind in ("stringValue", "boolValue", "doubleValue"):
            return inner
    return value


def named(values):
    if isinstance(values, list):
        return {pair["key"]: typed(pair["value"]) for pair in values}
    return values or {}


def flat(value, prefix=""):
    """The nested attributes of Phoenix by flat names."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from flat(inner, prefix + "." + name if prefix else name)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for i, inner in enumerate(value):
            yield from flat(inner, "%s.%d" % (prefix, i))
    else:
        yield prefix, value


def first(*values):
    return next((v for v in values if v not in (None, "")), None)


class Span:
    def __init__(self, json_span, attributes, events):
        s = json_span
        context = s.get("context") or s.get("spanContext") or {}
        parent = s.get("parent") or s.get("parentSpanContext") or {}
        parent = parent if isinstance(parent, dict) else {}
        self.trace = str(first(s.get("traceId"), s.get("traceID"), s.get("trace_id"),
                               context.get("trace_id"), context.get("traceId"), ""))
        self.id = str(first(s.get("spanId"), s.get("spanID"), context.get("span_id"),
                            context.get("spanId"), s.get("id"), id(self)))
        self.parent = first(s.get("parentSpanId"), s.get("parent_id"),
                            s.get("parent_observation_id"), s.get("parentObservationId"),
                            parent.get("span_id"), parent.get("spanId"),
                            *[r["spanID"] for r in s.get("references", [])])
        self.name = first(s.get("operationName"), s.get("name")) or ""
        self.start = first(s.get("startTimeUnixNano"), s.get("startTime"), s.get("start_time")) or 0
        self.start = int(self.start) if str(self.start).isdigit() else self.start
        self.a, self.events, self.json = attributes, events, s
        self.children, self.up, self.agent = [], None, None


def spans_of(document):
    """The spans of a document in any of its forms."""
    if isinstance(document, list):
        for element in document:
            yield from spans_of(element)
    elif "resourceSpans" in document or "batches" in document:
        for resource in document.get("resourceSpans") or document.get("batches"):
            for scope in (resource.get("scopeSpans")
                          or resource.get("instrumentationLibrarySpans") or []):
                for span in scope["spans"]:
                    yield from spans_of(span)
    elif isinstance(document.get("data"), list):
        for trace in document["data"]:
            yield from spans_of(trace.get("spans", []))
    elif isinstance(document.get("spans"), list):
        yield from spans_of(document["spans"])
    elif isinstance(document.get("observations"), list):
        yield from spans_of(document["observations"])
    elif "tags" in document:
        yield Span(document, named(document["tags"]), [])
    elif "attributes" in document:
        attributes = named(document["attributes"])
        if any(isinstance(attributes.get(root), dict) for root in ("llm", "openinference")):
            attributes = dict(flat(attributes))
        yield Span(document, attributes, [(event["name"], named(event.get("attributes")))
                                          for event in document.get("events") or []])
    else:
        yield Span(document, document, [])


class Spans:
    """The words of OpenTelemetry and OpenInference."""

    @staticmethod
    def role(span):
        a = span.a
        kind = a.get("openinference.span.kind")
        if kind:
            return {"LLM": MODEL, "TOOL": TOOL, "AGENT": AGENT}.get(kind, OTHER)
        operation = a.get("gen_ai.operation.name")
        if operation:
            return {"chat": MODEL, "call_llm": MODEL, "generate_content": MODEL,
                    "execute_tool": TOOL, "invoke_agent": AGENT}.get(operation, OTHER)
        operation = a.get("ai.operationId")
        if operation:
            return (TOOL if operation == "ai.toolCall" else
                    MODEL if ".generate" in operation or ".stream" in operation else OTHER)
        if "gcp.vertex.agent.llm_request" in a or a.get("llm.request.type") == "chat":
            return MODEL
        return OTHER

    @staticmethod
    def name(span):
        a = span.a
        return first(a.get("gen_ai.tool.name"), a.get("tool.name"), a.get("ai.toolCall.name"),
                     a.get("gen_ai.agent.name"), a.get("agent.name"),
                     span.name[13:] if span.name.startswith("invoke_agent ") else None,
                     span.name if "openinference.span.kind" in a else None)

    @staticmethod
    def call_id(span):
        return first(*[span.a.get(n) for n in
                       ("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id")])

    @staticmethod
    def tokens(span):
        def number(*names):
            return next((span.a[n] for n in names if isinstance(span.a.get(n), int)), None)
        return (number("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens",
                       "llm.token_count.prompt", "ai.usage.inputTokens",
                       "ai.usage.promptTokens"),
                number("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens",
                       "llm.token_count.completion", "ai.usage.outputTokens",
                       "ai.usage.completionTokens"))

    @staticmethod
    def answer(span):
        return "gen_ai.output.messages" in span.a or Spans.tokens(span)[0] is not None

    @staticmethod
    def asked(span):
        """The calls (id, name) that an answer asks for."""
        a = span.a
        for message in parsed(a.get("gen_ai.output.messages")) or []:
            for part in message.get("parts", []):
                if part["type"] == "tool_call":
                    yield part.get("id"), part["name"]
        for prefix, middle in (("gen_ai.completion.0.tool_calls.%d.", ""),
                               ("llm.output_messages.0.message.tool_calls.%d.tool_call.",
                                "function.")):
            i = 0
            while prefix % i + middle + "name" in a:
                yield a.get(prefix % i + "id"), a[prefix % i + middle + "name"]
                i += 1
        for call in parsed(a.get("ai.response.toolCalls")) or []:
            yield call["toolCallId"], call["toolName"]
        output = parsed(a.get("gen_ai.output"))
        for call in output if isinstance(output, list) else []:
            yield None, call["tool.name"]
        for name, event in span.events:
            if name == "gen_ai.choice":
                for call in (parsed(event["message"]) or {}).get("tool_calls", []):
                    yield call["id"], call["function"]["name"]

    @staticmethod
    def answered(span):
        """The ids of the calls whose results a prompt has."""
        a = span.a
        for message in parsed(a.get("gen_ai.input.messages")) or []:
            for part in message.get("parts") or []:
                if part.get("type") == "tool_call_response":
                    yield part["id"]
        for name, value in a.items():
            if name.endswith("tool_call_id"):
                yield value
        for name, event in span.events:
            if name == "gen_ai.tool.message":
                yield event["id"]


class Observations:
    """The words of Langfuse."""

    @staticmethod
    def role(span):
        return {"GENERATION": MODEL, "TOOL": TOOL, "AGENT": AGENT}.get(span.a["type"], OTHER)

    @staticmethod
    def name(span):
        return span.name

    @staticmethod
    def call_id(span):
        return None

    @staticmethod
    def tokens(span):
        usage = span.a.get("usage_details") or span.a.get("usageDetails") or span.a.get("usage")
        return tuple(sum(n for k, n in (usage or {}).items() if word in k)
                     for word in ("input", "output"))

    @staticmethod
    def answer(span):
        return bool(span.a.get("usage_details"))

    @staticmethod
    def asked(span):
        for call in first(span.a.get("tool_calls"), span.a.get("toolCalls")) or []:
            call = parsed(call)
            yield call["id"], call["name"]
        output = parsed(span.a.get("output"))
        for item in (output.get("output") or []) if isinstance(output, dict) else []:
            if item.get("type") == "function_call":
                yield item["call_id"], item["name"]

    @staticmethod
    def answered(span):
        messages = parsed(span.a.get("input"))
        for message in messages if isinstance(messages, list) else []:
            if message.get("role") == "tool":
                yield message["tool_call_id"]
            elif message.get("type") == "function_call_output":
                yield message["call_id"]


def link(spans):
    ids = {(s.trace, s.id): s for s in spans}
    for s in spans:
        up = ids.get((s.trace, str(s.parent))) if s.parent else None
        if not s.parent and "." in s.name:
            # dumps of the AI SDK leave out the parents
            outer = [o for o in spans if o.name == s.name.rsplit(".", 1)[0] and not o.parent
                     and o.start <= s.start]
            up = max(outer, key=lambda o: o.start, default=None)
        if up is not None and up is not s:
            s.up = up
            up.children.append(s)


def below(span, role):
    """The nearest spans with a role below, through spans without one."""
    for child in span.children:
        if role(child) == OTHER:
            yield from below(child, role)
        else:
            yield child


def requests(span, role):
    """The requests in a span of a model: the innermost ones."""
    inner = [c for c in below(span, role) if role(c) == MODEL]
    return [r for c in inner for r in requests(c, role)] or [span]


def within(span):
    for child in span.children:
        yield child
        yield from within(child)


def above(span, role, *kinds):
    up = span.up
    while up is not None and role(up) not in kinds:
        up = up.up
    return up


def count(path, words):
    text = path.read_text(encoding="utf-8")
    try:
        spans = list(spans_of(json.loads(text)))
    except ValueError:
        spans = [s for line in text.splitlines() for s in spans_of(json.loads(line))]
    link(spans)
    kind = words.role
    idle = set()

    def role(span):
        return OTHER if id(span) in idle else kind(span)

    answered = [s for s in spans if role(s) == AGENT and words.answer(s)
                and not any(role(o) == MODEL or role(o) == AGENT and words.answer(o)
                            for o in within(s))]
    # an agent without a call of its own only wraps others
    idle.update([id(s) for s in spans if role(s) == AGENT and s not in answered
                 and not any(role(o) in (MODEL, TOOL) for o in below(s, role))])
    agents = [s for s in spans if role(s) == AGENT]
    lanes = {}
    main = None
    for s in sorted(agents, key=lambda s: s.start):
        outer = above(s, role, AGENT)
        tool = above(s, role, TOOL, AGENT)
        name = words.name(s)
        if outer is None:
            main = main or s
            lanes[id(s)] = "" if name in (None, words.name(main)) else s.id
        elif tool is outer and name in (None, words.name(outer)):
            lanes[id(s)] = lanes[id(outer)]
        else:
            lanes[id(s)] = s.id

    def lane(span):
        outer = above(span, role, AGENT)
        return lanes.get(id(outer), "") if outer else ""

    chosen, tokens_in, tokens_out = [], 0, 0
    for s in spans:
        if s in answered or role(s) == MODEL and requests(s, role) == [s]:
            chosen.append(s)
            tokens = words.tokens(s)
            up = s.up
            while tokens[0] is None and up is not None and role(up) in (MODEL, OTHER):
                if role(up) == MODEL and requests(up, role) == [s]:
                    tokens = words.tokens(up)
                up = up.up
            tokens_in += tokens[0] or 0
            tokens_out += tokens[1] or 0
    tools = [s for s in spans if role(s) == TOOL
             and not (above(s, role, MODEL, TOOL, AGENT) is not None
                      and role(above(s, role, MODEL, TOOL, AGENT)) == TOOL)]
    stated = {words.call_id(s) for s in tools} - {None}
    free = [s for s in tools]
    tool_calls, results = len(tools), len(tools)
    for s in sorted(chosen, key=lambda s: s.start):
        # the answer can be in a span around
        around = [o for o in spans if role(o) == MODEL and requests(o, role) == [s]]
        asked = next((c for c in (list(words.asked(o)) for o in [s] + around) if c), [])
        for call, name in asked:
            if call is not None and call in stated:
                continue
            match = next((t for t in sorted(free, key=lambda t: t.start)
                          if words.name(t) == name and lane(t) == lane(s)
                          and (call is None or words.call_id(t) is None)), None)
            if match is not None:
                free.remove(match)
                continue
            tool_calls += 1
            if any(call in words.answered(o) for o in chosen
                   if o.start > s.start and lane(o) == lane(s)):
                results += 1
    return (0, len(chosen), tool_calls, results, 0, len(set(lanes.values()) - {""}),
            tokens_in, tokens_out)


def main():
    name, shared, fixtures = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    words = Observations if name == "langfuse" else Spans
    print("\t".join(COLUMNS))
    for root, prefix, directory in ((fixtures, "", name), (shared, "shared:", SHARED.get(name, name))):
        for path in sorted((root / directory).rglob("*.json*")):
            file = prefix + path.relative_to(root).as_posix()
            print("\t".join(map(str, (file,) + count(path, words))))


if __name__ == "__main__":
    main()

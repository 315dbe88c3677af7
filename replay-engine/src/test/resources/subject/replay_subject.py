"""An agent's side of the protocol of docs/protocol.md."""

import json
import sys


class Unanswered(Exception):
    """A request that was not answered with a result: a miss, a refusal, a stop, an error."""


class Replay:
    def __init__(self):
        self.count = 0
        self.request("hello", protocol=1)

    def send(self, message):
        sys.stdout.buffer.write((json.dumps(message) + "\n").encode("utf-8"))
        sys.stdout.buffer.flush()

    def request(self, kind, run=None, piece=None, **members):
        self.count += 1
        id = self.count
        self.send({"id": id, "type": kind, **members})
        for line in sys.stdin.buffer:
            answer = json.loads(line)
            if answer["type"] == "piece":
                if piece:
                    piece(answer["text"])
            elif answer["type"] == "execute":
                try:
                    self.send({"id": id, "type": "output", "output": run()})
                except Exception as e:
                    error = {"name": type(e).__name__, "message": str(e)}
                    self.send({"id": id, "type": "output", "error": error})
            elif answer["type"] == "result":
                return answer
            else:
                raise Unanswered("%s: %s" % (answer["type"], answer["message"]))
        raise Unanswered("the replay is over")

    def tool(self, name, run=None, **params):
        local = {"local": True} if run else {}
        return self.request("tool", run=run, name=name, params=params, **local)["output"]

    def ask(self, model, prompt, piece=None):
        stream = {"stream": True} if piece else {}
        return self.request("model", piece=piece, model=model, prompt=prompt, **stream)["answer"]

    def value(self, source, **members):
        return self.request("value", source=source, **members)["value"]

    def end(self, status="Success", confidence=None):
        self.request("end", status=status, confidence=confidence)

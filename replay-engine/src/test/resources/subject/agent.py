"""An agent that reads a file, asks a model about it, and writes the answer."""

import sys

from replay_subject import Replay

path = sys.argv[1] if len(sys.argv) > 1 else "a.txt"

replay = Replay()
text = replay.tool("read_file", path=path)
started = replay.value("clock")
pieces = []
answer = replay.ask("my-model", "At " + started + ": " + text, piece=pieces.append)
print("pieces", "|".join(pieces), file=sys.stderr)
size = replay.tool("measure", run=lambda: {"length": len(answer)}, text=answer)
replay.tool("write_file", path="b.txt", content=answer, size=size["length"])
replay.end("Success", 0.9)

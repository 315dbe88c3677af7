package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Tool calls to make sessions of; immutable. */
final class TestCalls {

  /** A call; without output it is never answered. */
  record TestCall(String id, String tool, JsonValue params, JsonValue output) {

    TestCall withOutput(Object newOutput) {
      return new TestCall(id, tool, params, JsonValue.of(newOutput));
    }

    TestCall withParams(Object newParams) {
      return new TestCall(id, tool, JsonValue.of(newParams), output);
    }

    TestCall unanswered() {
      return new TestCall(id, tool, params, null);
    }
  }

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-13T10:00:00Z"), ZoneOffset.UTC);

  private TestCalls() {}

  static TestCall call(String tool, Object params, Object output) {
    return new TestCall("id", tool, JsonValue.of(params), JsonValue.of(output));
  }

  /** A number of calls that all differ. */
  static List<TestCall> distinct(String prefix, int count) {
    List<TestCall> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(call(prefix + i, i, "out " + i));
    }
    return calls;
  }

  /** Calls, each followed by its result. */
  static Session write(Path file, List<TestCall> calls) throws IOException {
    return write(file, calls, false);
  }

  /** The same without parameters and outputs, only their hashes. */
  static Session writeHashes(Path file, List<TestCall> calls) throws IOException {
    return write(file, calls, true);
  }

  private static Session write(Path file, List<TestCall> calls, boolean hashesOnly)
      throws IOException {
    Files.deleteIfExists(file);
    WriterOptions options = WriterOptions.defaults().withClock(CLOCK);
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("test@1"), options)) {
      for (TestCall call : calls) {
        writer.emit(new ToolCall(
            call.id(),
            call.tool(),
            new Content(
                hashesOnly ? null : call.params(),
                CanonicalJson.SERDE.hash(call.params()),
                null,
                null),
            null,
            Attempt.NONE,
            Meta.NONE));
        if (call.output() != null) {
          Content output = hashesOnly
              ? Content.ofHash(CanonicalJson.SERDE.hash(call.output()))
              : Content.of(call.output());
          writer.emit(new ToolResult(
              call.id(), output, Outcome.NONE, null, Timing.of(1L), List.of(), Meta.NONE));
        }
      }
    }
    return new Session(file, null);
  }
}

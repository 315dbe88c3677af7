package dev.agentreplay.engine;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.internal.Hashes;
import dev.agentreplay.canonical.internal.LogCanonicalization;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.CallPairing;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tool calls of a session in order, each with the hashes of what went in and came out. */
final class CallIndex {

  /** A call: what is compared of it, and where it is. */
  static final class Call {
    final int number;
    final long line;
    final String tool;
    final @Nullable ContentHash params;
    long resultLine;

    @Nullable
    ContentHash output;

    Call(int number, long line, String tool, @Nullable ContentHash params) {
      this.number = number;
      this.line = line;
      this.tool = tool;
      this.params = params;
    }

    Divergence.Place place() {
      return new Divergence.Place(line, number, tool);
    }

    /** Where the result is; null when there is none. */
    Divergence.@Nullable Place resultPlace() {
      return resultLine == 0 ? null : new Divergence.Place(resultLine, number, tool);
    }
  }

  private CallIndex() {}

  /** The canonicalization that two sessions have in common, else {@code serde}. */
  static CanonicalJson common(Session left, Session right) throws IOException {
    CanonicalJson one = canonicalization(left);
    return one != null && one == canonicalization(right) ? one : CanonicalJson.SERDE;
  }

  private static @Nullable CanonicalJson canonicalization(Session session) throws IOException {
    LogCanonicalization canonicalization = new LogCanonicalization();
    try (ReplayReader reader = session.reader()) {
      ReplayLine first = reader.read();
      if (first != null) {
        canonicalization.accept(first.event());
      }
    }
    return canonicalization.get();
  }

  /** The hash of a value in a log, else the one that the log states. */
  private static @Nullable ContentHash hash(
      @Nullable JsonValue value, @Nullable ContentHash stated, CanonicalJson canonical) {
    return value == null ? stated : Hashes.comparable(value, canonical);
  }

  /** Reads the calls of a session. */
  static List<Call> read(Session session, CanonicalJson canonical) throws IOException {
    List<Call> calls = new ArrayList<>();
    CallPairing<Call> pairing = new CallPairing<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof ToolCall toolCall) {
          Call call = new Call(
              calls.size(),
              line.position().line(),
              toolCall.tool(),
              hash(toolCall.params(), toolCall.paramsHash(), canonical));
          calls.add(call);
          pairing.call(toolCall.id(), call);
        } else if (line.event() instanceof ToolResult result) {
          Call call = pairing.result(result.id());
          if (call != null) {
            call.resultLine = line.position().line();
            call.output = hash(result.output().value(), result.output().hash(), canonical);
          }
        }
      }
    }
    return calls;
  }

  /** Reads the objects of some lines of a session. */
  static Map<Long, JsonObject> lines(Session session, Set<Long> numbers) throws IOException {
    Map<Long, JsonObject> found = new HashMap<>();
    try (ReplayReader reader = session.reader()) {
      while (found.size() < numbers.size()) {
        ReplayLine line = reader.read();
        if (line == null) {
          throw new IOException(session.log() + " became shorter while it was compared");
        }
        if (numbers.contains(line.position().line())) {
          found.put(line.position().line(), line.json());
        }
      }
    }
    return found;
  }
}

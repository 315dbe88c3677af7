package dev.agentreplay.benchmarks;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentreplay.io.log.RawLineReader;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The log of the read benchmarks: a header and the repeated lines of a recorded session. */
final class ReadLog {

  /** The number of lines of the log. */
  static final int LINES = 2_000;

  private static final String SESSION = "task-17_trial-0";
  private static final ObjectReader JACKSON =
      JsonMapper.builder().build().readerFor(ReadPojos.Event.class);

  /** A call of a tool and its output. */
  record Call(String tool, JsonValue params, JsonValue output) {}

  private ReadLog() {}

  static byte[] bytes() {
    List<String> recorded = Documents.lines(SESSION);
    StringBuilder log = new StringBuilder(recorded.get(0)).append('\n');
    for (int i = 0; i < LINES - 1; i++) {
      log.append(recorded.get(1 + i % (recorded.size() - 1))).append('\n');
    }
    return log.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the reader of this library on the log. */
  static ReplayReader reader(byte[] log) {
    return ReplayReader.of(new ByteArrayInputStream(log), SESSION);
  }

  /** The events of one kind in the log. */
  static <E extends ReplayEvent> List<E> events(Class<E> kind) throws IOException {
    List<E> events = new ArrayList<>();
    try (ReplayReader reader = reader(bytes())) {
      for (ReplayLine line : reader) {
        if (kind.isInstance(line.event())) {
          events.add(kind.cast(line.event()));
        }
      }
    }
    return events;
  }

  /** Returns the reader of this library that returns lines as bytes. */
  static RawLineReader rawReader(byte[] log) {
    return RawLineReader.of(new ByteArrayInputStream(log), SESSION);
  }

  /** Returns Jackson's reader, bound to {@link ReadPojos}. */
  static MappingIterator<ReadPojos.Event> jackson(byte[] log) throws IOException {
    return JACKSON.readValues(log);
  }

  /**
   * Checks that both readers return the same events.
   *
   * @throws IllegalStateException if they differ
   */
  static void requireSameEvents(byte[] log) throws IOException {
    int lines = 0;
    try (ReplayReader ours = reader(log);
        MappingIterator<ReadPojos.Event> theirs = jackson(log)) {
      for (ReplayLine line : ours) {
        lines++;
        ReadPojos.Event event = theirs.next();
        if (!line.event().kind().id().equals(event.getClass().getSimpleName())
            || !valueOf(line.event()).equals(valueOf(event))) {
          throw new IllegalStateException("Jackson reads line " + lines + " as " + event);
        }
      }
      if (lines != LINES || theirs.hasNext()) {
        throw new IllegalStateException("a log of " + LINES + " lines is read as " + lines);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static String valueOf(ReplayEvent event) {
    return event instanceof ToolCall call
        ? call.id() + call.params().value()
        : event instanceof ToolResult result ? result.id() + result.output().value() : "";
  }

  private static String valueOf(ReadPojos.Event event) {
    return event instanceof ReadPojos.ToolCall call
        ? call.id + call.params
        : event instanceof ReadPojos.ToolResult result ? result.id + result.output : "";
  }

  /** The calls of a recorded session, repeated, each with a distinguishing member. */
  static List<Call> calls(int count) throws IOException {
    List<ToolCall> calls = events(ToolCall.class);
    List<JsonValue> outputs = events(ToolResult.class).stream()
        .map(result -> Objects.requireNonNull(result.output().value()))
        .toList();
    List<Call> made = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ToolCall call = calls.get(i % calls.size());
      JsonObject params =
          Objects.requireNonNullElse(call.params().value(), JsonObject.EMPTY).asObject();
      JsonValue output = outputs.get(i % outputs.size());
      made.add(new Call(call.tool(), params.with("turn", i / calls.size()), output));
    }
    return made;
  }
}

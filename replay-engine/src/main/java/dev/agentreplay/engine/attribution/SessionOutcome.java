package dev.agentreplay.engine.attribution;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a session: a value that is read from it. Two sessions have the same outcome if the
 * values are equal. Immutable and safe for use by several threads if its reader is.
 */
public final class SessionOutcome {

  /** Reads the outcome of a session. */
  @FunctionalInterface
  public interface Reader {

    /**
     * Returns the outcome of a session.
     *
     * @throws IOException if the session cannot be read
     */
    JsonValue read(Session session) throws IOException;
  }

  private final String name;
  private final Reader reader;

  private SessionOutcome(String name, Reader reader) {
    this.name = name;
    this.reader = reader;
  }

  /**
   * An outcome that the caller reads.
   *
   * @param name its name in reports
   */
  public static SessionOutcome of(String name, Reader reader) {
    return new SessionOutcome(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(reader, "reader"));
  }

  /** The status at the end, with the error, and the exit codes of the last verification. */
  public static SessionOutcome status() {
    return of("status", SessionOutcome::readStatus);
  }

  /** The last answer of a model to the main agent. */
  public static SessionOutcome answer() {
    return of("answer", SessionOutcome::readAnswer);
  }

  /** The tool calls of the main agent: their tools and parameters, in order. */
  public static SessionOutcome calls() {
    return of("calls", SessionOutcome::readCalls);
  }

  /**
   * The first of {@link #status}, {@link #answer} and {@link #calls} that differs; null if none
   * does.
   */
  static @Nullable SessionOutcome differing(Session left, Session right) throws IOException {
    for (SessionOutcome outcome : List.of(status(), answer(), calls())) {
      if (!outcome.of(left).equals(outcome.of(right))) {
        return outcome;
      }
    }
    return null;
  }

  /** The name of the outcome in reports. */
  public String name() {
    return name;
  }

  /**
   * The outcome of a session.
   *
   * @throws IOException if the session cannot be read
   */
  public JsonValue of(Session session) throws IOException {
    return reader.read(session);
  }

  private static JsonValue readStatus(Session session) throws IOException {
    JsonObject status = JsonObject.EMPTY;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof Verification verification) {
          status = status.with(
              Names.EXIT_CODES,
              JsonValue.of(verification.commands().stream()
                  .map(Verification.CommandRun::exitCode)
                  .toList()));
        } else if (line.event() instanceof SessionEnd end) {
          status = status.with("status", end.status().kind().name().toLowerCase(Locale.ROOT));
          status = end.errorMessage() == null ? status : status.with("error", end.errorMessage());
        }
      }
    }
    return status;
  }

  private static JsonValue readAnswer(Session session) throws IOException {
    JsonValue answer = JsonNull.NULL;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof ModelResult result && result.meta().agent() == null) {
          answer = value(session, result);
        }
      }
    }
    return answer;
  }

  private static JsonValue readCalls(Session session) throws IOException {
    List<JsonValue> calls = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof ToolCall call && call.meta().agent() == null) {
          calls.add(JsonArray.of(call.tool(), value(session, call)));
        }
      }
    }
    return JsonArray.copyOf(calls);
  }

  private static JsonValue value(Session session, ReplayEvent event) throws IOException {
    return Objects.requireNonNullElse(session.resolve(event.content()), JsonNull.NULL);
  }

  @Override
  public String toString() {
    return name;
  }
}

package dev.agentreplay.engine.subject;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A judge that is a program, started for each pair of texts. It gets them as one line of JSON on
 * its standard input, with the members {@code step}, {@code pointer}, {@code before} and
 * {@code after}. It writes its judgment, an object with {@code equivalent} (true or false), and
 * optionally {@code similarity} (a number from 0 to 1) and {@code reason} (a text).
 *
 * <p>There is no judgment if the program writes anything else, its exit code is not 0, or it does
 * not answer in time: {@link #compare} throws, and texts are never called equivalent because a
 * program failed. The program is killed then, with the processes that it started, and also when the
 * thread that calls it is interrupted.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class ProcessJudge implements SemanticComparator {

  /** The time in which a program answers, by default. */
  static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);

  private static final Set<String> MEMBERS = Set.of("equivalent", "similarity", "reason");
  private static final int SHOWN = 60;

  private final ProcessCommand command;
  private final Duration timeout;

  private ProcessJudge(ProcessCommand command, Duration timeout) {
    this.command = command;
    this.timeout = timeout;
  }

  /** Creates a judge that is a program, with a time-out of 2 minutes for each pair. */
  public static ProcessJudge of(ProcessCommand command) {
    return new ProcessJudge(Objects.requireNonNull(command, "command"), DEFAULT_TIMEOUT);
  }

  /**
   * Returns this judge with a different time-out for each pair.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ProcessJudge withTimeout(Duration newTimeout) {
    if (newTimeout.isNegative() || newTimeout.isZero()) {
      throw new IllegalArgumentException("the time-out must be positive: " + newTimeout);
    }
    return new ProcessJudge(command, newTimeout);
  }

  /**
   * Asks the program.
   *
   * @throws dev.agentreplay.engine.replay.execution.NotExecutedException if the program cannot be
   *     started, does not answer in time, or was stopped at a limit
   * @throws InterruptedIOException if the thread was interrupted; its interrupt status is set
   * @throws IOException if there is no judgment
   */
  @Override
  public Judgment compare(Texts texts) throws IOException {
    JsonObject request = JsonObject.of(
        "step", texts.step(),
        "pointer", texts.pointer(),
        "before", texts.before(),
        "after", texts.after());
    ProcessRun.Result run;
    try {
      run = ProcessRun.run(command, request, timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("the judge \"%s\" was interrupted".formatted(command.name()));
      interrupted.initCause(e);
      throw interrupted;
    }
    if (run.exitCode() != 0) {
      throw new IOException("the judge \"%s\" exited with %d%s"
          .formatted(command.name(), run.exitCode(), run.errors()));
    }
    return judgment(parsed(run));
  }

  private JsonObject parsed(ProcessRun.Result run) throws IOException {
    try {
      if (JsonText.parse(run.output()) instanceof JsonObject object) {
        return object;
      }
    } catch (JsonSyntaxException e) {
      throw new IOException(message("is not JSON: " + e.getMessage(), run.output()), e);
    }
    throw new IOException(message("expected an object", run.output()));
  }

  private Judgment judgment(JsonObject answer) throws IOException {
    for (String name : answer.names()) {
      if (!MEMBERS.contains(name)) {
        throw wrong(name, "no member of this name", answer);
      }
    }
    if (!(answer.get("equivalent") instanceof JsonBoolean equivalent)) {
      throw wrong("equivalent", "true or false", answer);
    }
    JsonValue reason = answer.get("reason");
    if (reason != null && !(reason instanceof JsonString)) {
      throw wrong("reason", "a string", answer);
    }
    return new Judgment(
        equivalent.value(), similarity(answer), reason == null ? null : reason.asString());
  }

  private @Nullable Double similarity(JsonObject answer) throws IOException {
    JsonValue value = answer.get("similarity");
    if (value == null) {
      return null;
    }
    if (value instanceof JsonNumber number && number.asDouble() >= 0 && number.asDouble() <= 1) {
      return number.asDouble();
    }
    throw wrong("similarity", "a number from 0 to 1", answer);
  }

  private IOException wrong(String member, String expected, JsonObject answer) {
    JsonValue found = answer.get(member);
    return new IOException(message(
        "\"%s\": expected %s".formatted(PlainText.fit(member, SHOWN), expected),
        found == null ? "none" : found.toString()));
  }

  private String message(String problem, String found) {
    String shown = found.isEmpty() ? "no text" : PlainText.fit(found, SHOWN);
    return "the answer of the judge \"%s\": %s, found %s".formatted(command.name(), problem, shown);
  }
}

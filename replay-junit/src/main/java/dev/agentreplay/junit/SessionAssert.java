package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.RecordedToolCall.Result;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.assertj.core.annotation.CheckReturnValue;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.SoftAssertionsProvider;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a session, from {@link ReplayAssertions#assertThat(Session)}. Each reads the log
 * anew, and holds the calls of it in memory. A session that cannot be read, has no header or one of
 * a version that is not known, or a line that is not what it is meant to be, fails every one of
 * them. A failure says in its first line what is wrong, and last where.
 *
 * <p>Not final, since AssertJ makes subclasses of it for soft assertions; not meant for others.
 */
public class SessionAssert extends AbstractAssert<SessionAssert, Session> {

  /** Collects what fails; null where that is thrown. */
  @Nullable
  SoftAssertionsProvider soft;

  /** For AssertJ. */
  public SessionAssert(@Nullable Session actual) {
    super(actual, SessionAssert.class);
  }

  /** As {@link #isVerified(VerifyPolicy)}, by {@link VerifyPolicy#defaults()}. */
  public SessionAssert isVerified() {
    return isVerified(VerifyPolicy.defaults());
  }

  /** The session is valid: something of it could be checked, and nothing is wrong. */
  public SessionAssert isVerified(VerifyPolicy policy) {
    isNotNull();
    String finding;
    try {
      finding = Replays.failure(actual, policy);
    } catch (IOException e) {
      throw unreadable(e);
    }
    if (finding != null) {
      throw error(finding);
    }
    return this;
  }

  /**
   * Exactly these tools were called, in this order; none, if none is named. Fails if the log says
   * that events are missing.
   */
  public SessionAssert hasToolCalls(String... tools) {
    ToolCallList calls = allCalls();
    return requireTools(calls, List.of(tools), calls.differenceInOrder(List.of(tools)));
  }

  /**
   * Exactly these tools were called, each as often as it is named, in any order. Fails if the log
   * says that events are missing.
   */
  public SessionAssert hasToolCallsInAnyOrder(String... tools) {
    ToolCallList calls = allCalls();
    return requireTools(calls, List.of(tools), calls.difference(List.of(tools)));
  }

  private SessionAssert requireTools(
      ToolCallList calls, List<String> expected, @Nullable String difference) {
    if (difference != null) {
      throw Failed.comparing(error(difference), Shown.lines(expected), Shown.lines(calls.tools()));
    }
    return this;
  }

  /**
   * Every call has a result, and none says that the tool failed. That there are calls is not looked
   * at: {@link #hasToolCalls} says which there are. Fails if no more than the start of the session
   * is recorded, or the log says that events are missing.
   */
  public SessionAssert hasNoFailedToolResults() {
    RecordedLog log = log();
    requireRecorded(log);
    requireWhole(log);
    List<String> failed = new ArrayList<>();
    for (RecordedToolCall call : log.calls()) {
      if (call.result() == null) {
        failed.add(call + " has no result" + CallText.params(call));
      } else if (!call.result().outcome().succeeded()) {
        failed.add(call + " failed" + CallText.params(call) + CallText.outcome(call));
      }
    }
    for (Result result : log.strayResults()) {
      if (!result.event().outcome().succeeded()) {
        failed.add("line %d: result %s of no call failed"
            .formatted(result.line(), Shown.name(result.event().id())));
      }
    }
    if (!failed.isEmpty()) {
      throw error("%s failed\n%s"
          .formatted(PlainText.count(failed.size(), "tool call"), String.join("\n", failed)));
    }
    return this;
  }

  /** The session ended like this; of two spellings of a status, one is as good as the other. */
  public SessionAssert endsWith(Status status) {
    RecordedLog log = log();
    RecordedLog.End end = log.end();
    if (end == null) {
      throw error("the session has no end: expected %s after %s"
          .formatted(Shown.text(status.spelling()), PlainText.count(log.lines(), "line")));
    }
    SessionEnd event = end.event();
    boolean isOther = status.kind() == Status.Kind.OTHER;
    if (isOther
        ? !status.equals(event.status())
        : status.kind() != event.status().kind()) {
      String expected = Shown.text(status.spelling());
      String found = Shown.text(event.status().spelling());
      throw Failed.comparing(
          error("the session has another end\nexpected: %s\nfound:    %s in line %d%s"
              .formatted(
                  expected,
                  found,
                  end.line(),
                  event.errorMessage() == null
                      ? ""
                      : "\nerror:    " + Shown.text(event.errorMessage()))),
          expected,
          found);
    }
    return this;
  }

  /** As {@link #matches(Session, DiffOptions)}, compared exactly. */
  public SessionAssert matches(Session recording) {
    return matches(recording, DiffOptions.defaults());
  }

  /**
   * The session did what the recording did: nothing differs that matters, as {@link SessionDiff}
   * has it. Where there is no recording, or another one, the session may be taken for it, as
   * {@link ReplaySession} says; then this holds. A recording that does not verify, as one that was
   * changed since, is treated as one that differs. A session of which no more than the start is
   * recorded fails.
   *
   * @param recording what it is compared with, as it is on the disk when this is called; its log
   *     may not be there yet
   * @throws IllegalArgumentException if the recording is the session itself
   */
  public SessionAssert matches(Session recording, DiffOptions options) {
    isNotNull();
    Path place = Acceptance.place(recording);
    UnusedRecordings.use(place);
    requireRecorded(log()); // what cannot be read, or is nothing, is not offered
    try {
      if (Files.notExists(recording.log())) {
        String refusal = offer(recording, options, "no recording at " + Shown.path(place));
        if (refusal != null) {
          throw failure("%s", refusal);
        }
      } else if (Files.isSameFile(actual.log(), recording.log())) {
        throw new IllegalArgumentException(
            "a session cannot be compared with itself: " + actual.log());
      } else {
        // it may have got there, with all that belongs to it, since it was looked for
        requireEqual(Session.open(recording.log()), options);
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
    return this;
  }

  private void requireRecorded(RecordedLog log) {
    if (log.isBlank()) {
      throw error("nothing is recorded: the log ends where the session starts");
    }
  }

  private void requireWhole(RecordedLog log) {
    if (log.gap() != null) {
      throw error(log.gap());
    }
  }

  private void requireEqual(Session recording, DiffOptions options) throws IOException {
    String damage = damage(recording);
    if (damage != null) {
      String refusal = offer(recording, options, damage);
      if (refusal != null) {
        throw failure("%s", refusal);
      }
      return;
    }
    SessionDiff diff = SessionDiff.between(recording, actual, options);
    if (diff.isIdentical()) {
      return;
    }
    String report = TextReport.render(diff.withNames("recorded", "actual"));
    String message = "not as recorded: %s\nrecorded: %s\nactual:   %s"
        .formatted(report.stripTrailing(), Shown.path(recording), Shown.path(actual));
    String refusal = offer(recording, options, message);
    if (refusal != null) {
      throw new SessionMismatchError(failure("%s", refusal), diff, recording, actual);
    }
  }

  /** Why a recording is not what was once accepted; null if it is, as far as can be told. */
  private static @Nullable String damage(Session recording) throws IOException {
    VerificationReport report = SessionVerifier.of(VerifyPolicy.lenient()).verify(recording);
    boolean isDamaged =
        report.verdict() == Verdict.INVALID || report.verdict() == Verdict.UNREADABLE;
    return isDamaged
        ? "the recording does not verify: %s\nrecorded: %s"
            .formatted(VerificationText.renderFailure(report), Shown.path(recording))
        : null;
  }

  /** Null if the session was taken for the recording, else the message with what is to be done. */
  private @Nullable String offer(Session recording, DiffOptions options, String message) {
    try {
      String hint = Acceptance.current().offer(actual, recording, options);
      if (hint == null) {
        return null;
      }
      String end = log().end() == null ? "\nthis session has no end, and no receipt" : "";
      return (message + "\n" + hint).stripTrailing() + end;
    } catch (IOException e) {
      return "%s\nthe session in %s could not be offered as the recording: %s"
          .formatted(message, Shown.path(actual), Shown.cause(e));
    }
  }

  /** Assertions on the only call with this id. */
  @CheckReturnValue
  public final ToolCallAssert toolCall(String id) {
    Objects.requireNonNull(id, "id");
    return toolCall(
        calls -> {
          List<RecordedToolCall> found = calls.withId(id);
          if (found.size() > 1) {
            throw error("%d calls have the id %s: toolCall(id, occurrence) tells them apart%s"
                .formatted(found.size(), Shown.name(id), new ToolCallList(found).rows(-1)));
          }
          return found.isEmpty() ? null : found.get(0);
        },
        () -> "no call has the id %s%s".formatted(Shown.name(id), ifTool(id)));
  }

  /**
   * Assertions on one of the calls with this id.
   *
   * @param occurrence which of them, from 0, in the order of the log
   */
  @CheckReturnValue
  public final ToolCallAssert toolCall(String id, int occurrence) {
    Objects.requireNonNull(id, "id");
    requireNotNegative("occurrence", occurrence);
    return toolCall(
        calls -> at(calls.withId(id), occurrence),
        () -> "no call %s with the occurrence %d".formatted(Shown.name(id), occurrence));
  }

  /**
   * Assertions on a call.
   *
   * @param index its number among the calls of the log, from 0
   */
  @CheckReturnValue
  public final ToolCallAssert toolCall(int index) {
    requireNotNegative("index", index);
    return toolCall(calls -> at(calls.all(), index), () -> "no call " + index);
  }

  /** A hint if an id that no call has is the name of a tool. */
  private String ifTool(String id) {
    return calls().tools().contains(id)
        ? ": it is the name of a tool; the calls, each with its id, are"
        : "";
  }

  private static void requireNotNegative(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException("%s must not be negative: %d".formatted(name, value));
    }
  }

  private static @Nullable RecordedToolCall at(List<RecordedToolCall> calls, int index) {
    return index < calls.size() ? calls.get(index) : null;
  }

  /** Not proxied, as it is final what calls it: it has something to return when it fails. */
  private ToolCallAssert toolCall(
      Function<ToolCallList, @Nullable RecordedToolCall> choice, Supplier<String> absence) {
    RecordedToolCall call;
    try {
      ToolCallList calls = calls();
      call = choice.apply(calls);
      if (call == null) {
        throw error(absence.get() + calls.rows(-1));
      }
    } catch (AssertionError absent) {
      if (soft == null) {
        throw absent;
      }
      soft.collectAssertionError(absent);
      return asserts(new ReplaySoftAssertions(), null); // whose failures nobody asks for
    }
    ToolCallAssert asserts = soft == null ? new ToolCallAssert(call) : asserts(soft, call);
    asserts.info.description(info.description());
    asserts.info.overridingErrorMessage(info.overridingErrorMessage());
    asserts.info.useRepresentation(info.representation());
    return asserts;
  }

  private static ToolCallAssert asserts(
      SoftAssertionsProvider soft, @Nullable RecordedToolCall call) {
    return soft.proxy(ToolCallAssert.class, RecordedToolCall.class, call);
  }

  private ToolCallList calls() {
    return new ToolCallList(log().calls());
  }

  /** The calls of a log that says of no others that they are missing. */
  private ToolCallList allCalls() {
    RecordedLog log = log();
    requireWhole(log);
    return new ToolCallList(log.calls());
  }

  private RecordedLog log() {
    if (actual == null) { // where failures are collected, isNotNull() goes on
      throw failure("%nExpecting actual not to be null");
    }
    try {
      return RecordedLog.read(actual);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** A failure that says first what is wrong, and where last. */
  private AssertionError error(String message) {
    return failure("%s\nin %s", message, Shown.path(actual));
  }

  private AssertionError unreadable(IOException e) {
    return Failed.because(e, failure("%s", Shown.unreadable(e)));
  }
}

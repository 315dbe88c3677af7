package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.message.ModelMessage;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.Recorded;
import dev.agentreplay.engine.view.RecordedToolCall;
import dev.agentreplay.engine.view.SessionView;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.assertj.core.annotation.CheckReturnValue;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.SoftAssertionsProvider;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a session, created by {@link ReplayAssertions#assertThat(Session)}. Each assertion
 * reads the log again and keeps its calls in memory. It fails if the session cannot be read, if its
 * header is missing or has an unknown version, or if a line is an invalid event. The first line of
 * a failure message states the problem, the last line its place; a failure of {@code matches} ends
 * with how to accept the session.
 *
 * <p>Not final, because AssertJ creates subclasses for soft assertions; not intended for other
 * subclasses.
 */
public class SessionAssert extends AbstractAssert<SessionAssert, Session> {

  /** The collector of failures; null if failures are thrown. */
  @Nullable
  SoftAssertionsProvider soft;

  /** Creates assertions; called by AssertJ. */
  public SessionAssert(@Nullable Session actual) {
    super(actual, SessionAssert.class);
  }

  /** Verifies that the session is valid by {@link VerifyPolicy#defaults()}. */
  public SessionAssert isVerified() {
    return isVerified(VerifyPolicy.defaults());
  }

  /**
   * Verifies that the session is valid by a policy: something could be checked, and no check
   * failed.
   */
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
   * Verifies that exactly these tools were called, in this order; none if no tool is given. Fails
   * if the log has a gap, that is, if it states that events were not recorded.
   */
  public SessionAssert hasToolCalls(String... tools) {
    ToolCallList calls = allCalls();
    return requireTools(calls, List.of(tools), calls.differenceInOrder(List.of(tools)));
  }

  /**
   * Verifies that exactly these tools were called, each as often as it is given, in any order.
   * Fails if the log has a gap, that is, if it states that events were not recorded.
   */
  public SessionAssert hasToolCallsInAnyOrder(String... tools) {
    ToolCallList calls = allCalls();
    return requireTools(calls, List.of(tools), calls.difference(List.of(tools)));
  }

  /**
   * Verifies that these tools were called in this order; other calls may precede each of them and
   * follow, as with AssertJ's {@code containsSubsequence}.
   *
   * @throws IllegalArgumentException if no tool is given
   */
  public SessionAssert hasToolCallsContaining(String... tools) {
    ToolCallList calls = calls();
    List<String> expected = requireSome(tools);
    return requireTools(calls, expected, calls.differenceWithin(expected));
  }

  /**
   * Verifies that the first calls were those of these tools, in this order. Fails if the log has a
   * gap, that is, if it states that events were not recorded.
   *
   * @throws IllegalArgumentException if no tool is given
   */
  public SessionAssert hasToolCallsStartingWith(String... tools) {
    ToolCallList calls = allCalls();
    List<String> expected = requireSome(tools);
    return requireTools(calls, expected, calls.differenceAtStart(expected));
  }

  /**
   * Verifies that none of these tools was called. Fails if the log ends after the start of the
   * session or has a gap, that is, if it states that events were not recorded.
   *
   * @throws IllegalArgumentException if no tool is given
   */
  public SessionAssert neverCalls(String... tools) {
    List<String> unwanted = requireSome(tools);
    SessionView log = wholeLog();
    List<RecordedToolCall> found = log.calls().stream()
        .filter(call -> unwanted.contains(call.call().tool()))
        .toList();
    if (!found.isEmpty()) {
      throw error("expected no call of %s, found %d%s"
          .formatted(Shown.names(unwanted), found.size(), new ToolCallList(found).rows(-1)));
    }
    return this;
  }

  /**
   * Verifies the maximum number of model calls, also failed ones; a result without a call counts as
   * a call. Fails if the log ends after the start of the session or has a gap, that is, if it
   * states that events were not recorded. An agent whose model calls are not recorded passes.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public SessionAssert asksModelAtMost(int calls) {
    requireNotNegative("calls", calls);
    return require(new ModelUse(wholeLog()).callsAbove(calls));
  }

  /**
   * Verifies the maximum number of tokens: those that models read and wrote, in all their calls.
   * Fails if the number is not known: if the log has no result of a model, a model call without a
   * result, a result that does not state both numbers of tokens, unless it reports an error and
   * states neither, a result that states a negative number, or a gap, that is, if it states that
   * events were not recorded.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public SessionAssert usesAtMostTokens(long tokens) {
    requireNotNegative("tokens", tokens);
    return require(new ModelUse(wholeLog()).tokensAbove(tokens));
  }

  /**
   * Verifies the maximum cost of the model calls, which is that of {@code replay stats --prices}:
   * of all results that state their tokens, with cached and reasoning tokens at the price of
   * others. Fails if the cost is not known: if a called model has no price, and in all cases in
   * which {@link #usesAtMostTokens} fails because the number of tokens is not known.
   *
   * <pre>{@code
   * Prices prices = Prices.of(Map.of(
   *     "gpt-5", new Prices.Price(new BigDecimal("1.25"), new BigDecimal("10"))));
   * assertThat(session).costsAtMost(prices, new BigDecimal("0.05"));
   * }</pre>
   *
   * @param prices the prices of the models, of a million tokens
   * @param most the maximum, in the currency of the prices
   * @throws IllegalArgumentException if the maximum is negative
   */
  public SessionAssert costsAtMost(Prices prices, BigDecimal most) {
    Objects.requireNonNull(prices, "prices");
    if (most.signum() < 0) {
      throw new IllegalArgumentException("cost must not be negative: " + most);
    }
    return require(new ModelUse(wholeLog()).costAbove(prices, most));
  }

  /**
   * Verifies that the last answer of a model contains a text: one of the
   * {@linkplain ModelMessage#texts() texts} of the answer as a message, without tool calls and
   * reasoning. The last answer is that of the main agent, whose events state no agent, if it asked
   * a model; else that of any agent. Calls that failed have no answer. Fails if the log ends after
   * the start of the session or has a gap, that is, if it states that events were not recorded.
   *
   * @throws IllegalArgumentException if the text is blank, which nearly any answer contains
   */
  public SessionAssert hasAnswerContaining(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("text must not be blank");
    }
    SessionView log = wholeLog();
    try {
      return require(new ModelUse(log).lastAnswerWithout(text));
    } catch (IOException e) {
      throw Failed.because(e, error("an answer cannot be read: " + Shown.cause(e)));
    }
  }

  /**
   * Verifies the maximum time from the first to the last event of the session, by the recorded
   * times of the events. Fails if the session has no end, if its end states no time or no other
   * event does, or if the clock went backwards.
   */
  public SessionAssert lastsAtMost(Duration most) {
    Objects.requireNonNull(most, "duration");
    return require(RecordedLog.longerThan(most, log()));
  }

  private SessionAssert require(@Nullable String problem) {
    if (problem != null) {
      throw error(problem);
    }
    return this;
  }

  private static List<String> requireSome(String... tools) {
    if (tools.length == 0) {
      throw new IllegalArgumentException("expected at least one tool");
    }
    return List.of(tools);
  }

  private SessionAssert requireTools(
      ToolCallList calls, List<String> expected, @Nullable String difference) {
    if (difference != null) {
      throw Failed.comparing(error(difference), Shown.lines(expected), Shown.lines(calls.tools()));
    }
    return this;
  }

  /**
   * Verifies that every call has a result and that no result reports a failure of the tool. A
   * session without calls passes; use {@link #hasToolCalls} to require calls. Fails if the log ends
   * after the start of the session or has a gap, that is, if it states that events were not
   * recorded.
   */
  public SessionAssert hasNoFailedToolResults() {
    SessionView log = log();
    requireRecorded(log);
    requireWhole(log);
    return require(new ToolCallList(log.calls()).failures(log.resultsWithoutCall()));
  }

  /** Verifies the status of the end of the session. Different spellings of a status are equal. */
  public SessionAssert endsWith(Status status) {
    SessionView log = log();
    Recorded<SessionEnd> end = log.end();
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
          error("the session ended with a different status\nexpected: %s\nfound:    %s in line %d%s"
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

  /**
   * Verifies that the session matches a recording: exactly, unless a file {@code replay.rules}
   * applies to the recording. The same as {@link #matches(Session, DiffOptions)} with
   * {@link DiffOptions#defaults()}.
   */
  public SessionAssert matches(Session recording) {
    return matches(recording, DiffOptions.defaults());
  }

  /**
   * Verifies that the session matches a recording (the snapshot, or golden file): the comparison by
   * {@link SessionDiff} passes, that is, no divergence is as severe as {@link DiffOptions#failOn},
   * by default minor. The rules of a file {@link dev.agentreplay.engine.rules.RulesFile
   * replay.rules} apply, too: of one in the folder of recordings, in the directory of the
   * recording, and in those between; of a recording outside that folder, of the one in its own
   * directory. The given rules take precedence over those of files, and nearer files over outer
   * ones. If it does not pass, or there is no recording yet, the session is offered as the new
   * recording. It can be accepted at once, as {@link ReplaySession} specifies; the assertion then
   * passes. A recording that does not verify, for example because it was edited, is treated as
   * different. Fails if the log ends after the start of the session.
   *
   * @param recording the recording to compare with, read when this method is called; its log need
   *     not exist yet
   * @throws IllegalArgumentException if the recording is the session itself
   */
  public SessionAssert matches(Session recording, DiffOptions options) {
    isNotNull();
    Path place = Acceptance.place(recording);
    UnusedRecordings.use(place);
    SessionView log = log();
    requireRecorded(log); // an unreadable or empty session is not offered
    RecordingRules rules = rules(place);
    try {
      SessionMatch.Mismatch mismatch =
          new SessionMatch(actual, log.end() != null, options, rules).mismatch(recording, place);
      if (mismatch != null) {
        throw mismatch.error(failure("%s", mismatch.message()));
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
    return this;
  }

  private RecordingRules rules(Path place) {
    try {
      return RecordingRules.of(place);
    } catch (IOException e) {
      throw Failed.because(e, failure("%s", "the rules cannot be read: " + Shown.cause(e)));
    }
  }

  private void requireRecorded(SessionView log) {
    if (log.isBlank()) {
      throw error("nothing was recorded: the log ends after the start of the session");
    }
  }

  private void requireWhole(SessionView log) {
    String gap = RecordedLog.gap(log);
    if (gap != null) {
      throw error(gap);
    }
  }

  /** Returns assertions on the call with this id. Fails if there is none or more than one. */
  @CheckReturnValue
  public final ToolCallAssert toolCall(String id) {
    Objects.requireNonNull(id, "id");
    return toolCall(
        calls -> {
          List<RecordedToolCall> found = calls.withId(id);
          if (found.size() > 1) {
            throw error("%d calls have the id %s: use toolCall(id, occurrence)%s"
                .formatted(found.size(), Shown.name(id), new ToolCallList(found).rows(-1)));
          }
          return found.isEmpty() ? null : found.get(0);
        },
        () -> "no call has the id %s%s".formatted(Shown.name(id), ifTool(id)));
  }

  /**
   * Returns assertions on one of several calls with this id. Fails if there is no such call.
   *
   * @param occurrence the index of the call among those with this id, from 0, in log order
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
   * Returns assertions on a call. Fails if there is no such call.
   *
   * @param index the index of the call among all calls of the log, from 0
   */
  @CheckReturnValue
  public final ToolCallAssert toolCall(int index) {
    requireNotNegative("index", index);
    return toolCall(calls -> at(calls.all(), index), () -> "no call " + index);
  }

  /**
   * Returns assertions on the only call of a tool. Fails if there is none or more than one; the
   * failure lists the calls.
   */
  @CheckReturnValue
  public final ToolCallAssert toolCallTo(String tool) {
    Objects.requireNonNull(tool, "tool");
    return toolCall(
        calls -> {
          List<RecordedToolCall> found = calls.to(tool);
          if (found.size() > 1) {
            throw error("%d calls of %s: use toolCallTo(tool, occurrence)%s"
                .formatted(found.size(), Shown.name(tool), new ToolCallList(found).rows(-1)));
          }
          return found.isEmpty() ? null : found.get(0);
        },
        () -> "no call of " + Shown.name(tool));
  }

  /**
   * Returns assertions on one of several calls of a tool. Fails if there is no such call.
   *
   * @param occurrence the index of the call among those of this tool, from 0, in log order
   */
  @CheckReturnValue
  public final ToolCallAssert toolCallTo(String tool, int occurrence) {
    Objects.requireNonNull(tool, "tool");
    requireNotNegative("occurrence", occurrence);
    return toolCall(
        calls -> at(calls.to(tool), occurrence),
        () -> "no call of %s with the occurrence %d".formatted(Shown.name(tool), occurrence));
  }

  /** A hint if an unknown id is the name of a tool. */
  private String ifTool(String id) {
    return calls().tools().contains(id)
        ? ": it is the name of a tool: use toolCallTo(tool); the calls, each with its id, are"
        : "";
  }

  private static void requireNotNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException("%s must not be negative: %d".formatted(name, value));
    }
  }

  private static @Nullable RecordedToolCall at(List<RecordedToolCall> calls, int index) {
    return index < calls.size() ? calls.get(index) : null;
  }

  /** Not proxied, because its callers are final: after a soft failure it must return something. */
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
      return asserts(new ReplaySoftAssertions(), null); // further failures are discarded
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

  /** The calls of a log without gaps. */
  private ToolCallList allCalls() {
    SessionView log = log();
    requireWhole(log);
    return new ToolCallList(log.calls());
  }

  /** The log, if it has events and no gaps. */
  private SessionView wholeLog() {
    SessionView log = log();
    requireRecorded(log);
    requireWhole(log);
    return log;
  }

  private SessionView log() {
    if (actual == null) { // in soft assertions isNotNull() does not throw
      throw failure("%nExpecting actual not to be null");
    }
    try {
      return RecordedLog.read(actual);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Creates a failure with the problem first and its place last. */
  private AssertionError error(String message) {
    return failure("%s\nin %s", message, Shown.path(actual));
  }

  private AssertionError unreadable(IOException e) {
    return Failed.because(e, failure("%s", Shown.unreadable(e)));
  }
}

package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.value.Traits;
import dev.agentreplay.engine.message.ModelMessage;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ImportedRecord;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a step from an event and, for a call, from the result that follows later. Keeps hashes,
 * not values.
 */
final class StepBuilder {

  /** The placeholder of calls that are not compared. */
  static final StepBuilder IGNORED = new StepBuilder(StepKind.CALL, "", new Position(1, 0));

  private static final int MAX_SUMMARY = 120;

  private final StepKind kind;
  private final String name;
  private final Position at;
  private @Nullable String agent;
  private @Nullable Integer call;
  private int ordinal = -1;
  private long answer;
  private String summary = "";
  private @Nullable Position result;
  private @Nullable Long latency;
  private boolean succeeded = true;
  private long bytes;
  private int ids;
  private int time;
  private Traits traits = Traits.NONE;
  private @Nullable ContentHash request;
  private @Nullable ContentHash wholeRequest;
  private @Nullable ContentHash outcome;
  private @Nullable ContentHash wholeOutcome;

  StepBuilder(StepKind kind, String name, Position at) {
    this.kind = kind;
    this.name = name;
    this.at = at;
  }

  /**
   * An event with its normalized view.
   *
   * @param common the event by which steps are aligned: the same one or, if a session is a
   *     published copy, one of the members that both sessions show
   * @param commonView the normalized view of this event
   * @param isReduced whether a session is a published copy
   */
  record Seen(
      ReplayEvent event,
      JsonObject view,
      ReplayEvent common,
      JsonObject commonView,
      boolean isReduced) {

    /** An event in a comparison of two originals. */
    static Seen of(ReplayEvent event, JsonObject view) {
      return new Seen(event, view, event, view, false);
    }
  }

  /** Sets the request of a call, or the event that is a step by itself. */
  void request(Seen seen, CanonicalJson canonical) {
    agent = seen.event().meta().agent();
    ContentHash conduct = conduct(seen, canonical);
    request = conduct;
    wholeRequest = whole(seen, conduct, canonical);
    identify(seen.common());
  }

  /** Sets the result of a call. */
  void result(Position position, Seen seen, CanonicalJson canonical) {
    ContentHash conduct = conduct(seen, canonical);
    outcome = conduct;
    wholeOutcome = whole(seen, conduct, canonical);
    result = position;
    latency = seen.event().latencyMillis();
    succeeded = Boolean.TRUE.equals(seen.event().succeeded());
    identify(seen.common());
  }

  private ContentHash conduct(Seen seen, CanonicalJson canonical) {
    JsonObject conduct = EventView.conduct(kind, seen.commonView());
    // without most of their members, events of different kinds may look the same
    return CanonicalJson.comparableHash(
        seen.isReduced() ? conduct.with("step kind", kind.id()) : conduct, canonical);
  }

  private ContentHash whole(Seen seen, ContentHash conduct, CanonicalJson canonical) {
    JsonObject view = seen.view();
    boolean isWhole = !seen.isReduced() && EventView.conduct(kind, view).size() == view.size();
    return isWhole ? conduct : CanonicalJson.comparableHash(view, canonical);
  }

  /** Adds the length of a line of the step. */
  void add(int length) {
    bytes += length;
  }

  /**
   * Makes the step a tool call.
   *
   * @param number its number among all tool calls of the log
   * @param newOrdinal its number among the calls that are compared
   * @param answerLine the line of the answer of a model that requested it; 0 if none did
   */
  void call(int number, int newOrdinal, long answerLine) {
    call = number;
    ordinal = newOrdinal;
    answer = answerLine;
  }

  /** Sets the words by which the step is compared with others of its name. */
  void traits(Traits newTraits) {
    traits = newTraits;
  }

  /** Sets the summary of the step to the beginning of a text or value, unless it is null. */
  void summarize(@Nullable Object said) {
    if (said == null) {
      return;
    }
    String text = said instanceof JsonString string ? string.value() : said.toString();
    summary = Excerpt.shortened(text, MAX_SUMMARY);
  }

  IndexedStep build(int index) {
    ContentHash requested = Objects.requireNonNull(request);
    ContentHash whole = Objects.requireNonNull(wholeRequest);
    ContentHash conduct = outcome == null ? requested : both(requested, outcome);
    ContentHash fingerprint = wholeOutcome == null
        ? whole
        : whole.equals(requested) && wholeOutcome.equals(outcome)
            ? conduct
            : both(whole, wholeOutcome);
    Step step = new Results.StepData(
        kind,
        index,
        call,
        name,
        agent,
        at.line(),
        result == null ? null : result.line(),
        latency,
        succeeded,
        summary,
        fingerprint);
    return new IndexedStep(
        step, ordinal, answer, requested, conduct, traits, ids, time, at, result, bytes);
  }

  private void identify(ReplayEvent event) {
    ids = 31 * ids + EventView.identity(event);
    time = 31 * time + EventView.clock(event);
  }

  private static ContentHash both(ContentHash one, ContentHash other) {
    return ContentHash.sha256((one + "\n" + other).getBytes(StandardCharsets.UTF_8));
  }

  /** The kind of step of an event; null when it is not compared. */
  static @Nullable StepKind kind(ReplayEvent event, boolean isCircumstances, boolean strict) {
    // clocks and random numbers differ in every run, circumstances in every place, and what is
    // kept of the records of a trace in every tool
    boolean isOtherAnyway =
        event.kind() == EventKind.RECORDED_VALUE || isCircumstances || isKeptRecord(event);
    return isOtherAnyway && !strict ? null : StepKind.of(event.kind());
  }

  /**
   * Whether an event is a record of an imported trace that is kept, and not conduct of the agent.
   */
  private static boolean isKeptRecord(ReplayEvent event) {
    return event instanceof RuntimeEvent && ImportedRecord.of(event) != null;
  }

  /** Whether an event states nothing but the circumstances of the run. */
  static boolean isCircumstances(ReplayEvent event) {
    return event instanceof Settings settings
        && Settings.CIRCUMSTANCES.containsAll(settings.values().names());
  }

  /** The name of an event that is a step by itself. */
  static String name(ReplayEvent event) {
    String name = event.kind() == EventKind.STEP_COMPLETE ? null : event.name(); // ids differ
    if (name == null) {
      return event.kind() == EventKind.UNKNOWN
          ? "event without a type"
          : event.kind().id();
    }
    return name;
  }

  /** The summary of a prompt: its last message, or else all of it; null if it is not known. */
  static @Nullable Object summary(@Nullable JsonValue prompt) {
    JsonValue last =
        prompt instanceof JsonObject object ? new ModelCall.Prompt(object).lastMessage() : null;
    return words(last == null ? prompt : last);
  }

  /** The summary of an answer; null if the call failed, or the answer is not known or is empty. */
  static @Nullable Object summary(ModelResult result) {
    JsonValue answer = result.succeeded() ? result.answer().value() : null;
    boolean isMessage =
        answer instanceof JsonString || (answer instanceof JsonObject object && object.has("role"));
    return answer == null || (isMessage && ModelMessage.of(answer).isEmpty())
        ? null
        : words(answer);
  }

  /** The summary of a message, or the value if it does not have the form of one. */
  private static @Nullable Object words(@Nullable JsonValue value) {
    ModelMessage message = value == null ? null : ModelMessage.of(value);
    return message == null || message.isEmpty() ? value : message.summary();
  }

  /** A summary of the event in a few words; null when there is nothing to summarize. */
  static @Nullable Object summary(ReplayEvent event) {
    if (event instanceof SessionStart start) {
      return start.task().text();
    } else if (event instanceof SessionEnd end) {
      return end.status().spelling();
    } else if (event instanceof StepComplete step && step.status() != null) {
      return step.status().spelling();
    } else if (event instanceof Verification verification) {
      return verification.commands().isEmpty()
          ? verification.ciStatus()
          : verification.commands().get(0).command();
    } else if (event instanceof FileState file) {
      return change(file);
    } else if (event instanceof PlanStart plan && plan.stepCount() != null) {
      return PlainText.count(plan.stepCount(), "step");
    } else if (event instanceof Payment payment && payment.amountMsats() != null) {
      return payment.amountMsats() + " msats";
    } else if (event instanceof Settings settings) {
      return settings.values();
    } else if (event instanceof RecordingGap gap) {
      return PlainText.count(gap.events(), "event") + " not recorded";
    }
    if (event instanceof UnknownEvent) {
      JsonObject extra = event.meta().extra();
      return Provenance.of(event) == null ? extra : extra.without(Names.REPLAYED);
    }
    return null;
  }

  private static String change(FileState file) {
    String change =
        file.after() == null ? "deleted" : file.before() == null ? "created" : "changed";
    return file.bytes() == null ? change : change + ", " + PlainText.count(file.bytes(), "byte");
  }
}

package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.text.Excerpt;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes a step of an event, and of the result that comes later. Holds hashes, and no values. */
final class StepBuilder {

  /** Stands for calls that are not compared. */
  static final StepBuilder IGNORED = new StepBuilder(StepKind.CALL, "", new Position(1, 0));

  private static final int MAX_SUMMARY = 120;

  private final StepKind kind;
  private final String name;
  private final Position at;
  private @Nullable Integer call;
  private int ordinal = -1;
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

  /** What it was called with, or what it is. */
  void request(ReplayEvent event, JsonObject view, CanonicalJson canonical) {
    JsonObject conduct = EventView.conduct(kind, view);
    request = CanonicalJson.comparableHash(conduct, canonical);
    wholeRequest =
        conduct.size() == view.size() ? request : CanonicalJson.comparableHash(view, canonical);
    identify(event);
  }

  /** What came of it. */
  void result(Position position, ReplayEvent event, JsonObject view, CanonicalJson canonical) {
    JsonObject conduct = EventView.conduct(kind, view);
    outcome = CanonicalJson.comparableHash(conduct, canonical);
    wholeOutcome =
        conduct.size() == view.size() ? outcome : CanonicalJson.comparableHash(view, canonical);
    result = position;
    latency = event.latencyMillis();
    succeeded = Boolean.TRUE.equals(event.succeeded());
    identify(event);
  }

  /** A line of the step is so long. */
  void add(int length) {
    bytes += length;
  }

  /** The step is a tool call: its number, and that among those that are compared. */
  void call(int number, int newOrdinal) {
    call = number;
    ordinal = newOrdinal;
  }

  /** The step is told apart from others of its name by its parts. */
  void traits(Traits newTraits) {
    traits = newTraits;
  }

  /** What is said of the step: the beginning of a text or of a value. */
  void summarize(@Nullable Object said) {
    if (said == null) {
      return;
    }
    String text = said instanceof JsonString string ? string.value() : said.toString();
    summary = text.length() <= MAX_SUMMARY ? text : Excerpt.beginning(text, MAX_SUMMARY) + "…";
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
        at.line(),
        result == null ? null : result.line(),
        latency,
        succeeded,
        summary,
        fingerprint);
    return new IndexedStep(step, ordinal, requested, conduct, traits, ids, time, at, result, bytes);
  }

  private void identify(ReplayEvent event) {
    ids = 31 * ids + EventView.identity(event);
    time = 31 * time + EventView.clock(event);
  }

  private static ContentHash both(ContentHash one, ContentHash other) {
    return ContentHash.sha256((one + "\n" + other).getBytes(StandardCharsets.UTF_8));
  }

  /** The step that an event is; null when it is not compared. */
  static @Nullable StepKind kind(ReplayEvent event, boolean strict) {
    // clocks and random numbers say something else in each run
    boolean isOtherAnyway = event.kind() == EventKind.RECORDED_VALUE && !strict;
    return isOtherAnyway ? null : StepKind.of(event.kind());
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

  /** What there is to say of it in a few words; null when that is nothing. */
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
      return file.after() == null ? "deleted" : file.before() == null ? "created" : "changed";
    } else if (event instanceof PlanStart plan && plan.stepCount() != null) {
      return plan.stepCount() + " steps";
    } else if (event instanceof Payment payment && payment.amountMsats() != null) {
      return payment.amountMsats() + " msats";
    } else if (event instanceof Settings settings) {
      return settings.values();
    } else if (event instanceof RecordingGap gap) {
      return gap.events() + " events not recorded";
    }
    return event instanceof UnknownEvent ? event.meta().extra() : null;
  }
}

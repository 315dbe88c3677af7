package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Hashes;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
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
    request = Hashes.comparable(conduct, canonical);
    wholeRequest = conduct.size() == view.size() ? request : Hashes.comparable(view, canonical);
    identify(event);
  }

  /** What came of it. */
  void result(Position position, ReplayEvent event, JsonObject view, CanonicalJson canonical) {
    JsonObject conduct = EventView.conduct(kind, view);
    outcome = Hashes.comparable(conduct, canonical);
    wholeOutcome = conduct.size() == view.size() ? outcome : Hashes.comparable(view, canonical);
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
}

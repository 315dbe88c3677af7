package dev.agentreplay.model.check;

import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of the numbers in events (specification 000, "Event Types"; 001, "ToolResult" and
 * "SessionEnd"), and the defaults of members that a log requires and an event leaves out. A writer
 * rejects an event with a number out of range, a verifier reports it. The methods are safe for use
 * by several threads.
 */
public final class EventRules {

  private static final long MAX_U8 = 255;

  /** The id of the policy of a session that does not name one. */
  public static final String DEFAULT_POLICY = "local-dev";

  private List<Finding> findings = List.of();

  private EventRules() {}

  /**
   * Checks the numbers in an event. Returns a {@link FindingCode#VALUE_OUT_OF_RANGE} finding
   * without position for each number out of range; empty when all are within their range.
   */
  public static List<Finding> check(ReplayEvent event) {
    EventRules rules = new EventRules();
    if (event instanceof ReplayHeader header && header.replayOf() != null) {
      rules.notBlank(Names.REPLAY_OF + ".mode", header.replayOf().mode());
      rules.atLeast(
          Names.REPLAY_OF + "." + Names.TREE_SIZE, header.replayOf().head().size(), 1);
    } else if (event instanceof ToolCall call) {
      if (call.attempt().number() != null) {
        rules.atLeast("attempt", call.attempt().number(), 1);
      }
      if (call.attempt().effectId() != null) {
        rules.notBlank(Names.EFFECT_ID, call.attempt().effectId());
      }
    } else if (event instanceof ToolResult result) {
      rules.range(Names.STEP_UTILITY, result.stepUtility(), -1, 1);
      rules.timing(result, result.timing());
    } else if (event instanceof SessionEnd end) {
      rules.range("confidence", end.confidence(), 0, 1);
      rules.notNegative(Names.TOTAL_TOOL_CALLS, end.totalToolCalls());
      rules.notNegative(Names.TOTAL_LATENCY_MS, end.totalLatencyMillis());
    } else if (event instanceof PlanStart plan) {
      rules.notNegative(Names.STEP_COUNT, plan.stepCount());
    } else if (event instanceof StepComplete step) {
      rules.notNegative("iterations", step.iterations());
      rules.atMost("iterations", step.iterations(), MAX_U8);
    } else if (event instanceof Verification verification) {
      for (CommandRun run : verification.commands()) {
        rules.notNegative(Names.DURATION_MS, run.durationMillis());
      }
      if (verification.tests() != null) {
        rules.notNegative(Names.TESTS_BEFORE, verification.tests().before());
        rules.notNegative(Names.TESTS_AFTER, verification.tests().after());
      }
    } else if (event instanceof Payment payment) {
      rules.notNegative(Names.AMOUNT_MSATS, payment.amountMsats());
    } else if (event instanceof ModelCall call) {
      rules.range("parameters.temperature", call.parameters().temperature(), 0, Double.MAX_VALUE);
      rules.notNegative("parameters.max_tokens", call.parameters().maxTokens());
      if (call.promptDelta() != null
          && (call.prompt().value() != null || call.prompt().blob() != null)) {
        rules.add("prompt_delta must replace prompt and prompt_ref, found both");
      }
    } else if (event instanceof ModelResult result) {
      rules.notNegative(Names.TOKENS_IN, result.tokens().input());
      rules.notNegative(Names.TOKENS_OUT, result.tokens().output());
      rules.timing(result, result.timing());
    } else if (event instanceof FileState file) {
      rules.notNegative("bytes", file.bytes());
    } else if (event instanceof RecordedValue value) {
      rules.notNegative("ordinal", value.ordinal());
    } else if (event instanceof Checkpoint checkpoint) {
      rules.notNegative(Names.TREE_SIZE, checkpoint.tree().size());
    } else if (event instanceof RecordingGap gap) {
      rules.atLeast(Names.UNRECORDED_EVENTS, gap.events(), 1);
    } else if (event instanceof LogSegment first) {
      rules.atLeast("segment", first.segment(), 2);
      rules.notNegative(Names.LINES_BEFORE, first.linesBefore());
      rules.notNegative(Names.BYTES_BEFORE, first.bytesBefore());
    }
    BlobRef blob = event.content().blob();
    if (blob != null) {
      rules.notNegative(event.kind().contentName() + "_ref.bytes", blob.bytes());
    }
    return rules.findings;
  }

  /**
   * Checks the pieces of a streamed text that is in a blob; {@link #check} does so for a text in
   * the event. Returns a {@link FindingCode#VALUE_OUT_OF_RANGE} finding without position if they do
   * not add up to its length; empty if they do, there are none, or {@code check} reports them
   * already.
   *
   * @param codePoints the length of the text in Unicode code points
   */
  public static List<Finding> checkTextLength(ReplayEvent event, long codePoints) {
    EventRules rules = new EventRules();
    Chunks chunks = event instanceof ToolResult result
        ? result.timing().chunks()
        : event instanceof ModelResult result ? result.timing().chunks() : Chunks.NONE;
    if (!chunks.isEmpty() && fault(chunks) == null) {
      rules.textLength(event, chunks, codePoints);
    }
    return rules.findings;
  }

  /**
   * Returns the confidence of an agent that does not state one: 1.0 for success, 0.0 for failure,
   * else 0.5.
   */
  public static double defaultConfidence(Status status) {
    return switch (status.kind()) {
      case SUCCESS -> 1.0;
      case FAILURE -> 0.0;
      default -> 0.5;
    };
  }

  /**
   * Adds a number to a total without overflow: the sum is limited to the range of a long, because a
   * hostile log may hold any latency. Null adds 0.
   */
  public static long addTotal(long total, @Nullable Long stated) {
    long more = stated == null ? 0 : stated;
    long sum = total + more;
    boolean overflow = ((total ^ sum) & (more ^ sum)) < 0;
    return overflow ? (more < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
  }

  private void timing(ReplayEvent event, Timing timing) {
    notNegative(Names.LATENCY_MS, timing.latencyMillis());
    Chunks chunks = timing.chunks();
    String fault = fault(chunks);
    if (fault != null) {
      add(fault);
    } else if (!chunks.isEmpty() && event.content().value() instanceof JsonString text) {
      textLength(event, chunks, text.value().codePointCount(0, text.value().length()));
    } else if (!chunks.isEmpty() && chunks.place() != null && !chunks.place().isEmpty()) {
      place(event, chunks, chunks.place());
    }
  }

  private void place(ReplayEvent event, Chunks chunks, String place) {
    JsonValue value = event.content().value();
    if (value != null && chunks.textIn(value) == null) {
      add("%s must refer to a text of %d code points in %s: %s"
          .formatted(
              Names.CHUNKS_TEXT,
              chunks.totalLength(),
              event.kind().contentName(),
              Excerpt.of(place)));
    }
  }

  /** The first piece that is out of range, because others may follow from it; null if none is. */
  private static @Nullable String fault(Chunks chunks) {
    long last = 0;
    for (int i = 0; i < chunks.size(); i++) {
      long offset = chunks.offsetMillis(i);
      if (offset < last) {
        return "chunks[%d] must not arrive before %d ms: %d".formatted(i, last, offset);
      }
      if (chunks.length(i) < 1) {
        return "chunks[%d] must have at least 1 code point: %d".formatted(i, chunks.length(i));
      }
      last = offset;
    }
    return null;
  }

  private void textLength(ReplayEvent event, Chunks chunks, long codePoints) {
    if (chunks.totalLength() != codePoints) {
      add("chunks must add up to the %d code points of %s: %d"
          .formatted(codePoints, event.kind().contentName(), chunks.totalLength()));
    }
  }

  private void range(String field, @Nullable Double value, double min, double max) {
    if (value != null && !(value >= min && value <= max)) {
      add("%s must be between %s and %s: %s".formatted(field, min, max, value));
    }
  }

  private void notBlank(String field, String text) {
    if (text.isBlank()) {
      add("%s must not be blank: \"%s\"".formatted(field, Excerpt.of(text)));
    }
  }

  private void notNegative(String field, @Nullable Long value) {
    if (value != null && value < 0) {
      add("%s must not be negative: %d".formatted(field, value));
    }
  }

  private void atLeast(String field, long value, long min) {
    if (value < min) {
      add("%s must be at least %d: %d".formatted(field, min, value));
    }
  }

  private void atMost(String field, @Nullable Long value, long max) {
    if (value != null && value > max) {
      add("%s must be at most %d: %d".formatted(field, max, value));
    }
  }

  private void add(String message) {
    if (findings.isEmpty()) {
      findings = new ArrayList<>();
    }
    findings.add(Finding.of(FindingCode.VALUE_OUT_OF_RANGE, message));
  }
}

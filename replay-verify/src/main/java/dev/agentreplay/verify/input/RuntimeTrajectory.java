package dev.agentreplay.verify.input;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events of a run as the original producer of the format counts and hashes them: the events of
 * its runtime, not the lines of the log. The producer writes one {@code RuntimeEvent},
 * {@code Verification} or {@code Payment} for each, or a {@code ToolCall} with its
 * {@code ToolResult}, and numbers the events without gaps, so that a log shows whether its receipt
 * may use this convention.
 *
 * <p>Only receipts of the shape that this producer writes are considered, so that no other receipt
 * can make its {@code trajectory_hash} unverifiable in this way. A signed receipt is considered
 * only if it also states the tree root over all lines, which reveals every alteration.
 */
public final class RuntimeTrajectory {

  private static final Set<String> MEMBERS = Set.of(
      "schema",
      Names.SESSION_ID,
      Names.TRAJECTORY_HASH,
      Names.POLICY_BUNDLE_ID,
      Names.CANONICAL_JSON_SHA256,
      Names.CREATED_AT,
      Names.EVENT_COUNT,
      Names.FIRST_SEQ,
      Names.LAST_SEQ,
      "metrics",
      Names.TOOL_CALLS,
      "verification",
      "payments",
      Names.TREE_SIZE,
      Names.TREE_ROOT,
      "signature");

  private static final Set<String> CALL_MEMBERS =
      Set.of("tool", Names.PARAMS_HASH, Names.OUTPUT_HASH, Names.LATENCY_MS, Names.SIDE_EFFECTS);

  private final TrajectoryReceipt receipt;
  private final LogCanonicalization canonicalization;
  private final MessageDigest digest = ContentHash.newDigest();
  private final long first;

  /** Whether the producer could have written the log so far for the receipt. */
  private boolean fits;

  /** Whether the log has each event of the run so far in the form that was hashed. */
  private boolean isWhole = true;

  private boolean statesKeys;
  private boolean resultIsNext;
  private long events;
  private long runtimeEvents;
  private long calls;
  private long verifications;
  private long payments;

  /**
   * Creates the trajectory of a log that is compared with a receipt.
   *
   * @param source the JSON object of the receipt
   */
  public RuntimeTrajectory(
      JsonObject source, TrajectoryReceipt receipt, LogCanonicalization canonicalization) {
    this.receipt = receipt;
    this.canonicalization = canonicalization;
    Long stated = receipt.firstSeq();
    this.first = stated == null ? 0 : stated;
    this.fits = stated != null && hasShape(source);
    digest.update((byte) '[');
  }

  private static boolean hasShape(JsonObject receipt) {
    boolean isSealed = receipt.has("signature") && !receipt.has(Names.TREE_ROOT);
    return !isSealed
        && MEMBERS.containsAll(receipt.names())
        && (!(receipt.get(Names.TOOL_CALLS) instanceof JsonArray calls)
            || calls.stream()
                .allMatch(call ->
                    call instanceof JsonObject object && CALL_MEMBERS.containsAll(object.names())));
  }

  /** Accepts the next line of the log. */
  public void accept(ReplayLine line) {
    if (!fits) {
      return;
    }
    ReplayEvent event = line.event();
    if (event instanceof ToolResult != resultIsNext) {
      fits = false;
      return;
    }
    resultIsNext = event instanceof ToolCall;
    if (event instanceof RuntimeEvent runtime) {
      add(runtime, line);
    } else if (event instanceof ToolCall) {
      calls++;
      stoodFor();
    } else if (event instanceof Verification) {
      verifications++;
      stoodFor();
    } else if (event instanceof Payment) {
      payments++;
      stoodFor();
    } else {
      fits = event instanceof ToolResult
          || event instanceof ReplayHeader
          || event instanceof SessionEnd
          || (event instanceof SessionStart && events == 0);
    }
  }

  /** Counts an event of the run that the log has in a different form than the hashed one. */
  private void stoodFor() {
    events++;
    isWhole = false;
  }

  private void add(RuntimeEvent event, ReplayLine line) {
    JsonValue payload = event.payload().value();
    Timestamp time = event.time();
    Long seq = event.seq();
    if (payload == null
        || time == null
        || event.type() == null
        || seq == null
        || seq != first + events) {
      fits = false;
      return;
    }
    statesKeys |= line.json().has(Names.IDEMPOTENCY_KEY);
    String key = event.idempotencyKey();
    if (isWhole) {
      digest.update((events == 0 ? "" : ",").getBytes(StandardCharsets.US_ASCII));
      digest.update(bytes(JsonObject.of(
          "event_type",
          event.type(),
          Names.IDEMPOTENCY_KEY,
          key == null ? JsonNull.NULL : key,
          "payload",
          payload,
          "recorded_at",
          time.text(),
          "seq",
          seq)));
    }
    events++;
    runtimeEvents++;
  }

  private byte[] bytes(JsonObject event) {
    CanonicalJson named = canonicalization.get();
    try {
      return (named == null ? CanonicalJson.SERDE : named).bytes(event);
    } catch (IllegalArgumentException wouldBeRounded) {
      return CanonicalJson.SERDE.bytes(event);
    }
  }

  /**
   * Whether the receipt counts and numbers the events of the runtime: the log has at least one,
   * they are numbered consecutively, their number is the stated one, and the receipt lists each
   * call, verification and payment that represents one.
   */
  public boolean isMeant() {
    Long count = receipt.eventCount();
    Long last = receipt.lastSeq();
    return fits
        && !resultIsNext
        && runtimeEvents > 0
        && count != null
        && count == events
        && last != null
        && last == first + events - 1
        && calls == size(receipt.toolCalls())
        && verifications == size(receipt.verifications())
        && payments == size(receipt.payments());
  }

  private static int size(@Nullable List<?> listed) {
    return listed == null ? 0 : listed.size();
  }

  private static int size(@Nullable JsonArray listed) {
    return listed == null ? 0 : listed.size();
  }

  /** The number of events of the run. */
  public long events() {
    return events;
  }

  /** The number of events that the log has in the form that was hashed. */
  public long runtimeEvents() {
    return runtimeEvents;
  }

  /**
   * The hash of the run; null when the log does not have each event in the form that was hashed.
   */
  @Nullable
  public ContentHash toHash() {
    if (!isWhole) {
      return null;
    }
    MessageDigest whole = ContentHash.copyOf(digest);
    whole.update((byte) ']');
    return ContentHash.of(whole.digest());
  }

  /**
   * Whether the log omits the idempotency keys that were hashed, as the producer did before it
   * wrote {@code canonical_json_sha256} into its receipts.
   */
  public boolean lacksKeys() {
    return !statesKeys
        && receipt.digest() == null
        && !receipt.extra().has(Names.CANONICAL_JSON_SHA256);
  }
}

package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The source of an event in the log of a replay: the recording that was replayed, or an execution.
 * An event states it in the additional member {@value Names#REPLAYED}, which comparisons ignore:
 *
 * <pre>{@code
 * Provenance served = new Provenance(Provenance.SERVED, Provenance.EXACT, 12L);
 * ToolResult result = ToolResult.of("tc_001", "7").withMeta(served.addTo(Meta.NONE));
 * }</pre>
 *
 * @param action the action of the replay, such as {@value #SERVED}, not blank
 * @param match the rule by which the request was matched with one of the recording, such as
 *     {@value #EXACT}, not blank; null if it was not matched
 * @param line the line of the matched event in the replayed log, from 1; null if there is none
 */
public record Provenance(String action, @Nullable String match, @Nullable Long line) {

  /** The action of an event that was taken from the recording. */
  public static final String SERVED = "served";

  /** The action of a result that was taken from the recording, and changed by a fork. */
  public static final String CHANGED = "changed";

  /** The action of a result that was taken from a recording other than the replayed one. */
  public static final String ANSWERED = "answered";

  /** The action of an event that was executed. */
  public static final String EXECUTED = "executed";

  /** The action of a request that the recording does not have. */
  public static final String MISSED = "missed";

  /** The action of a request that the replay refused to execute. */
  public static final String REFUSED = "refused";

  /** The match of the request that follows in the recording. */
  public static final String EXACT = "exact";

  /** The match of an equal request at a different place of the recording. */
  public static final String OUT_OF_ORDER = "out_of_order";

  /** The match of a request that is equal according to comparison rules. */
  public static final String RULES = "rules";

  /** The match of a request by the part of its prompt that is new. */
  public static final String DELTA = "delta";

  /** The match of a request by its position alone. */
  public static final String POSITION = "position";

  private static final String ACTION = "action";
  private static final String MATCH = "match";
  private static final String LINE = "line";

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if the action or the match is blank, or the line is not
   *     positive
   */
  public Provenance {
    Objects.requireNonNull(action, ACTION);
    if (action.isBlank() || (match != null && match.isBlank())) {
      throw new IllegalArgumentException(
          "action and match must not be blank: \"%s\", \"%s\"".formatted(action, match));
    }
    if (line != null && line < 1) {
      throw new IllegalArgumentException("line must be at least 1: " + line);
    }
  }

  /**
   * Returns the provenance that an event states; null if it states none, or the member
   * {@value Names#REPLAYED} has a different form, as other producers may write it.
   */
  public static @Nullable Provenance of(ReplayEvent event) {
    return event.meta().extra().get(Names.REPLAYED) instanceof JsonObject json ? parse(json) : null;
  }

  private static @Nullable Provenance parse(JsonObject json) {
    String action = text(json.get(ACTION));
    String match = text(json.get(MATCH));
    Long line = line(json.get(LINE));
    boolean isMalformed = (match == null && json.has(MATCH)) || (line == null && json.has(LINE));
    return action == null || isMalformed ? null : new Provenance(action, match, line);
  }

  private static @Nullable String text(@Nullable JsonValue value) {
    return value instanceof JsonString text && !text.value().isBlank() ? text.value() : null;
  }

  private static @Nullable Long line(@Nullable JsonValue value) {
    try {
      return value instanceof JsonNumber number && number.asLong() >= 1 ? number.asLong() : null;
    } catch (ArithmeticException notAnInteger) {
      return null;
    }
  }

  /** The value of the member {@value Names#REPLAYED}. */
  public JsonObject json() {
    JsonObject.Builder json = JsonObject.builder().put(ACTION, action);
    if (line != null) {
      json.put(LINE, line);
    }
    if (match != null) {
      json.put(MATCH, match);
    }
    return json.build();
  }

  /** Returns a copy of meta data that states this provenance, in place of any other. */
  public Meta addTo(Meta meta) {
    return meta.withExtra(meta.extra().with(Names.REPLAYED, json()));
  }
}

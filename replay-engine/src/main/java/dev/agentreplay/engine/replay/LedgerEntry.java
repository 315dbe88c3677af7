package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The entry of an exchange in the ledger of a replay, which decides the verdict.
 *
 * @param number the number of the request in this replay, from 1
 * @param kind the kind of the exchange
 * @param agent the id of the agent: its lane; null for the main agent
 * @param name the tool, the model or the source of the value
 * @param result the result of the request
 * @param rung the rule by which it was matched; null if it was not
 * @param line the line of the matched exchange in the recording, from 1; null if there is none
 * @param elapsedMicros the time from the start of the replay to the result, in microseconds
 * @param durationMicros the duration of the exchange, in microseconds
 * @param miss the report on a request that the recording cannot answer; null for any other
 * @param message the reason of a refusal or a time-out, or why a request was not executed; null if
 *     there is none
 * @param notExecuted the class of the reason why a request was not executed; null for any other
 */
public record LedgerEntry(
    long number,
    ExchangeKind kind,
    @Nullable String agent,
    String name,
    Result result,
    @Nullable MatchRung rung,
    @Nullable Long line,
    long elapsedMicros,
    long durationMicros,
    @Nullable ReplayMiss miss,
    @Nullable String message,
    NotExecutedException.@Nullable Reason notExecuted) {

  /** The result of a request. */
  public enum Result {
    /** Answered from the recording. */
    SERVED,
    /** Answered from the recording, with a change of the fork. */
    CHANGED,
    /** Answered from another recording. */
    ANSWERED,
    /** Executed. */
    EXECUTED,
    /** Executed, but not in time. */
    TIMED_OUT,
    /** Without a result, because it could not be executed, or not to its end. */
    NOT_EXECUTED,
    /** Without a result, because the replay was stopped; it may have been executed in part. */
    CANCELLED,
    /** Refused. */
    REFUSED,
    /** Not in the recording. */
    MISSED;

    /** The text of the constant in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The entry as JSON, as it is in the ledger's file. */
  public JsonObject json() {
    JsonObject json = JsonObject.of(
        "request",
        number,
        "kind",
        kind.id(),
        "name",
        name,
        "result",
        result.id(),
        "elapsed_us",
        elapsedMicros,
        "duration_us",
        durationMicros);
    json = with(json, Names.AGENT, agent);
    json = with(json, "match", rung == null ? null : rung.id());
    json = with(json, "line", line);
    json = with(json, "miss", miss == null ? null : miss.json());
    json = with(json, "message", message);
    return with(json, Names.NOT_EXECUTED, notExecuted == null ? null : notExecuted.id());
  }

  private static JsonObject with(JsonObject json, String name, @Nullable Object value) {
    return value == null ? json : json.with(name, value);
  }
}

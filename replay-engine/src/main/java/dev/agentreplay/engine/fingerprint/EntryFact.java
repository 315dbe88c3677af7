package dev.agentreplay.engine.fingerprint;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The facts that identify a difference that only the ledger of a replay has, next to its kind, its
 * lane and the name of its exchange. They are the same in every replay with this difference.
 * Immutable.
 */
public final class EntryFact {

  private final JsonObject json;

  private EntryFact(JsonObject json) {
    this.json = json;
  }

  /**
   * A request that was missed or refused.
   *
   * @param miss the class of the miss; null if it was refused
   * @param reason the reason of the refusal; null if it was missed
   * @param request the hash of what is compared in the request, as the rules leave it
   */
  public static EntryFact ofRequest(
      @Nullable String miss, @Nullable String reason, ContentHash request) {
    return new EntryFact(
        JsonObject.of("class", miss, "reason", reason, "request", request.toString()));
  }

  /**
   * A value that is not in the recording.
   *
   * @param miss the class of the miss
   * @param ordinal the number of the value in its source and lane, from 0
   */
  public static EntryFact ofMissing(String miss, long ordinal) {
    return new EntryFact(JsonObject.of("class", miss, "ordinal", ordinal));
  }

  /**
   * A value that is recorded in a different form.
   *
   * @param ordinal the number of the value in its source and lane, from 0
   * @param form the requested form
   * @param value the recorded value
   */
  public static EntryFact ofForm(String miss, long ordinal, String form, ContentHash value) {
    return new EntryFact(
        JsonObject.of("class", miss, "form", form, "ordinal", ordinal, "value", value.toString()));
  }

  /**
   * A value that was requested in a different order.
   *
   * @param ordinal the number of the value in its source and lane, from 0
   * @param place its number among all values of the lane in the recording, from 0
   * @param expected the number of the value that is next in the recorded order
   * @param value the value that was served
   */
  public static EntryFact ofOrder(long ordinal, long place, long expected, ContentHash value) {
    return new EntryFact(JsonObject.of(
        "expected", expected, "ordinal", ordinal, "place", place, "value", value.toString()));
  }

  /**
   * Values that were not requested.
   *
   * @param ordinal the number of the first in its source and lane, from 0
   * @param count their number
   */
  public static EntryFact ofUnread(long ordinal, long count) {
    return new EntryFact(JsonObject.of("count", count, "ordinal", ordinal));
  }

  JsonObject json() {
    return json;
  }
}

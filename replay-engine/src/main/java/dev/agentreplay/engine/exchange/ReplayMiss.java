package dev.agentreplay.engine.exchange;

import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The report on a request of a replay that cannot be answered from the recording: the reason, and
 * the nearest recorded request with the first place at which it differs. Immutable.
 */
public sealed interface ReplayMiss permits MissData {

  /**
   * The recorded request that is nearest to a missed one.
   *
   * @param line its line in the recording, from 1
   * @param pointer the first place that differs, as a JSON Pointer (RFC 6901) into the event, such
   *     as {@code /params/path}; null if nothing differs, or only hashes were recorded
   * @param recorded the beginning of the recorded value at this place; null if there is none
   * @param actual the beginning of the requested value at this place; null if there is none
   */
  record Nearest(
      long line, @Nullable String pointer, @Nullable String recorded, @Nullable String actual) {

    /**
     * The index of the first message of a prompt that differs, from 0; null if the place is not in
     * a message.
     */
    public @Nullable Integer message() {
      String start = "/prompt/messages/";
      if (pointer == null || !pointer.startsWith(start)) {
        return null;
      }
      int end = pointer.indexOf('/', start.length());
      String index = pointer.substring(start.length(), end < 0 ? pointer.length() : end);
      return index.chars().allMatch(Character::isDigit) && index.length() < 10
          ? Integer.valueOf(index)
          : null;
    }
  }

  /** The reason. */
  MissKind kind();

  /** The kind of the exchange that was requested. */
  ExchangeKind exchange();

  /** The tool, the model or the source of the value that was requested. */
  String name();

  /** The id of the agent that requested it: its lane; null for the main agent. */
  @Nullable
  String agent();

  /** The nearest recorded request; null if there is none. */
  @Nullable
  Nearest nearest();

  /**
   * The whole report, for people: the reason with its kind on the first line, which has no values;
   * then the request, the nearest recorded one with the place that differs, the recorded requests
   * before it that were not made, and what can be done.
   */
  String message();

  /** The report as JSON, without its message. */
  JsonObject json();
}

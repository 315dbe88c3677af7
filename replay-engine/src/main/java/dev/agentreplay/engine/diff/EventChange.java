package dev.agentreplay.engine.diff;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The difference between an event of one session and its partner in the other. */
public sealed interface EventChange permits Results.EventChangeData {

  /** An event as recorded. */
  sealed interface Event permits Results.EventData {

    /** Its line, from 1. */
    long line();

    /** The JSON object of the line; it does not contain a value that is stored as a blob. */
    JsonObject json();
  }

  /** The event in each log. */
  Sides<Event> sides();

  /** The places that differ under the rules; empty when one of the events is missing. */
  List<ValueChange> values();

  /**
   * A JSON Patch (RFC 6902) that turns the left event into the right one, ids and times included;
   * for an event that is missing or added, a patch with the whole event.
   */
  JsonArray patch();

  /** The event in the left log; null when there is none. */
  default @Nullable Event left() {
    return sides().left();
  }

  /** The event in the right log; null when there is none. */
  default @Nullable Event right() {
    return sides().right();
  }
}

package dev.agentreplay.engine.accept;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An accepted divergence, with the reason why the difference is intended.
 *
 * @param fingerprint the fingerprint, which alone decides what is accepted
 * @param kind the kind of the divergence, for people
 * @param step the step of the divergence, for people
 * @param pointers the places that differ, for people
 * @param reason the reason, which is not blank
 * @param by the person or program that accepted it; null if it is not stated
 * @param at the time at which it was accepted
 * @param expires the last day, in UTC, on which it is accepted; null if it does not expire
 */
public record AcceptedDivergence(
    ContentHash fingerprint,
    String kind,
    Step step,
    List<String> pointers,
    String reason,
    @Nullable String by,
    Instant at,
    @Nullable LocalDate expires) {

  private static final String FINGERPRINT = "fingerprint";
  private static final String KIND = "kind";
  private static final String STEP = "step";
  private static final String POINTERS = "pointers";
  private static final String REASON = "reason";
  private static final String BY = "by";
  private static final String AT = "at";
  private static final String EXPIRES = "expires";

  /**
   * The step of a divergence.
   *
   * @param kind the id of its kind, such as {@code call}
   * @param name its tool, model, path or event
   * @param agent its lane; null if there is none
   * @param line the line in the recording of the event that differs, from 1; null if the recording
   *     does not have it
   */
  public record Step(String kind, String name, @Nullable String agent, @Nullable Long line) {

    /** Checks for null. */
    public Step {
      Objects.requireNonNull(kind, KIND);
      Objects.requireNonNull(name, "name");
    }

    JsonObject json() {
      JsonObject json = JsonObject.of(KIND, kind, "name", name);
      json = agent == null ? json : json.with(Names.AGENT, agent);
      return line == null ? json : json.with("line", line);
    }

    static Step of(StrictObject json) throws DocumentFormatException {
      json.only(KIND, "name", Names.AGENT, "line");
      return new Step(
          json.string(KIND),
          json.string("name"),
          json.json().has(Names.AGENT) ? json.string(Names.AGENT) : null,
          json.json().has("line") ? json.integer("line", 1) : null);
    }

    /** The step in words, as in {@code call search, line 4}. */
    @Override
    public String toString() {
      return kind
          + (name.isEmpty() || name.equals(kind) ? "" : " " + name)
          + (agent == null ? "" : " of " + agent)
          + (line == null ? "" : ", line " + line);
    }
  }

  /**
   * Checks for null and copies the list.
   *
   * @throws IllegalArgumentException if the reason is blank, or {@code by} is
   */
  public AcceptedDivergence {
    Objects.requireNonNull(fingerprint, FINGERPRINT);
    Objects.requireNonNull(kind, KIND);
    Objects.requireNonNull(step, STEP);
    Objects.requireNonNull(at, AT);
    pointers = List.copyOf(pointers);
    if (reason.isBlank()) {
      throw new IllegalArgumentException("a reason is required, found a blank one");
    }
    if (by != null && by.isBlank()) {
      throw new IllegalArgumentException("a name is required, found a blank one");
    }
  }

  /** Whether it is not accepted any more on a day in UTC. */
  public boolean isExpired(LocalDate day) {
    return expires != null && day.isAfter(expires);
  }

  JsonObject json() {
    JsonObject json = JsonObject.of(
        FINGERPRINT,
        fingerprint.toString(),
        KIND,
        kind,
        STEP,
        step.json(),
        POINTERS,
        JsonArray.of(pointers.toArray()),
        REASON,
        reason,
        AT,
        at.toString());
    json = by == null ? json : json.with(BY, by);
    return expires == null ? json : json.with(EXPIRES, expires.toString());
  }

  static AcceptedDivergence of(StrictObject json) throws DocumentFormatException {
    json.only(FINGERPRINT, KIND, STEP, POINTERS, REASON, BY, AT, EXPIRES);
    return new AcceptedDivergence(
        json.hash(FINGERPRINT),
        json.string(KIND),
        Step.of(json.object(STEP)),
        pointers(json),
        notBlank(json, REASON),
        json.json().has(BY) ? notBlank(json, BY) : null,
        instant(json),
        expires(json));
  }

  private static String notBlank(StrictObject json, String name) throws DocumentFormatException {
    String text = json.string(name);
    if (text.isBlank()) {
      throw json.mustBe("a text that is not blank", name, JsonString.of(text));
    }
    return text;
  }

  private static List<String> pointers(StrictObject json) throws DocumentFormatException {
    if (!(json.json().get(POINTERS) instanceof JsonArray array)) {
      throw json.mustBe("an array", POINTERS, json.json().get(POINTERS));
    }
    List<String> pointers = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      if (!(array.get(i) instanceof JsonString pointer)
          || !(pointer.value().isEmpty() || pointer.value().startsWith("/"))) {
        throw json.mustBe("a JSON Pointer", POINTERS + "/" + i, array.get(i));
      }
      pointers.add(pointer.value());
    }
    return pointers;
  }

  private static Instant instant(StrictObject json) throws DocumentFormatException {
    try {
      return Instant.parse(json.string(AT));
    } catch (DateTimeParseException e) {
      throw json.mustBe(
          "a time in UTC, as in 2026-01-02T03:04:05Z", AT, json.json().get(AT));
    }
  }

  private static @Nullable LocalDate expires(StrictObject json) throws DocumentFormatException {
    JsonValue value = json.json().get(EXPIRES);
    if (value == null) {
      return null;
    }
    try {
      return LocalDate.parse(value == JsonNull.NULL ? "" : json.string(EXPIRES));
    } catch (DateTimeParseException e) {
      throw json.mustBe("a date, as in 2027-01-31", EXPIRES, value);
    }
  }
}

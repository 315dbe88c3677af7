package dev.agentreplay.publish.policy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.text.NearestName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A rule that a policy adds to its decisions on members: by place, by tool and by the text.
 *
 * @param number the number in the policy, from 1; it appears in published logs, the id does not
 * @param id the id, unique in the policy, for people
 * @param event the type of the events; null for all
 * @param tool the name of the tool, for its calls and their results; null for all
 * @param pointer the places; null for every text that is shown
 * @param pattern the texts; null for all values
 * @param action the action
 */
record CustomRule(
    int number,
    String id,
    @Nullable EventKind event,
    @Nullable String tool,
    @Nullable PointerPattern pointer,
    @Nullable Pattern pattern,
    Does action) {

  private static final java.util.regex.Pattern ID =
      java.util.regex.Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /** The maximum length of a pattern, because compiling takes time and memory. */
  private static final int MAX_PATTERN = 2_000;

  /** The action of a rule. */
  enum Does {
    /** The value is withheld. */
    WITHHOLD,
    /** The matches of the pattern are replaced, or the whole text. */
    REDACT,
    /**
     * With a pattern, a text that matches it as a whole is shown unchanged, unless it has a secret.
     * Without one, a value that the policy withholds is shown after the text rules.
     */
    SHOW;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether the rule applies to an event. */
  boolean appliesTo(EventKind kind, @Nullable String toolOfLine) {
    return (event == null || event == kind) && (tool == null || tool.equals(toolOfLine));
  }

  /** The rule of a replacement in a published log. */
  String rule() {
    return "custom:" + number;
  }

  /** The text in place of a match, which does not say what the rule looks for. */
  String replacement() {
    return "[REDACTED:" + rule() + "]";
  }

  /** Whether the rule opens values that the policy withholds. */
  boolean opens() {
    return action == Does.SHOW && pointer != null;
  }

  static CustomRule parse(int number, StrictObject json) throws DocumentFormatException {
    json.only("id", "event", "tool", "pointer", "pattern", "action");
    String id = json.string("id");
    if (!ID.matcher(id).matches()) {
      throw json.mustBe("1 to 64 letters, digits and . _ -", "id", json.json().get("id"));
    }
    EventKind event = event(json);
    String tool = json.json().has("tool") ? json.string("tool") : null;
    PointerPattern pointer = pointer(json, event);
    Pattern pattern = pattern(json);
    if (pointer == null && pattern == null) {
      throw new DocumentFormatException(
          json.pointer() + ": a rule needs a pointer or a pattern, found neither");
    }
    Does action = action(json);
    return new CustomRule(number, id, event, tool, pointer, pattern, action);
  }

  private static @Nullable EventKind event(StrictObject json) throws DocumentFormatException {
    if (!json.json().has("event")) {
      return null;
    }
    String name = json.string("event");
    EventKind kind = EventKind.ofTag(name);
    if (kind == EventKind.UNKNOWN) {
      throw new DocumentFormatException("%s/event: no event has the name %s%s"
          .formatted(
              json.pointer(), name, NearestName.suggestion(name, EventCatalog.eventNames())));
    }
    return kind;
  }

  private static @Nullable PointerPattern pointer(StrictObject json, @Nullable EventKind event)
      throws DocumentFormatException {
    if (!json.json().has("pointer")) {
      return null;
    }
    PointerPattern pattern;
    try {
      pattern = PointerPattern.parse(json.string("pointer"));
    } catch (IllegalArgumentException e) {
      throw new DocumentFormatException(
          "%s/pointer: must be a JSON Pointer to a part of a line: %s"
              .formatted(json.pointer(), e.getMessage()),
          e);
    }
    EventCatalog.Member member = event == null ? null : EventCatalog.find(event, pattern.first());
    if (event != null && !pattern.isAnyFirst()) {
      if (member == null) {
        throw new DocumentFormatException("%s/pointer: %s has no member %s%s"
            .formatted(
                json.pointer(),
                event.id(),
                pattern.first(),
                NearestName.suggestion(
                    pattern.first(), EventCatalog.event(event).members().keySet())));
      }
      if (member.form().actions().isEmpty()) {
        throw new DocumentFormatException("%s/pointer: the format decides on %s of %s"
            .formatted(json.pointer(), pattern.first(), event.id()));
      }
    }
    return pattern;
  }

  private static @Nullable Pattern pattern(StrictObject json) throws DocumentFormatException {
    if (!json.json().has("pattern")) {
      return null;
    }
    String text = json.string("pattern");
    if (text.isEmpty() || text.length() > MAX_PATTERN) {
      throw json.mustBe(
          "1 to %d characters".formatted(MAX_PATTERN), "pattern", json.json().get("pattern"));
    }
    try {
      Pattern pattern = Pattern.compile(text);
      if (pattern.matches("")) {
        throw json.mustBe(
            "a pattern that does not match the empty text", "pattern", JsonString.of(text));
      }
      return pattern;
    } catch (PatternSyntaxException e) {
      throw new DocumentFormatException(
          "%s/pattern: must be a regular expression of RE2: %s"
              .formatted(json.pointer(), e.getMessage()),
          e);
    }
  }

  private static Does action(StrictObject json) throws DocumentFormatException {
    String word = json.string("action");
    for (Does action : Does.values()) {
      if (action.word().equals(word)) {
        return action;
      }
    }
    throw json.mustBe("withhold, redact or show", "action", json.json().get("action"));
  }

  JsonObject toJson() {
    JsonObject.Builder json = JsonObject.builder().put("action", action.word());
    if (event != null) {
      json.put("event", event.id());
    }
    json.put("id", id);
    if (pattern != null) {
      json.put("pattern", pattern.pattern());
    }
    if (pointer != null) {
      json.put("pointer", pointer.text());
    }
    return tool == null ? json.build() : json.put("tool", tool).build();
  }
}

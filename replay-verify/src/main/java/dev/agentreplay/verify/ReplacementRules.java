package dev.agentreplay.verify;

import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The replacements that a published log may have in the place of values. No commitment covers a
 * replacement, so that outcomes and the types of events, on which conclusions rest, are shown
 * unchanged or not at all, and each rule has a form that can be recognized.
 *
 * @param tagName the name of the member with the type of an event
 */
record ReplacementRules(String tagName) {

  /** The type of an event whose type is withheld. */
  private static final String WITHHELD_EVENT = "Withheld";

  /** The members of an event that are never replaced. */
  private static final Set<String> UNCHANGED = Set.of(
      "status",
      "outcome",
      Names.EXACT_STATUS,
      "ok",
      Names.EXIT_CODE,
      Names.EXIT_CODES,
      "partial",
      Names.OUTCOME_KNOWN,
      "canonicalization",
      Names.REPLAY_VERSION,
      "version");

  /** The rules of which a replacement has a mark. */
  private static final Pattern MARKED = Pattern.compile("(secret|custom):.+");

  /** The rules by which a part of a text is replaced. */
  private static final Set<String> OF_TEXT = Set.of("path", "size", "email");

  /** The values, as JSON, that are shown in the place of required members. */
  private static final Set<String> PLACEHOLDERS =
      Set.of("\"withheld\"", "null", "0", "0.0", "0.5", "{}", "[]");

  /** The beginning of the day of a time. */
  private static final Pattern DAY = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT00:00:00Z");

  private static final String ID = "id";
  private static final Pattern MAPPED_ID = Pattern.compile("id-[0-9a-f]{32}");

  /** The fault of a line; null if its replacements are valid. */
  @Nullable
  String fault(JsonObject line, Opening opening) {
    if (!(opening instanceof Opening.Members members)) {
      return null;
    }
    Opening tag = members.members().get(tagName);
    boolean isWithheld = tag instanceof Opening.Withheld withheld
        && Opening.Withheld.POLICY.equals(withheld.rule())
        && JsonString.of(WITHHELD_EVENT).equals(line.get(tagName));
    if (!(tag instanceof Opening.Complete) && !isWithheld) {
      return "/%s: the type of the event must be shown unchanged".formatted(tagName);
    }
    for (var member : members.members().entrySet()) {
      String name = member.getKey();
      if (UNCHANGED.contains(name) && hasReplacement(member.getValue())) {
        return "/%s: must be shown unchanged or withheld, found a replacement".formatted(name);
      }
      String fault = replacement(line, name, member.getValue());
      if (fault != null) {
        return fault;
      }
    }
    return below(line, members, JsonPointer.ROOT);
  }

  /** Whether anything at or below a place is replaced. */
  private static boolean hasReplacement(Opening opening) {
    if (opening instanceof Opening.Members members) {
      return members.members().values().stream().anyMatch(ReplacementRules::hasReplacement);
    } else if (opening instanceof Opening.Elements elements) {
      return elements.elements().stream().anyMatch(ReplacementRules::hasReplacement);
    }
    return opening instanceof Opening.Withheld withheld && withheld.isReplaced();
  }

  /** The fault of a member of the line by the rules that depend on its name. */
  private @Nullable String replacement(JsonObject line, String name, Opening opening) {
    if (!(opening instanceof Opening.Withheld withheld) || withheld.rule() == null) {
      return null;
    }
    JsonValue shown = line.get(name);
    boolean isValid =
        switch (withheld.rule()) {
          case Opening.Withheld.RECOMPUTED -> isRecomputed(line, name);
          case Opening.Withheld.POLICY ->
            isPlaceholder(shown)
                || (name.equals(tagName) && JsonString.of(WITHHELD_EVENT).equals(shown))
                || (name.equals(Names.TOTAL_LATENCY_MS) && shown instanceof JsonNumber);
          default -> true;
        };
    return isValid
        ? null
        : "/%s: the rule %s does not allow this replacement".formatted(name, withheld.rule());
  }

  /** Whether a member states something that the other checks compute again. */
  private boolean isRecomputed(JsonObject line, String name) {
    String tag = line.get(tagName) instanceof JsonString text ? text.value() : "";
    boolean isOfLines = (tag.equals(EventKind.CHECKPOINT.id()) && name.equals(Names.TREE_ROOT))
        || (tag.equals(EventKind.LOG_SEGMENT.id())
            && (name.equals(Names.HASH_BEFORE) || name.equals(Names.BYTES_BEFORE)));
    String content = EventKind.ofTag(tag).contentName();
    return isOfLines || (content != null && name.equals(content + "_hash") && line.has(content));
  }

  private static boolean isPlaceholder(@Nullable JsonValue shown) {
    return PLACEHOLDERS.contains(String.valueOf(shown))
        || (shown instanceof JsonString text && DAY.matcher(text.value()).matches());
  }

  private static @Nullable String below(JsonValue shown, Opening opening, JsonPointer at) {
    String fault = null;
    if (opening instanceof Opening.Members members && shown instanceof JsonObject object) {
      for (int i = 0; i < object.size() && fault == null; i++) {
        Opening member = members.members().get(object.name(i));
        fault = member == null ? null : below(object.value(i), member, at.append(object.name(i)));
      }
    } else if (opening instanceof Opening.Elements elements && shown instanceof JsonArray array) {
      for (int i = 0; i < array.size() && fault == null; i++) {
        fault = below(array.get(i), elements.elements().get(i), at.append(i));
      }
    } else if (opening instanceof Opening.Withheld withheld && withheld.rule() != null) {
      return replacement(shown, withheld.rule(), at);
    }
    return fault;
  }

  private static @Nullable String replacement(JsonValue shown, String rule, JsonPointer at) {
    if (rule.equals(Opening.Withheld.POLICY) || rule.equals(Opening.Withheld.RECOMPUTED)) {
      boolean isValid = at.tokens().size() == 1 // decided by the name of the member
          || (rule.equals(Opening.Withheld.POLICY) && isPlaceholder(shown));
      return isValid ? null : "%s: the rule %s does not allow this".formatted(at, rule);
    } else if (rule.equals(Opening.Withheld.COMMITMENT)) {
      return null; // its text is checked with the commitments
    }
    String text = shown instanceof JsonString string ? string.value() : null;
    boolean isMarked = MARKED.matcher(rule).matches();
    if (!isMarked && !OF_TEXT.contains(rule) && !rule.equals(ID)) {
      return "%s: the rule %s is not known".formatted(at, rule);
    } else if (text == null) {
      return "%s: the rule %s replaces texts only".formatted(at, rule);
    } else if (isMarked && !text.contains("[REDACTED:")) {
      return "%s: a replacement of the rule %s has a mark [REDACTED:…]".formatted(at, rule);
    } else if (rule.equals(ID) && !MAPPED_ID.matcher(text).matches()) {
      return "%s: a replaced id has the form id- and 32 hexadecimal digits".formatted(at);
    }
    return null;
  }
}

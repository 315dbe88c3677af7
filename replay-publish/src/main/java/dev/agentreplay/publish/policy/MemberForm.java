package dev.agentreplay.publish.policy;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The form of a member's value, which determines the actions that a policy can decide on. Members
 * of a form without actions are decided by the format.
 */
enum MemberForm {
  /** The type of the event: shown if it is known. */
  TAG,
  /** Required for reading the log, or its result: shown unchanged, and never replaced. */
  STRUCTURE,
  /** A position, or a hash over lines of the log: shown, and recomputed by the publisher. */
  TREE,
  /** Never shown, and never named: the salt, members of other dialects, openings. */
  NEVER,
  /** Never shown: refers to files that are not published, or to lines of the original. */
  UNPUBLISHED,
  /** The hash of a content of the event. */
  CONTENT_HASH,
  /** The hash of a file, of which a commitment is shown. */
  COMMITTED,
  /** An ISO 8601 time. */
  TIME(Action.SHOW, Action.DAY, Action.WITHHOLD, Action.HIDE),
  /** The id of a session, call, step, agent or effect. */
  ID(Action.SHOW, Action.ID, Action.WITHHOLD, Action.HIDE),
  /** A text. */
  TEXT(Action.TEXT, Action.ID, Action.WITHHOLD, Action.HIDE),
  /** An array of texts. */
  TEXTS(Action.TEXT, Action.WITHHOLD, Action.HIDE),
  /** A number. */
  NUMBER(Action.SHOW, Action.WITHHOLD, Action.HIDE),
  /** The type and permissions of a file: six octal digits. */
  FILE_MODE(Action.SHOW, Action.WITHHOLD, Action.HIDE),
  /** A boolean. */
  BOOLEAN(Action.SHOW, Action.WITHHOLD, Action.HIDE),
  /** Any value, with members of any names. */
  CONTENT(Action.TEXT, Action.WITHHOLD, Action.HIDE),
  /** The hash of bytes that the log does not contain. */
  HASH(Action.SHOW, Action.HASH, Action.WITHHOLD, Action.HIDE),
  /** Follows from the content of the event: shown only if that is shown unchanged. */
  DERIVED(Action.SHOW, Action.WITHHOLD, Action.HIDE),
  /** Notes on the texts of the event: shown only if all of them are shown unchanged. */
  NOTES(Action.SHOW, Action.WITHHOLD, Action.HIDE),
  /** A prompt as a change of earlier ones: shown only if these are shown unchanged. */
  DELTA(Action.SHOW, Action.WITHHOLD, Action.HIDE),
  /** The side effects of a call. */
  EFFECTS(Action.TEXT, Action.WITHHOLD, Action.HIDE),
  /** An object of which the members are decided one by one; an action decides on all of them. */
  OBJECT(Action.TEXT, Action.WITHHOLD, Action.HIDE);

  private static final Pattern OCTAL = Pattern.compile("[0-7]{6}");

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes an immutable list
  private final List<Action> actions;

  MemberForm(Action... actions) {
    this.actions = List.of(actions);
  }

  /** The actions that a policy can decide on; empty if the format decides. */
  List<Action> actions() {
    return actions;
  }

  /** The action if a policy does not decide. */
  Action undecided() {
    return switch (this) {
      case TAG, TREE, STRUCTURE -> Action.SHOW;
      case UNPUBLISHED -> Action.WITHHOLD;
      case CONTENT_HASH, COMMITTED -> Action.HASH;
      default -> Action.HIDE;
    };
  }

  /** The form that a word of {@link EventCatalog} names. */
  static MemberForm parse(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** The action that shows as much of a value as this form allows. */
  Action mostOpen() {
    return actions.isEmpty() ? Action.HIDE : actions.get(0);
  }

  /** Whether a value has the form, so that it is neither a text nor contains one. */
  boolean fits(JsonValue value) {
    if (value == JsonNull.NULL) {
      return true;
    }
    return switch (this) {
      case NUMBER -> value instanceof JsonNumber;
      case FILE_MODE ->
        value instanceof JsonString text && OCTAL.matcher(text.value()).matches();
      case BOOLEAN -> value instanceof JsonBoolean;
      case TIME -> value instanceof JsonString text && Timestamp.tryParse(text.value()) != null;
      case HASH, CONTENT_HASH, COMMITTED -> isHash(value);
      case TREE -> value instanceof JsonNumber || isHash(value);
      default -> true;
    };
  }

  private static boolean isHash(JsonValue value) {
    return value instanceof JsonString text
        && (ContentHash.tryParseAnyForm(text.value()) != null
            || text.value().equals("sha256:unknown"));
  }
}

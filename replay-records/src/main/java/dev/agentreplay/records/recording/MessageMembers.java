package dev.agentreplay.records.recording;

import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.TraceMessage;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the members of one message of an export, and reports those that are not as expected. */
final class MessageMembers {

  private static final String ID = "id";
  private static final String TIME = "ts";
  private static final String FROM = "from";
  private static final String TYPE = "type";
  private static final String SUBJECT = "subject";
  private static final String BODY = "body_md";
  private static final String ACKNOWLEDGED = "acknowledged";
  private static final String THREAD = "thread_id";

  private static final Set<String> USED =
      Set.of(ID, TIME, FROM, TYPE, SUBJECT, BODY, ACKNOWLEDGED, THREAD);

  private static final String TYPES = Arrays.stream(TraceMessage.Type.values())
      .map(TraceMessage.Type::id)
      .collect(Collectors.joining(", "));

  /** The beginning of a subject that states a type, as in {@code DELTA: …}, {@code DELTA[…]: …}. */
  private static final Pattern TYPED_SUBJECT =
      Pattern.compile("\\s*(\\w+)\\s*(\\[[^\\]]*\\])?:.*", Pattern.DOTALL);

  private final JsonObject json;
  private final BiConsumer<String, String> problems;
  private final @Nullable Long id;
  private final @Nullable String threadId;
  private @Nullable String differingType;

  /**
   * Prepares to read a message.
   *
   * @param problems is given the member and the message of each problem
   */
  MessageMembers(JsonObject json, BiConsumer<String, String> problems) {
    this.json = json;
    this.problems = problems;
    this.id = readId();
    this.threadId = name(THREAD, false);
  }

  /** Whether an object has a member that tells a message from other objects. */
  static boolean isMessage(JsonObject object) {
    return object.has(TIME) || object.has(FROM) || object.has(BODY);
  }

  @Nullable
  Long id() {
    return id;
  }

  @Nullable
  String threadId() {
    return threadId;
  }

  /** A sentence about a subject that states a different type; null if it does not. */
  @Nullable
  String differingType() {
    return differingType;
  }

  /** The members that are not used. */
  List<String> unused() {
    return json.names().stream().filter(name -> !USED.contains(name)).toList();
  }

  /** Reads the message; returns null if there is a problem. */
  @Nullable
  ThreadMessage read(String source) {
    RecordTime time = time();
    String from = name(FROM, true);
    String subject = text(SUBJECT, false);
    TraceMessage.Type type = type(subject);
    String body = text(BODY, true);
    Boolean acknowledged = acknowledged();
    return time == null || from == null || type == null || body == null
        ? null
        : new ThreadMessage(id, time, from, type, subject, body, acknowledged, source);
  }

  private @Nullable Long readId() {
    JsonValue value = member(ID);
    if (value == null) {
      return null;
    }
    try {
      if (value instanceof JsonNumber number && number.asLong() > 0) {
        return number.asLong();
      }
    } catch (ArithmeticException notAnInteger) {
      // reported as any other value
    }
    problems.accept(ID, "expected a positive integer, found " + shown(value));
    return null;
  }

  private @Nullable RecordTime time() {
    String text = text(TIME, true);
    if (text == null) {
      return null;
    }
    try {
      return RecordTime.parse(text);
    } catch (IllegalArgumentException e) {
      problems.accept(TIME, "expected an ISO 8601 time with offset, found " + quoted(text));
      return null;
    }
  }

  private TraceMessage.@Nullable Type type(@Nullable String subject) {
    String stated = text(TYPE, false);
    Matcher matcher = TYPED_SUBJECT.matcher(subject == null ? "" : subject);
    String bySubject = matcher.matches() ? matcher.group(1) : null;
    if (stated == null && isWrong(TYPE)) {
      return null; // reported
    }
    if (stated == null && bySubject == null) {
      problems.accept(
          TYPE,
          "is missing, and the subject does not begin with a type and a colon"
              + (subject == null ? "" : ": " + quoted(subject)));
      return null;
    }
    TraceMessage.Type type = find(stated == null ? bySubject : stated);
    if (type == null) {
      problems.accept(
          stated == null ? SUBJECT : TYPE,
          "expected one of %s, found %s"
              .formatted(TYPES, quoted(stated == null ? String.valueOf(bySubject) : stated)));
      return null;
    }
    TraceMessage.Type other = find(bySubject);
    if (other != null && other != type) {
      differingType =
          "The type is %s, while the subject states %s.".formatted(type.id(), other.id());
    }
    return type;
  }

  private static TraceMessage.@Nullable Type find(@Nullable String text) {
    for (TraceMessage.Type type : TraceMessage.Type.values()) {
      if (type.id().equals(text)) {
        return type;
      }
    }
    return null;
  }

  private @Nullable Boolean acknowledged() {
    JsonValue value = member(ACKNOWLEDGED);
    if (value instanceof JsonBoolean known) {
      return known.value();
    }
    if (value != null) {
      problems.accept(ACKNOWLEDGED, "expected a boolean, found " + shown(value));
    }
    return null;
  }

  private @Nullable String name(String member, boolean isRequired) {
    String text = text(member, isRequired);
    if (text != null && text.isEmpty()) {
      problems.accept(member, "expected text that is not empty, found \"\"");
      return null;
    }
    return text;
  }

  private @Nullable String text(String member, boolean isRequired) {
    JsonValue value = member(member);
    if (value instanceof JsonString text) {
      return text.value();
    }
    if (value != null) {
      problems.accept(member, "expected a string, found " + shown(value));
    } else if (isRequired) {
      problems.accept(member, "is missing");
    }
    return null;
  }

  private boolean isWrong(String member) {
    JsonValue value = member(member);
    return value != null && !(value instanceof JsonString);
  }

  /** Returns a member; null if it is missing or null. */
  private @Nullable JsonValue member(String name) {
    JsonValue value = json.get(name);
    return value == null || value.isNull() ? null : value;
  }

  private static String quoted(String text) {
    return "\"" + Excerpt.of(PlainText.escaped(text)) + "\"";
  }

  /** Returns the type and the beginning of a value, for a message. */
  static String shown(JsonValue value) {
    return value.isNull()
        ? "null"
        : value.typeName() + " " + Excerpt.of(PlainText.escaped(value.toString()));
  }
}

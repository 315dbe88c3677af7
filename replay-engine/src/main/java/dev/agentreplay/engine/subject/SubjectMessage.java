package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.subject.SubjectException.Reason;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A message from a subject: one line, checked for its members and the types of common ones. */
record SubjectMessage(JsonValue id, Type type, JsonObject json) {

  private static final Set<String> COMMON = Set.of("id", "type");
  private static final Set<String> LANE = Set.of(Names.AGENT, Names.PARENT);
  private static final int MAX_ID = 256;

  /** The types of messages, with the members that each may have. */
  enum Type {
    HELLO(false, "protocol", "name"),
    TOOL(true, "name", "params", "call", "local"),
    MODEL(true, "model", "prompt", "parameters", "stream", "call", "local"),
    VALUE(
        true, "source", "form", "bound", "attempt", "base", "max", "min", "size", "path", "pattern",
        "name"),
    EMIT(true, "event"),
    OUTPUT(
        false,
        "ok",
        "output",
        "answer",
        "error",
        "partial",
        Names.EXIT_CODE,
        Names.FINISH_REASON,
        Names.TOKENS_IN,
        Names.TOKENS_OUT),
    END(false, "status", "confidence", "summary", "error");

    @SuppressWarnings("ImmutableEnumChecker") // it does not change after construction
    private final Set<String> members;

    Type(boolean hasLane, String... members) {
      this.members = new TreeSet<>(Set.of(members));
      this.members.addAll(COMMON);
      if (hasLane) {
        this.members.addAll(LANE);
      }
    }

    /** The names of the members that a message of this type may have. */
    Set<String> members() {
      return members;
    }

    String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Type tryParse(String id) {
      for (Type type : values()) {
        if (type.id().equals(id)) {
          return type;
        }
      }
      return null;
    }
  }

  /**
   * Parses a line.
   *
   * @param line the number of the line, for messages
   * @throws Wrong if it is not a message
   */
  static SubjectMessage parse(byte[] text, long line) throws Wrong {
    JsonObject json;
    try {
      json = JsonLine.parse(text, line);
    } catch (SubjectException e) {
      throw new Wrong(null, String.valueOf(e.getMessage()));
    }
    JsonValue id = json.get("id");
    boolean isId = (id instanceof JsonString name && name.value().length() <= MAX_ID)
        || (id instanceof JsonNumber && id.toString().length() <= MAX_ID);
    if (id == null || !isId) {
      throw new Wrong(
          null,
          "line %d: expected \"id\", a number or a string of at most %d characters"
              .formatted(line, MAX_ID));
    }
    Type type =
        json.get("type") instanceof JsonString stated ? Type.tryParse(stated.value()) : null;
    if (type == null) {
      throw new Wrong(
          id,
          "line %d: unknown \"type\": %s"
              .formatted(line, PlainText.fit(String.valueOf(json.get("type")), 60)));
    }
    for (String name : json.names()) {
      if (!type.members.contains(name)) {
        throw new Wrong(
            id,
            "line %d: unknown member \"%s\" of \"%s\""
                .formatted(line, PlainText.fit(name, 60), type.id()));
      }
    }
    return new SubjectMessage(id, type, json);
  }

  /** Thrown when a line is not a message of the protocol. */
  static final class Wrong extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable JsonValue id;

    /**
     * Creates an exception.
     *
     * @param id the id of the message; null if it has none
     */
    Wrong(@Nullable JsonValue id, String message) {
      super(message);
      this.id = id;
    }

    @Nullable
    JsonValue id() {
      return id;
    }

    SubjectException exception() {
      return new SubjectException(Reason.PROTOCOL, String.valueOf(getMessage()));
    }
  }

  /** The error of a member that is not as expected. */
  Wrong wrong(String member, String expected) {
    JsonValue found = json.get(member);
    return new Wrong(
        id,
        "\"%s\" of \"%s\": expected %s, found %s"
            .formatted(
                member,
                type.id(),
                expected,
                found == null ? "none" : PlainText.fit(found.toString(), 60)));
  }

  /** A text; null if the member is missing. */
  @Nullable
  String text(String member) throws Wrong {
    JsonValue value = json.get(member);
    if (value == null) {
      return null;
    }
    if (value instanceof JsonString text) {
      return text.value();
    }
    throw wrong(member, "a string");
  }

  String requiredText(String member) throws Wrong {
    String text = text(member);
    if (text == null || text.isBlank()) {
      throw wrong(member, "a string that is not blank");
    }
    return text;
  }

  /** A switch, which is off if the member is missing. */
  boolean flag(String member) throws Wrong {
    Boolean flag = optionalFlag(member);
    return flag != null && flag;
  }

  @Nullable
  Boolean optionalFlag(String member) throws Wrong {
    JsonValue value = json.get(member);
    if (value == null) {
      return null;
    }
    if (value instanceof JsonBoolean flag) {
      return flag.value();
    }
    throw wrong(member, "true or false");
  }

  /** An integer; null if the member is missing. */
  @Nullable
  Long integer(String member) throws Wrong {
    JsonValue value = json.get(member);
    if (value == null) {
      return null;
    }
    try {
      if (value instanceof JsonNumber number) {
        return number.asLong();
      }
    } catch (ArithmeticException notALong) {
      // reported below, like a value that is not a number
    }
    throw wrong(member, "an integer");
  }

  long requiredInteger(String member) throws Wrong {
    Long number = integer(member);
    if (number == null) {
      throw wrong(member, "an integer");
    }
    return number;
  }

  int smallInteger(String member) throws Wrong {
    long number = requiredInteger(member);
    if (number != (int) number) {
      throw wrong(member, "a 32-bit integer");
    }
    return (int) number;
  }

  /** A value; null if the member is missing. */
  @Nullable
  JsonValue value(String member) {
    return json.get(member);
  }
}

package dev.agentreplay.records.agents;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.RecordObject;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.TraceMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The messages of the protocol for agents that are a program, docs/protocol.md. */
final class AgentsProtocol {

  /** The version of the protocol. */
  static final int VERSION = 1;

  private static final String TYPE = "type";
  private static final String READY = "ready";
  private static final String ROUND = "round";
  private static final String MESSAGES = "messages";
  private static final String ARTIFACT = "artifact";
  private static final String TOKENS_IN = "tokens_in";
  private static final String TOKENS_OUT = "tokens_out";
  private static final String FROM = "from";
  private static final String SUBJECT = "subject";
  private static final String TEXT = "text";
  private static final String TIMESTAMP = "timestamp";

  /** The members of an answer to a round. */
  static final Set<String> ANSWER = Set.of(TYPE, ROUND, MESSAGES, ARTIFACT, TOKENS_IN, TOKENS_OUT);

  /** The members of a message in an answer. */
  static final Set<String> MESSAGE = Set.of(FROM, TYPE, SUBJECT, TEXT, TIMESTAMP);

  private static final int SHOWN = 60;

  /** Thrown when an answer is not one of the protocol. */
  static final class WrongAnswerException extends Exception {

    private static final long serialVersionUID = 1L;

    WrongAnswerException(String place, String expected, @Nullable JsonValue found) {
      super("%s: expected %s, found %s"
          .formatted(
              place, expected, found == null ? "none" : PlainText.fit(found.toString(), SHOWN)));
    }
  }

  private AgentsProtocol() {}

  /** The first request. */
  static JsonObject session(RoundContext context) {
    return JsonObject.of(
        TYPE,
        "session",
        "protocol",
        VERSION,
        "session_id",
        context.sessionId(),
        "seed",
        context.seed(),
        "inputs",
        context.inputs().toJson());
  }

  /** The request for a round. */
  static JsonObject round(RoundContext context) {
    List<JsonObject> turns = new ArrayList<>();
    for (RoundContext.Turn turn : context.turns()) {
      turns.add(JsonObject.of(
          "turn",
          turns.size(),
          "agent",
          turn.agent().agentName(),
          "role",
          turn.agent().role().id(),
          TYPE,
          turn.type().id(),
          "before",
          messages(turn.before())));
    }
    return JsonObject.of(
        TYPE,
        ROUND,
        ROUND,
        context.roundNumber(),
        "clock",
        context.context().clock().instant().toString(),
        "feed",
        context.feed().id(),
        "given",
        messages(context.given()),
        "turns",
        JsonArray.copyOf(turns),
        "interventions",
        JsonArray.copyOf(
            context.interventions().stream().map(RecordObject::toJson).toList()));
  }

  /** The last message. */
  static JsonObject end() {
    return JsonObject.of(TYPE, "end");
  }

  private static JsonArray messages(List<SentMessage> messages) {
    return JsonArray.copyOf(
        messages.stream().map(AgentsProtocol::message).collect(Collectors.toList()));
  }

  private static JsonObject message(SentMessage message) {
    JsonObject json = JsonObject.of(FROM, message.from(), TYPE, message.type().id());
    json = message.subject() == null ? json : json.with(SUBJECT, message.subject());
    json = message.text() == null ? json : json.with(TEXT, message.text());
    RecordTime time = message.timestamp();
    return time == null ? json : json.with(TIMESTAMP, time.text());
  }

  /** Checks the answer to the first request. */
  static void requireReady(JsonObject answer) throws WrongAnswerException {
    requireType(answer, READY);
    requireMembers("", answer, Set.of(TYPE));
  }

  /** Reads the answer to the request for a round. */
  static RoundMessages answer(JsonObject answer, long round) throws WrongAnswerException {
    requireType(answer, ROUND);
    requireMembers("", answer, ANSWER);
    if (integer(answer, ROUND) != round) {
      throw new WrongAnswerException(ROUND, Long.toString(round), answer.get(ROUND));
    }
    if (!(answer.get(MESSAGES) instanceof JsonArray array)) {
      throw new WrongAnswerException(MESSAGES, "an array", answer.get(MESSAGES));
    }
    List<SentMessage> messages = new ArrayList<>();
    for (JsonValue value : array) {
      messages.add(message("%s[%d]".formatted(MESSAGES, messages.size()), value));
    }
    return new RoundMessages(
        messages,
        text("", answer, ARTIFACT),
        answer.has(TOKENS_IN) ? integer(answer, TOKENS_IN) : 0,
        answer.has(TOKENS_OUT) ? integer(answer, TOKENS_OUT) : 0);
  }

  private static void requireType(JsonObject answer, String type) throws WrongAnswerException {
    if (!JsonString.of(type).equals(answer.get(TYPE))) {
      throw new WrongAnswerException(TYPE, "\"%s\"".formatted(type), answer.get(TYPE));
    }
  }

  private static void requireMembers(String place, JsonObject object, Set<String> members)
      throws WrongAnswerException {
    for (String name : object.names()) {
      if (!members.contains(name)) {
        throw new WrongAnswerException(
            place + PlainText.fit(name, SHOWN), "no member of this name", object.get(name));
      }
    }
  }

  private static SentMessage message(String place, JsonValue value) throws WrongAnswerException {
    if (!(value instanceof JsonObject object)) {
      throw new WrongAnswerException(place, "an object", value);
    }
    String prefix = place + ".";
    requireMembers(prefix, object, MESSAGE);
    return new SentMessage(
        requiredText(prefix, object, FROM),
        type(prefix, object),
        text(prefix, object, SUBJECT),
        requiredText(prefix, object, TEXT),
        time(prefix, object));
  }

  private static TraceMessage.Type type(String prefix, JsonObject object)
      throws WrongAnswerException {
    String id = text(prefix, object, TYPE);
    for (TraceMessage.Type type : TraceMessage.Type.values()) {
      if (type.id().equals(id)) {
        return type;
      }
    }
    String types = Arrays.stream(TraceMessage.Type.values())
        .filter(type -> type != TraceMessage.Type.KICKOFF)
        .map(TraceMessage.Type::id)
        .collect(Collectors.joining(", "));
    throw new WrongAnswerException(prefix + TYPE, "one of " + types, object.get(TYPE));
  }

  private static @Nullable RecordTime time(String prefix, JsonObject object)
      throws WrongAnswerException {
    String text = text(prefix, object, TIMESTAMP);
    try {
      return text == null ? null : RecordTime.parse(text);
    } catch (IllegalArgumentException e) {
      throw new WrongAnswerException(
          prefix + TIMESTAMP, "an ISO 8601 time with offset", object.get(TIMESTAMP));
    }
  }

  private static String requiredText(String prefix, JsonObject object, String member)
      throws WrongAnswerException {
    String text = text(prefix, object, member);
    if (text == null) {
      throw new WrongAnswerException(prefix + member, "a string", null);
    }
    return text;
  }

  private static @Nullable String text(String prefix, JsonObject object, String member)
      throws WrongAnswerException {
    JsonValue value = object.get(member);
    if (value == null || value instanceof JsonString) {
      return value == null ? null : value.asString();
    }
    throw new WrongAnswerException(prefix + member, "a string", value);
  }

  private static long integer(JsonObject object, String member) throws WrongAnswerException {
    JsonValue value = object.get(member);
    try {
      if (value instanceof JsonNumber number && number.asLong() >= 0) {
        return number.asLong();
      }
    } catch (ArithmeticException notALong) {
      // reported below, like a value that is not a number
    }
    throw new WrongAnswerException(member, "an integer, not negative", value);
  }
}

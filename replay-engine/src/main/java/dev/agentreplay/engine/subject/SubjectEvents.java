package dev.agentreplay.engine.subject;

import dev.agentreplay.canonical.dialect.Decoded;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.subject.SubjectMessage.Wrong;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The events of a session in the messages of the protocol. */
final class SubjectEvents {

  /** The kinds that a subject may emit: neither a call nor a result, nor written by a recorder. */
  private static final Set<EventKind> EMITTED = EnumSet.of(
      EventKind.PLAN_START,
      EventKind.STEP_COMPLETE,
      EventKind.VERIFICATION,
      EventKind.PAYMENT,
      EventKind.RUNTIME_EVENT,
      EventKind.FILE_STATE,
      EventKind.SETTINGS);

  /** The statuses with which a session ends. */
  private static final List<Status> STATUSES =
      List.of(Status.SUCCESS, Status.FAILED, Status.CANCELLED, Status.TIMEOUT);

  /** The member with the time of an event, which the recorder sets. */
  private static final String TIME = "t";

  private static final String ANY_TIME = "1970-01-01T00:00:00Z";

  private SubjectEvents() {}

  /** The call of a tool. */
  static ToolCall toolCall(SubjectMessage request) throws Wrong {
    JsonValue params = request.value("params");
    return new ToolCall(
        callId(request),
        request.requiredText("name"),
        params == null ? Content.of(JsonObject.EMPTY) : Content.of(params),
        null,
        Attempt.NONE,
        Meta.NONE);
  }

  /** The call of a model; its prompt may be a text, or messages, as in Java. */
  static ModelCall modelCall(SubjectMessage request) throws Wrong {
    JsonValue prompt = request.value("prompt");
    JsonObject json;
    if (prompt instanceof JsonString text) {
      json = ModelCall.Prompt.of(text.value()).json();
    } else if (prompt instanceof JsonArray messages) {
      json = ModelCall.Prompt.of(messages).json();
    } else if (prompt instanceof JsonObject object) {
      json = object;
    } else {
      throw request.wrong("prompt", "a text, an array of messages, or an object");
    }
    JsonValue parameters = request.value("parameters");
    if (parameters != null && !(parameters instanceof JsonObject)) {
      throw request.wrong("parameters", "an object");
    }
    Parameters given =
        parameters instanceof JsonObject object ? new Parameters(object) : Parameters.NONE;
    return new ModelCall(
        callId(request), request.text("model"), Content.of(json), given, Meta.NONE);
  }

  private static String callId(SubjectMessage request) throws Wrong {
    String call = request.text("call");
    return call == null ? "" : call;
  }

  /** The event that a subject emits. */
  static ReplayEvent event(SubjectMessage request) throws Wrong {
    if (!(request.value("event") instanceof JsonObject event)) {
      throw request.wrong("event", "an object, as in a log");
    }
    return decoded(request, event, EMITTED);
  }

  /** The end of the session. */
  static SessionEnd end(SubjectMessage request) throws Wrong {
    return SessionEnd.of(status(request))
        .withConfidence(confidence(request))
        .withSummary(request.text("summary"))
        .withErrorMessage(request.text("error"));
  }

  /** The status in the spelling of the protocol; as in a log, its case is ignored. */
  private static Status status(SubjectMessage request) throws Wrong {
    Status given = Status.parse(request.requiredText("status"));
    for (Status status : STATUSES) {
      if (status.kind() == given.kind()) {
        return status;
      }
    }
    throw request.wrong("status", "Success, Failed, Cancelled or Timeout");
  }

  private static @Nullable Double confidence(SubjectMessage request) throws Wrong {
    JsonValue value = request.value("confidence");
    if (value == null || value instanceof JsonNull) {
      return null;
    }
    double confidence = value instanceof JsonNumber number ? number.asDouble() : -1;
    if (!(confidence >= 0 && confidence <= 1)) {
      throw request.wrong("confidence", "a number from 0 to 1");
    }
    return confidence;
  }

  private static ReplayEvent decoded(SubjectMessage request, JsonObject json, Set<EventKind> kinds)
      throws Wrong {
    Decoded decoded = Dialect.EVENT.decode(json.has(TIME) ? json : json.with(TIME, ANY_TIME));
    ReplayEvent event = decoded.event();
    if (!kinds.contains(event.kind())) {
      throw new Wrong(
          request.id(),
          "\"%s\" of an event of the kind \"%s\": expected one of %s"
              .formatted(
                  request.type().id(),
                  event.kind().id(),
                  kinds.stream().map(EventKind::id).toList()));
    }
    if (!decoded.findings().isEmpty()) {
      throw new Wrong(
          request.id(),
          "\"%s\": %s".formatted(request.type().id(), decoded.findings().get(0).message()));
    }
    return event.withMeta(event.meta().withTime(null));
  }
}

package dev.agentreplay.convert.trace.otel;

import dev.agentreplay.convert.trace.span.Span;
import dev.agentreplay.convert.trace.span.SpanRecord;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.json.JsonString;
import org.jspecify.annotations.Nullable;

/** The failures of spans: their status, the type of the error, and the last exception. */
final class Failures {

  private static final String ERROR_TYPE = "error.type";

  private Failures() {}

  /** The failure that a span states; null if it states none. It stays in the record. */
  static @Nullable Failure take(SpanRecord span, String to) {
    String type = span.text(ERROR_TYPE);
    Span.Status status = span.span().status();
    if (!status.isError() && type == null) {
      return null;
    }
    String name = type;
    String message = status.message();
    for (Span.Event event : span.span().events()) {
      if (event.name().endsWith("exception")) {
        String stated = text(event, "exception.type");
        name = type == null && stated != null ? stated : name;
        stated = text(event, "exception.message");
        message = stated == null ? message : stated;
        span.record().derive(to, "events");
        span.record().derive(to, "logs");
      }
    }
    span.derive(to, ERROR_TYPE);
    span.derive(to, "otel.status_code");
    span.derive(to, "otel.status_description");
    span.record().derive(to, "status");
    return Failure.of(name == null ? "Error" : name, message == null ? "" : message);
  }

  private static @Nullable String text(Span.Event event, String name) {
    return event.attributes().get(name) instanceof JsonString text
            && !text.value().isBlank()
        ? text.value()
        : null;
  }
}

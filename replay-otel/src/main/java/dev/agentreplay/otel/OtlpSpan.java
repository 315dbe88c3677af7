package dev.agentreplay.otel;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.List;

/** A span in the JSON form of the OpenTelemetry protocol, as exporters take it. Immutable. */
final class OtlpSpan implements SpanData {

  private static final InstrumentationScopeInfo SCOPE =
      InstrumentationScopeInfo.create("agentreplay");

  private static final int CLIENT = 3;
  private static final int OK = 1;
  private static final int ERROR = 2;

  private final JsonObject json;
  private final Resource resource;
  private final Attributes attributes;
  private final List<EventData> events;

  OtlpSpan(JsonObject json, Resource resource) {
    this.json = json;
    this.resource = resource;
    this.attributes = attributes(json);
    List<EventData> read = new ArrayList<>();
    for (JsonValue event : array(json, "events")) {
      read.add(EventData.create(
          nanos(event.asObject(), "timeUnixNano"),
          text(event.asObject(), "name"),
          attributes(event.asObject())));
    }
    this.events = List.copyOf(read);
  }

  private static Attributes attributes(JsonObject holder) {
    AttributesBuilder builder = Attributes.builder();
    for (JsonValue attribute : array(holder, "attributes")) {
      String key = text(attribute.asObject(), "key");
      if (attribute.asObject().get("value") instanceof JsonObject value) {
        put(builder, key, value.name(0), value.value(0));
      }
    }
    return builder.build();
  }

  private static void put(AttributesBuilder builder, String key, String type, JsonValue value) {
    switch (type) {
      case "intValue" -> builder.put(key, Long.parseLong(value.asString()));
      case "doubleValue" -> builder.put(key, value.asDouble());
      case "boolValue" -> builder.put(key, ((JsonBoolean) value).value());
      case "arrayValue" -> {
        List<String> texts = new ArrayList<>();
        array(value.asObject(), "values")
            .forEach(element -> texts.add(text(element.asObject(), "stringValue")));
        builder.put(AttributeKey.stringArrayKey(key), texts);
      }
      default -> builder.put(key, value.asString());
    }
  }

  private static JsonArray array(JsonObject object, String name) {
    return object.get(name) instanceof JsonArray array ? array : JsonArray.EMPTY;
  }

  private static String text(JsonObject object, String name) {
    return object.get(name) instanceof JsonString text ? text.value() : "";
  }

  private static long number(JsonObject object, String name) {
    return object.get(name) instanceof JsonNumber number ? number.asLong() : 0;
  }

  private static long nanos(JsonObject object, String name) {
    return Long.parseUnsignedLong(text(object, name));
  }

  @Override
  public String getName() {
    return text(json, "name");
  }

  @Override
  public SpanKind getKind() {
    return number(json, "kind") == CLIENT ? SpanKind.CLIENT : SpanKind.INTERNAL;
  }

  @Override
  public SpanContext getSpanContext() {
    return context(text(json, "spanId"));
  }

  @Override
  public SpanContext getParentSpanContext() {
    String parent = text(json, "parentSpanId");
    return parent.isEmpty() ? SpanContext.getInvalid() : context(parent);
  }

  private SpanContext context(String spanId) {
    return SpanContext.create(
        text(json, "traceId"), spanId, TraceFlags.getSampled(), TraceState.getDefault());
  }

  @Override
  public StatusData getStatus() {
    JsonObject status = json.get("status") instanceof JsonObject object ? object : JsonObject.EMPTY;
    long code = number(status, "code");
    if (code == ERROR) {
      return StatusData.create(StatusCode.ERROR, text(status, "message"));
    }
    return code == OK ? StatusData.ok() : StatusData.unset();
  }

  @Override
  public long getStartEpochNanos() {
    return nanos(json, "startTimeUnixNano");
  }

  @Override
  public long getEndEpochNanos() {
    return nanos(json, "endTimeUnixNano");
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public List<EventData> getEvents() {
    return events;
  }

  @Override
  public List<LinkData> getLinks() {
    return List.of();
  }

  @Override
  public boolean hasEnded() {
    return true;
  }

  @Override
  public int getTotalRecordedEvents() {
    return events.size();
  }

  @Override
  public int getTotalRecordedLinks() {
    return 0;
  }

  @Override
  public int getTotalAttributeCount() {
    return attributes.size();
  }

  @Override
  @Deprecated
  public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create("agentreplay", null);
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return SCOPE;
  }

  @Override
  public Resource getResource() {
    return resource;
  }
}

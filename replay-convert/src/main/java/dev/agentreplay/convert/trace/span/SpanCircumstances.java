package dev.agentreplay.convert.trace.span;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes what the spans have in common: resource, scope, model, tools, versions. */
final class SpanCircumstances {

  private final TraceSession session;
  private final Map<SpanNode, SpanRecord> records;

  SpanCircumstances(TraceSession session, Map<SpanNode, SpanRecord> records) {
    this.session = session;
    this.records = records;
  }

  void write(List<SpanNode> inOrder, Map<SpanNode, ModelFacts> models) throws IOException {
    Set<Object> seen = new HashSet<>();
    for (SpanNode node : inOrder) {
      for (Span.Envelope envelope : node.span.source().envelopes()) {
        if (seen.add(envelope.place())) {
          write(envelope, seen.add(envelope.json()));
        }
      }
    }
    dropRepeatedResources(inOrder);
    writeSettings(inOrder, models);
  }

  /** Sets the environment of the session, if a resource states it. */
  void setEnvironment(List<SpanNode> inOrder) {
    for (SpanNode node : inOrder) {
      for (Span.Envelope envelope : node.span.source().envelopes()) {
        setEnvironment(envelope.json());
      }
      setEnvironment(node.span.source().json());
    }
  }

  private void setEnvironment(JsonObject json) {
    if (session.start().labels().environment() == null
        && json.get("resource") instanceof JsonObject resource
        && resource.get("attributes") instanceof JsonObject attributes) {
      for (String name : List.of("deployment.environment.name", "deployment.environment")) {
        String environment = SourceHead.text(attributes, name);
        if (environment != null && !environment.isBlank()) {
          session.start(session.start().withEnvironment(environment));
          return;
        }
      }
    }
  }

  /** Writes what the source states for several spans at once. */
  void write(Span.Envelope envelope, boolean isNew) throws IOException {
    ContentHash hash = CanonicalJson.SERDE.hash(envelope.json());
    SourceRecord record = session.record(envelope.json(), envelope.type(), envelope.place(), hash);
    for (List<String> path : envelope.restated()) {
      record.restate(SpanRecord.RESTATED, path.toArray(String[]::new));
    }
    if (!envelope.isKnown()) {
      record.unknown();
    }
    if (!isNew) {
      record.dropAll("equal to one that was read before");
      return;
    }
    writeVersions(record.object("resource", "attributes"), record, "resource", "attributes");
    session.keep(record);
  }

  private void dropRepeatedResources(List<SpanNode> inOrder) throws IOException {
    JsonObject before = null;
    for (SpanNode node : inOrder) {
      SpanRecord span = records.get(node);
      JsonObject resource = span == null ? JsonObject.EMPTY : span.record().object("resource");
      if (span == null || resource.isEmpty()) {
        continue;
      }
      if (resource.equals(before)) {
        span.record().drop("equal to the one of the span before", "resource");
      } else {
        before = resource;
        JsonObject attributes = span.record().object("resource", "attributes");
        writeVersions(attributes, span.record(), "resource", "attributes");
      }
    }
  }

  private void writeVersions(JsonObject attributes, SourceRecord record, String... path)
      throws IOException {
    JsonObject.Builder versions = JsonObject.builder();
    for (String prefix : List.of("service", "telemetry.sdk")) {
      String name = SourceHead.text(attributes, prefix + ".name");
      String version = SourceHead.text(attributes, prefix + ".version");
      if (name != null && version != null && !name.isBlank()) {
        versions.put(name, version);
        record.derive("Settings/versions", with(path, prefix + ".name"));
        record.derive("Settings/versions", with(path, prefix + ".version"));
      }
    }
    JsonObject found = versions.build();
    if (!found.isEmpty()) {
      Timestamp time = session.start().meta().time();
      session.derive(
          Settings.of(Map.of(Settings.VERSIONS, new Setting(found, null)))
              .withMeta(Meta.NONE.withTime(time)),
          record);
    }
  }

  private static String[] with(String[] path, String name) {
    List<String> longer = new ArrayList<>(List.of(path));
    longer.add(name);
    return longer.toArray(String[]::new);
  }

  /** Writes model and tools as the first request of the main agent has them. */
  private void writeSettings(List<SpanNode> inOrder, Map<SpanNode, ModelFacts> models)
      throws IOException {
    Map<String, Setting> settings = new LinkedHashMap<>();
    SourceRecord from = null;
    for (SpanNode node : inOrder) {
      ModelFacts facts = models.get(node);
      if (facts == null || node.lane != null) {
        continue;
      }
      if (facts.model() != null && !settings.containsKey(Settings.MODEL)) {
        settings.put(Settings.MODEL, new Setting(JsonString.of(facts.model()), null));
        from = from == null ? Objects.requireNonNull(records.get(node)).record() : from;
      }
      if (facts.prompt().tools() != null && !settings.containsKey(Settings.TOOLS)) {
        JsonArray tools = tools(facts.prompt().tools());
        if (tools.size() > 0) {
          settings.put(Settings.TOOLS, new Setting(tools, null));
          from = from == null ? Objects.requireNonNull(records.get(node)).record() : from;
        }
      }
    }
    if (from != null) {
      Timestamp time = session.start().meta().time();
      session.derive(Settings.of(settings).withMeta(Meta.NONE.withTime(time)), from);
    }
  }

  /** The tools with the names that a description has here. */
  private static JsonArray tools(JsonArray stated) {
    List<JsonValue> tools = new ArrayList<>();
    for (JsonValue value : stated) {
      if (value instanceof JsonObject tool) {
        add(tool, tools);
      }
    }
    return JsonArray.copyOf(tools);
  }

  private static void add(JsonObject tool, List<JsonValue> tools) {
    for (String list : List.of("function_declarations", "functionDeclarations")) {
      if (tool.get(list) instanceof JsonArray declarations) {
        for (JsonValue declaration : declarations) {
          if (declaration instanceof JsonObject object) {
            add(object, tools);
          }
        }
        return;
      }
    }
    JsonObject function = tool.get("function") instanceof JsonObject inner ? inner : tool;
    String name = SourceHead.text(function, "name");
    if (name == null || name.isBlank()) {
      return;
    }
    JsonObject.Builder description = JsonObject.builder();
    String words = SourceHead.text(function, "description");
    if (words != null) {
      description.put("description", words);
    }
    description.put("name", name);
    JsonValue schema = schema(function);
    if (schema != null) {
      description.put("schema", schema);
    }
    tools.add(description.build());
  }

  private static @Nullable JsonValue schema(JsonObject function) {
    for (String name :
        List.of("parameters", "input_schema", "inputSchema", "parameters_json_schema", "schema")) {
      if (SpanRecord.parsed(function.get(name)) instanceof JsonObject schema) {
        return schema;
      }
    }
    return null;
  }
}

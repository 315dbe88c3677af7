package dev.agentreplay.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * The published schemas of reports, for readers that do not take members that they do not know: a
 * member that a report has gained must be in its schema.
 */
public final class ReportSchemas {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path DIRECTORY = Path.of("../docs/schema/");
  private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(
      VersionFlag.V202012,
      builder -> builder.schemaMappers(mappers -> mappers.mapPrefix(
          "https://github.com/agentreplay/agentreplay/docs/schema/",
          DIRECTORY.toUri().toString())));

  private ReportSchemas() {}

  /** The violations of the schema that a report states, such as {@code replay.run/1}. */
  public static Set<ValidationMessage> faults(JsonObject report) throws IOException {
    JsonNode schema = read(report.at("/schema").asString());
    close(schema);
    return FACTORY.getSchema(schema).validate(MAPPER.readTree(report.toString()));
  }

  /** Reads the published schema of a name such as {@code replay.run/1}. */
  public static JsonNode read(String name) throws IOException {
    return MAPPER.readTree(
        DIRECTORY.resolve(name.replace('/', '-') + ".schema.json").toFile());
  }

  /** Closes a schema, wherever it describes an object. */
  private static void close(JsonNode node) {
    if (node instanceof ObjectNode object && !object.has("additionalProperties")) {
      if (object.path("properties").isObject()) {
        object.put("additionalProperties", false);
      } else if (object.has("$ref") || object.has("allOf")) {
        object.put("unevaluatedProperties", false);
      }
    }
    closeInside(node);
  }

  /** Closes what is below a schema; a definition, or a part of {@code allOf}, is not closed. */
  private static void closeInside(JsonNode node) {
    node.properties().forEach(member -> {
      switch (member.getKey()) {
        case "if" -> {} // which states only what it asks
        case "$defs", "allOf" -> member.getValue().forEach(ReportSchemas::closeInside);
        default -> close(member.getValue());
      }
    });
    if (node.isArray()) {
      node.forEach(ReportSchemas::close);
    }
  }
}

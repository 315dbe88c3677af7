package dev.agentreplay.engine;

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

  /** The violations of a schema such as {@code replay.run-1}. */
  public static Set<ValidationMessage> faults(String name, JsonObject json) throws IOException {
    JsonNode schema = read(name);
    close(schema);
    return FACTORY.getSchema(schema).validate(MAPPER.readTree(json.toString()));
  }

  /** The definitions of a schema. */
  public static JsonNode definitions(String name) throws IOException {
    return read(name).at("/$defs");
  }

  private static JsonNode read(String name) throws IOException {
    return MAPPER.readTree(DIRECTORY.resolve(name + ".schema.json").toFile());
  }

  private static void close(JsonNode node) {
    if (node instanceof ObjectNode object
        && object.path("properties").isObject()
        && !object.has("additionalProperties")) {
      object.put("additionalProperties", false);
    }
    node.forEach(ReportSchemas::close);
  }
}

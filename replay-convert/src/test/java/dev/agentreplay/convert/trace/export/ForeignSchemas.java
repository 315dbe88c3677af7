package dev.agentreplay.convert.trace.export;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The JSON schemas of other tools, see {@code traces/schema/NOTICE.md} in the resources. */
final class ForeignSchemas {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonSchemaFactory FACTORY =
      JsonSchemaFactory.getInstance(VersionFlag.V202012);

  private ForeignSchemas() {}

  /** The violations of a schema, such as {@code atif-1.7}. */
  static List<String> violations(String schema, JsonValue value) throws IOException {
    List<String> violations = new ArrayList<>();
    FACTORY
        .getSchema(TestData.text("/traces/schema/" + schema + ".schema.json"))
        .validate(MAPPER.readTree(value.toString()))
        .forEach(violation -> violations.add(violation.getMessage()));
    return violations;
  }
}

package dev.agentreplay.cli.input;

import dev.agentreplay.engine.replay.execution.SchemaCompiler;
import dev.agentreplay.jackson.schema.JsonSchemas;

/** The compiler of JSON Schemas, which is loaded only if there is a schema. */
final class Schemas {

  private static final String LOG = "slf4j.internal.verbosity";

  private Schemas() {}

  static SchemaCompiler compiler() {
    return schema -> {
      if (System.getProperty(LOG) == null) {
        System.setProperty(LOG, "ERROR"); // the validator has a logger, and the command has none
      }
      return JsonSchemas.compiler().compile(schema);
    };
  }
}

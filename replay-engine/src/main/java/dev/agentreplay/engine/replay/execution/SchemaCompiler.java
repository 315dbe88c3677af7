package dev.agentreplay.engine.replay.execution;

import dev.agentreplay.model.json.JsonValue;

/**
 * Compiles JSON Schemas of the parameters of tools. {@code JsonSchemas} of the module
 * {@code dev.agentreplay.jackson} is one.
 */
@FunctionalInterface
public interface SchemaCompiler {

  /**
   * Compiles a schema. Schemas may come from an attacker: this must neither use the network nor
   * read files.
   *
   * @throws IllegalArgumentException if the schema is not valid, or refers to one that is not in it
   */
  ParameterCheck compile(JsonValue schema);
}

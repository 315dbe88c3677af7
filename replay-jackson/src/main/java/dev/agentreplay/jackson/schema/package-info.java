/**
 * Checks of the parameters of tools against JSON Schemas, by the validator of networknt.
 *
 * <pre>{@code
 * JsonSchemas schemas = JsonSchemas.compiler();
 * JsonObject schema = JsonObject.of("required", List.of("path"));
 * Replay replay = Replay.of(session)
 *     .mode(ReplayMode.TOOLS_LIVE)
 *     .check("read_file", schemas.compile(schema))
 *     .recordedSchemas(schemas); // for tools without a check of their own
 * }</pre>
 *
 * <p>This package requires {@code replay-engine} and {@code com.networknt:json-schema-validator}
 * 1.5, which are optional dependencies of its module.
 */
@NullMarked
package dev.agentreplay.jackson.schema;

import org.jspecify.annotations.NullMarked;

/**
 * Checks of the parameters of tools against JSON Schemas, by the validator of networknt.
 *
 * <pre>{@code
 * Replay.of(session)
 *     .mode(ReplayMode.TOOLS_LIVE)
 *     .tool("read_file", Effect.PURE, readFile)
 *     .check("read_file", JsonSchemas.compiler().compile(schema))
 *     .recordedSchemas(JsonSchemas.compiler()); // for tools without a check of their own
 * }</pre>
 *
 * <p>This package requires {@code replay-engine} and {@code com.networknt:json-schema-validator}
 * 1.5, which are optional dependencies of its module.
 */
@NullMarked
package dev.agentreplay.jackson.schema;

import org.jspecify.annotations.NullMarked;

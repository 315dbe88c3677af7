/**
 * JSON text, its canonical form, and hashes that other languages agree on.
 *
 * <pre>{@code
 * JsonValue value = JsonText.parse("{\"b\": 1, \"a\": 1e2}");
 * CanonicalJson.SERDE.text(value); // {"a":100.0,"b":1}
 * CanonicalJson.SERDE.hash(value); // sha256:...
 * }</pre>
 *
 * <p>{@link dev.agentreplay.canonical.JsonText} reads RFC 8259 JSON in strict UTF-8: no byte order
 * mark, no overlong or surrogate encodings, no lone surrogates, no duplicate names, no numbers
 * beyond the range of a double, nothing after the value, nothing nested deeper than
 * {@link dev.agentreplay.model.json.JsonValue#MAX_DEPTH}.
 * {@link dev.agentreplay.canonical.CanonicalJson} writes the one form of a value that is hashed;
 * docs/format.md describes it. All methods are safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.canonical;

import org.jspecify.annotations.NullMarked;

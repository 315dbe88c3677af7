/**
 * JSON text, its canonical forms, and hashes that other languages agree on.
 *
 * <pre>{@code
 * JsonValue value = JsonText.parse("{\"b\": 1, \"a\": 1e2}");
 * CanonicalJson.SERDE.text(value); // {"a":100.0,"b":1}
 * CanonicalJson.JCS.text(value); // {"a":100,"b":1}
 * CanonicalJson.SERDE.hash(value); // sha256:...
 * }</pre>
 *
 * <p>{@link dev.agentreplay.canonical.JsonText} reads RFC 8259 JSON in strict UTF-8: no byte order
 * mark, no overlong or surrogate encodings, no lone surrogates, no duplicate names, no numbers
 * beyond the range of a double, nothing after the value, and nothing beyond
 * {@link dev.agentreplay.canonical.JsonLimits}. {@link dev.agentreplay.canonical.CanonicalJson}
 * makes the one form of a value, or of the value in a text, that is hashed; in which of three ways
 * a {@link dev.agentreplay.canonical.Canonicalization} says, and docs/format.md describes.
 * {@link dev.agentreplay.canonical.HashExplanation} tells how a hash was made that does not fit.
 *
 * <p>Bad text is a {@link dev.agentreplay.canonical.JsonSyntaxException} with the offset of the
 * byte that is wrong. All methods are safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.canonical;

import org.jspecify.annotations.NullMarked;

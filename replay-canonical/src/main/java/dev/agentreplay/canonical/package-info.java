/**
 * Strict JSON reading, canonical JSON, and SHA-256 hashes that implementations in other languages
 * compute identically.
 *
 * <pre>{@code
 * JsonValue value = JsonText.parse("{\"b\": 1, \"a\": 1e2}");
 * CanonicalJson.SERDE.text(value); // {"a":100.0,"b":1}
 * CanonicalJson.JCS.text(value); // {"a":100,"b":1}
 * CanonicalJson.SERDE.hash(value); // sha256:...
 * }</pre>
 *
 * <p>{@link dev.agentreplay.canonical.JsonText} reads RFC 8259 JSON in strict UTF-8. It rejects a
 * byte order mark, overlong or surrogate encodings, lone surrogates, duplicate names, numbers
 * beyond the range of a double, any text after the value, and anything beyond
 * {@link dev.agentreplay.canonical.JsonLimits}. A {@link dev.agentreplay.canonical.DocumentParser}
 * reads many short texts faster.
 *
 * <p>{@link dev.agentreplay.canonical.CanonicalJson} writes the canonical form of a value, or of
 * the value in a JSON text, and hashes it. A {@link dev.agentreplay.canonical.Canonicalization}
 * selects one of three canonical forms; one of them is the JSON Canonicalization Scheme (RFC 8785).
 * {@code docs/format.md} specifies all three. If a stated hash does not match its value,
 * {@link dev.agentreplay.canonical.HashExplanation} finds out whether a known producer convention
 * explains it.
 *
 * <p>Invalid text is reported as a {@link dev.agentreplay.canonical.JsonSyntaxException} with the
 * offset of the offending byte. Classes are safe for use by several threads unless their
 * documentation says otherwise.
 */
@NullMarked
package dev.agentreplay.canonical;

import org.jspecify.annotations.NullMarked;

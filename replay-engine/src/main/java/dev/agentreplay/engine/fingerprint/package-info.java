/**
 * Fingerprints of divergences: hashes of what identifies a difference, and of what it changed to.
 * Internal to the module; {@code docs/diffing.md} has the formula.
 */
@NullMarked
package dev.agentreplay.engine.fingerprint;

import org.jspecify.annotations.NullMarked;

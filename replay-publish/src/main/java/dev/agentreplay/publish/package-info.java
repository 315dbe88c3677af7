/**
 * Publishes sessions: redacted copies whose values can be verified, and disclosures of single
 * values.
 */
@NullMarked
package dev.agentreplay.publish;

import org.jspecify.annotations.NullMarked;

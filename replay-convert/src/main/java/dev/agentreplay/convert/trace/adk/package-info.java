/**
 * Reads what the Agent Development Kit of Google writes: the recordings of its plugin for
 * conformance tests, in YAML, and sessions, in YAML or JSON.
 */
@NullMarked
package dev.agentreplay.convert.trace.adk;

import org.jspecify.annotations.NullMarked;

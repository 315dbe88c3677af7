/**
 * Isolation of programs: a {@link dev.agentreplay.sandbox.Sandbox} starts them so that they see
 * only what its {@link dev.agentreplay.sandbox.SandboxOptions options} name, have no network, and
 * leave nothing behind. What a machine can isolate is found by running probes.
 */
@NullMarked
package dev.agentreplay.sandbox;

import org.jspecify.annotations.NullMarked;

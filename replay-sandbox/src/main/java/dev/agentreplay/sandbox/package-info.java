/**
 * Isolation of programs: a {@link dev.agentreplay.sandbox.Sandbox} starts them so that they see
 * only what its {@link dev.agentreplay.sandbox.SandboxOptions options} name, have no network, and
 * leave nothing behind. What a machine can isolate is found by running probes. On Linux,
 * {@link dev.agentreplay.sandbox.Bubblewrap} finds the sandbox.
 *
 * <p>A {@link dev.agentreplay.sandbox.SandboxedProcess#fault fault} separates a sandbox that could
 * not be set up, a program that was not started and a limit that was reached from the results of a
 * program. Closing the process kills all that it has started.
 */
@NullMarked
package dev.agentreplay.sandbox;

import org.jspecify.annotations.NullMarked;

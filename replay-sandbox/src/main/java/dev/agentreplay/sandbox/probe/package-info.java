/**
 * Probes of a {@link dev.agentreplay.sandbox.Sandbox}:
 * {@link dev.agentreplay.sandbox.probe.SandboxProbes} starts a real program in it, which tries to
 * reach this machine, and {@link dev.agentreplay.sandbox.probe.SandboxReport} has the results.
 *
 * <pre>{@code
 * SandboxReport report = SandboxProbes.run(Bubblewrap.find(), ProbeSet.FULL);
 * report.gaps().forEach(result -> System.out.println(result.aspect().id() + ": " + result.detail()));
 * }</pre>
 *
 * <p>An aspect is enforced only if the same attempt succeeded outside the sandbox, the program was
 * seen to work inside, and the attempt failed there. Otherwise it is open or inconclusive.
 */
@NullMarked
package dev.agentreplay.sandbox.probe;

import org.jspecify.annotations.NullMarked;

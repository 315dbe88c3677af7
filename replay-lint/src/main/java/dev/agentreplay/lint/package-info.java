/**
 * Checks without running them whether agents are deterministic: whether they take times, random
 * numbers, ids and other values that differ from run to run from their context, so that a replay
 * can return the recorded ones.
 *
 * <pre>{@code
 * DeterminismReport report = DeterminismScan.of(Path.of("target/classes")).check();
 * for (DeterminismFinding finding : report.findings()) {
 *   System.out.println(finding); // clock java.time.Instant.now() at com.acme.Agent.run(Agent.java:7)
 * }
 * }</pre>
 *
 * <p>A scan follows calls from entry points, by default the methods of each {@code ReplayAgent} and
 * those that take an {@code AgentScope}, a {@code DeterministicContext} or a
 * {@code SessionRecorder}. The bodies of tools and models are boundaries: what they do is recorded.
 * The patterns of {@link dev.agentreplay.lint.pattern.LintPatterns} decide on calls of the JDK and
 * other libraries.
 *
 * <p>A scan cannot prove that an agent is deterministic: reflection, native code, values that the
 * agent gets from outside, and the code of libraries that are not scanned, are not followed.
 *
 * <p>All types are immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.lint;

import org.jspecify.annotations.NullMarked;

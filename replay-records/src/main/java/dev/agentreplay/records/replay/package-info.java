/**
 * The replay of session records (specification 004, "Replay Modes"): agents run again, or another
 * record of the session is given, and each message is compared with the recorded one.
 *
 * <pre>{@code
 * SessionReplayResult result = SessionReplay.of(record).texts(texts).agents(runner).run();
 * System.out.println(result.report().conclusion());
 * }</pre>
 */
@NullMarked
package dev.agentreplay.records.replay;

import org.jspecify.annotations.NullMarked;

/**
 * Tests against recorded sessions.
 *
 * <p>Sessions that are checked in are verified in one line, or one by one:
 *
 * <pre>{@code
 * @Test
 * void recordings_are_as_they_were_written() {
 *   Replays.verify(Path.of("src/test/resources/sessions"));
 * }
 *
 * @ParameterizedTest
 * @ReplaySessionSource("sessions/*")
 * void nothing_fails(Session session) {
 *   assertThat(session).isVerified().hasNoFailedToolResults();
 * }
 * }</pre>
 *
 * <p>A test runs the agent and records it, says what must hold, and compares with what was recorded
 * before:
 *
 * <pre>{@code
 * @Test
 * @ReplaySession("sessions/fixes-the-greeting")
 * void fixes_the_greeting(Session recording, SessionRecorder recorder) throws Exception {
 *   runAgent(recorder);
 *   assertThat(recorder)
 *       .isVerified()
 *       .hasToolCalls("list_files", "read_file", "write_file")
 *       .hasNoFailedToolResults()
 *       .matches(recording, ignoring(timestamps()));
 * }
 * }</pre>
 *
 * <p>The first run fails: there is no recording yet. What the test has recorded lies beside its
 * place, {@code src/test/resources/sessions/fixes-the-greeting.received}, and the failure ends with
 * the command that accepts it. When the agent does something else later, the test fails with what
 * differs, and with the command that makes this the recording. Where the environment variable
 * {@code CI} is set, tests write no recordings. {@link dev.agentreplay.junit.ReplaySession} says it
 * all, with the properties that change it. What nobody has accepted should not be checked in:
 * {@code *.received/} belongs into {@code .gitignore}.
 *
 * <p>A test that fails publishes a page for a browser, the comparison or the session, as an
 * artifact of the test, and prints its address.
 *
 * <p>{@link dev.agentreplay.junit.ReplayAssertions} is where assertions begin,
 * {@link dev.agentreplay.junit.SessionAssert} and {@link dev.agentreplay.junit.ToolCallAssert} say
 * which there are. {@link dev.agentreplay.junit.BddReplayAssertions} has them as {@code then},
 * {@link dev.agentreplay.junit.ReplaySoftAssertions} collects what fails:
 *
 * <pre>{@code
 * ReplaySoftAssertions.assertSoftly(softly -> {
 *   softly.assertThat(session).endsWith(Status.SUCCESS);
 *   softly.assertThat(session).toolCall("tc_1").hasParam("/path", "a.txt").succeeded();
 * });
 * }</pre>
 *
 * <p>Tests may run at the same time, in one process or several. An assertion is for one thread.
 */
@NullMarked
package dev.agentreplay.junit;

import org.jspecify.annotations.NullMarked;

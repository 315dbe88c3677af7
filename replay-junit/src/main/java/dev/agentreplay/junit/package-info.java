/**
 * Snapshot tests of AI agents for JUnit and AssertJ. A test records each run of the agent and
 * compares it with an accepted recording, the golden file, that is checked in with the tests. This
 * is also known as approval testing or golden master testing.
 *
 * <p>The smallest snapshot test:
 *
 * <pre>{@code
 * @Test
 * @ReplaySession("sessions/greeting")
 * void greets(Session recording, SessionRecorder recorder) throws Exception {
 *   runAgent(recorder);
 *   assertThat(recorder).matches(recording);
 * }
 * }</pre>
 *
 * <p>The first run fails, because there is no golden file yet. The session that the test recorded
 * is next to the place of the golden file, in
 * {@code src/test/resources/sessions/greeting.received}, and the failure message ends with the
 * command that accepts it. When the agent later behaves differently, the test fails with the
 * differences and with the command that accepts the new session. Tests write no recordings if the
 * environment variable {@code CI} is set. {@link dev.agentreplay.junit.ReplaySession} specifies the
 * workflow, and the properties that change it. Received sessions should not be checked in: add
 * {@code *.received/} to {@code .gitignore}.
 *
 * <p>Assertions on single properties complement the comparison, and rules exclude values that
 * differ between any two runs:
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
 * <p>Texts that a rule calls close are minor divergences; {@code failingFrom} names the severity
 * from which a test fails:
 *
 * <pre>{@code
 * assertThat(session).matches(
 *     recording, comparing(FuzzyText.atLeast(0.7)).failingFrom(DivergenceSeverity.MODERATE));
 * }</pre>
 *
 * <p>A file {@code replay.rules} in the folder of recordings, in the directory of a recording or in
 * one between applies to the tests of that recording, also to {@code assertThatRuns}, and is the
 * same for {@code replay diff --rules}; {@link dev.agentreplay.engine.rules.RulesFile} documents
 * it. Several runs are compared with each other without a recording:
 *
 * <pre>{@code
 * assertThatRuns(runs).agreeInAtLeast(0.9, ignoring(timestamps()));
 * }</pre>
 *
 * <p>Recordings that are checked in can be verified all at once, or one by one:
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
 * <p>A test that runs a {@link dev.agentreplay.engine.replay.Replay} itself checks its report:
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(agent);
 * assertThat(report).isIdentical().hasServed(3);
 * }</pre>
 *
 * <p>A test that fails publishes an HTML page with JUnit ({@code publishDirectory}), with the
 * comparison or else with the session, and prints the address of the page.
 *
 * <p>{@link dev.agentreplay.junit.ReplayAssertions} is the entry point of all assertions, which are
 * methods of {@link dev.agentreplay.junit.SessionAssert},
 * {@link dev.agentreplay.junit.ToolCallAssert}, {@link dev.agentreplay.junit.RunsAssert} and
 * {@link dev.agentreplay.junit.ReplayReportAssert}.
 * {@link dev.agentreplay.junit.BddReplayAssertions} offers the same as {@code then},
 * {@link dev.agentreplay.junit.ReplaySoftAssertions} collects failures:
 *
 * <pre>{@code
 * ReplaySoftAssertions.assertSoftly(softly -> {
 *   softly.assertThat(session).endsWith(Status.SUCCESS);
 *   softly.assertThat(session).toolCall("tc_1").hasParam("/path", "a.txt").succeeded();
 * });
 * }</pre>
 *
 * <p>Tests may run in parallel, in one process or several. An assertion object is for use by one
 * thread.
 */
@NullMarked
package dev.agentreplay.junit;

import org.jspecify.annotations.NullMarked;

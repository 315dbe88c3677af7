package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.MultipleFailuresError;

/** The report entries of a test that fails. The classes at the end are run by those above. */
class MismatchReportsTest {

  private final TestRun run;

  MismatchReportsTest(@TempDir Path root) {
    run = new TestRun(root);
  }

  private Throwable failure(Class<?> test) throws IOException {
    run.record("one", "hello");
    run.record("other", "good day");
    List<Throwable> failures = TestRun.failures(run.of(test));
    assertThat(failures).hasSize(1);
    return failures.get(0);
  }

  private String published(String name) throws IOException {
    return Files.readString(run.published().resolve("replay").resolve(name));
  }

  @Test
  void comparison_is_published() throws Exception {
    assertThat(failure(Differs.class)).isInstanceOf(SessionMismatchError.class);
    assertThat(TestRun.files(run.published())).containsExactly("replay/report.html");
    assertThat(published("report.html")).contains("<html").contains("hello").contains("good day");
    assertThat(published("report.html"))
        .contains("<title>recorded one and actual one</title>")
        .contains("\"sides\":[\"recorded\",\"actual\"]");
  }

  @Test
  void pages_of_an_earlier_run_do_not_hinder() throws Exception {
    Path earlier = Files.createDirectories(run.published().resolve("replay"));
    Files.writeString(earlier.resolve("report.html"), "stale");
    Files.writeString(earlier.resolve("report-2.html"), "stale");
    Files.writeString(earlier.resolve("session.html"), "stale");
    assertThat(failure(Differs.class).getSuppressed()).isEmpty();
    List<String> pages = TestRun.files(run.published());
    if (pages.contains("replay-2/report.html")) { // before JUnit 5.14
      assertThat(published("../replay-2/report.html")).contains("good day");
    } else {
      assertThat(pages).containsExactly("replay/report.html");
      assertThat(published("report.html")).contains("good day");
    }
  }

  @Test
  void session_of_a_test_that_fails_otherwise_is_published_itself() throws Exception {
    assertThat(failure(IsMissing.class)).isNotInstanceOf(SessionMismatchError.class);
    assertThat(TestRun.files(run.published())).containsExactly("replay/session.html");
    assertThat(published("session.html")).contains("<html").contains("bonjour");
  }

  @Test
  void each_of_several_is_published() throws Exception {
    failure(Several.class);
    assertThat(TestRun.files(run.published()))
        .containsExactly("replay/report-2.html", "replay/report-3.html", "replay/report.html");
  }

  @Test
  void mismatches_of_soft_assertions_are_found() throws Exception {
    SessionMismatchError mismatch = mismatch();
    SoftAssertions softly = new SoftAssertions();
    softly.collectAssertionError(mismatch);
    softly.assertThat(1).isEqualTo(2);
    assertThat(softly.wasSuccess()).isFalse();
    try {
      softly.assertAll();
    } catch (AssertionError e) {
      assertThat(MismatchReports.mismatches(e)).hasSize(1);
    }
  }

  @Test
  void mismatch_in_a_cycle_of_failures_is_found_once() throws Exception {
    SessionMismatchError mismatch = mismatch();
    IllegalStateException failure = new IllegalStateException(mismatch);
    mismatch.addSuppressed(failure);
    assertThat(MismatchReports.mismatches(failure)).containsExactly(mismatch);
  }

  @Test
  void failure_to_publish_does_not_hide_that_of_the_test() throws Exception {
    Files.createFile(run.published());
    Throwable failure = failure(Differs.class);
    assertThat(failure).isInstanceOf(SessionMismatchError.class);
    assertThat(failure.getSuppressed()).hasSize(1);
  }

  @Test
  void nothing_is_published_of_a_test_that_records_nothing() throws Exception {
    failure(Otherwise.class);
    assertThat(run.published()).doesNotExist();
  }

  private SessionMismatchError mismatch() throws IOException {
    return mismatch(
        Session.open(run.record("one", "hello")), Session.open(run.record("other", "good day")));
  }

  private static SessionMismatchError mismatch(Session recording, Session actual)
      throws IOException {
    return new SessionMismatchError(
        new AssertionError("differs"), SessionDiff.between(recording, actual), recording, actual);
  }

  static class Differs {
    @Test
    void test(@ReplaySession("one") Session one, @ReplaySession("other") Session other)
        throws IOException {
      throw mismatch(one, other);
    }
  }

  @ReplaySession
  static class IsMissing {
    @Test
    void test(SessionRecorder recorder) throws IOException {
      recorder.call("say", JsonObject.of("word", "bonjour"));
      throw new AssertionError("is missing");
    }
  }

  static class Several {
    @Test
    void test(@ReplaySession("one") Session one, @ReplaySession("other") Session other)
        throws IOException {
      AssertionError failure = new AssertionError("one", mismatch(one, other));
      failure.addSuppressed(
          new MultipleFailuresError("two", List.of(mismatch(one, other), mismatch(other, one))));
      throw failure;
    }
  }

  @ReplaySession("one")
  static class Otherwise {
    @Test
    void test(Session one) {
      throw new AssertionError("not this");
    }
  }
}

package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** The report on recordings that no test uses. */
@ResourceLock(Resources.SYSTEM_OUT)
class UnusedRecordingsTest {

  private final TestRun run;
  private EngineExecutionResults results;
  private String filter = "";

  UnusedRecordingsTest(@TempDir Path root) {
    run = new TestRun(root);
  }

  /** The output of a test run. */
  private String printed(String unused) {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      results = run.builder(Asks.class)
          .configurationParameter("replay.unused", unused)
          .configurationParameter("test", filter)
          .execute();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void record(String... names) throws Exception {
    for (String name : names) {
      run.record(name, "hello");
    }
  }

  @Test
  void they_are_listed_when_the_tests_have_run() throws Exception {
    record("one", "all/a", "left", "left/over", "one.received");
    assertThat(printed("report"))
        .isEqualToNormalizingNewlines("replay: unused recordings in %s: 2%n  left%n  %s%n"
            .formatted(run.recordings(), Path.of("left", "over")));
    assertThat(TestRun.failures(results)).isEmpty();
  }

  @Test
  void nothing_is_printed_when_some_methods_are_left_out() throws Exception {
    record("one", "all/a", "left");
    filter = "Asks#one";
    assertThat(printed("fail")).isEmpty();
    assertThat(TestRun.failures(results)).isEmpty();
  }

  @Test
  void they_fail_the_run() throws Exception {
    record("one", "all/a", "left");
    assertThat(printed("fail")).isEmpty();
    assertThat(TestRun.failures(results)).singleElement().satisfies(failure -> assertThat(failure)
        .hasMessageEndingWith("  left"));
  }

  @Test
  void none_is_nothing_to_say() throws Exception {
    record("one", "all/a");
    assertThat(printed("fail")).isEmpty();
    assertThat(TestRun.failures(results)).isEmpty();
  }

  @Test
  void nothing_is_printed_by_default() throws Exception {
    record("one", "all/a", "left");
    assertThat(printed("none")).isEmpty();
    assertThat(TestRun.failures(results)).isEmpty();
  }

  static class Asks {
    @Test
    @ReplaySession("one")
    void one(Session recording) {}

    @ParameterizedTest
    @ReplaySessionSource("all/*")
    void all(Session recording) {}
  }
}

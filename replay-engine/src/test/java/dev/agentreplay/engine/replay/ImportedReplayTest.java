package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.ImportOptions;
import dev.agentreplay.convert.trace.OpenTrace;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A session that was imported is replayed by an agent that makes the requests of its trace. */
class ImportedReplayTest {

  private static final Path TRACES = Path.of("../replay-convert/src/test/resources/traces");

  @TempDir
  private Path directory;

  static List<Path> traces() throws IOException {
    try (Stream<Path> files = Files.walk(TRACES, 2)) {
      return files
          .filter(file -> file.getNameCount() == TRACES.getNameCount() + 2)
          .filter(OpenTrace::isTrace)
          .filter(file -> !file.endsWith("no_samples.json")) // it has no session
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("traces")
  void all_requests_are_served(Path trace) throws Exception {
    Path out = directory.resolve("session");
    TraceImporter.of(ImportOptions.defaults()).importFile(trace, out);
    for (Path each : sessions(out)) {
      requireServed(Session.open(each));
    }
  }

  private static List<Path> sessions(Path out) throws IOException {
    if (Files.exists(out.resolve(Session.LOG_NAME))) {
      return List.of(out);
    }
    try (Stream<Path> each = Files.list(out)) {
      return each.sorted().toList();
    }
  }

  private static void requireServed(Session session) throws Exception {
    RepeatingAgent agent = new RepeatingAgent(session);
    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(agent);

    // a call that the trace leaves open has no answer that could be served; the agent of this test
    // succeeds always
    List<String> kinds =
        report.divergences().stream().map(ReplayDivergence::kind).toList();
    assertThat(kinds).allMatch(kind -> kind.equals("UNDECIDED") || kind.equals("END"));
    assertThat(report.missed())
        .isEqualTo(kinds.stream().filter(kind -> kind.equals("UNDECIDED")).count());
    assertThat(report.requests()).isEqualTo(agent.lines.size());
    ReplayReport.ExchangeCounts exchanges = report.exchanges();
    assertThat(exchanges.served() + exchanges.unread()).isEqualTo(exchanges.recorded());
  }
}

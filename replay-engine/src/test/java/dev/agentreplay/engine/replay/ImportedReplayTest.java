package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.ImportOptions;
import dev.agentreplay.convert.trace.OpenTrace;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ToolResult;
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

  /** The number of calls without a result. */
  private static long open(Session session) throws IOException {
    long open = 0;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        boolean isResult =
            line.event() instanceof ToolResult || line.event() instanceof ModelResult;
        open += line.event().callId() == null ? 0 : isResult ? -1 : 1;
      }
    }
    return open;
  }

  private static void requireServed(Session session) throws Exception {
    RepeatingAgent agent = new RepeatingAgent(session);
    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(agent);

    // a call that the trace leaves open has no answer that could be served
    assertThat(report.divergences()).allMatch(found -> found.kind().equals("UNDECIDED"));
    assertThat(report.missed()).isEqualTo(open(session));
    assertThat(report.requests()).isEqualTo(agent.lines.size());
    ReplayReport.ExchangeCounts exchanges = report.exchanges();
    assertThat(exchanges.served() + exchanges.unread()).isEqualTo(exchanges.recorded());
    // a trace without a statement of its end leaves the replay incomplete
    assertThat(report.verdict()).isIn(ReplayVerdict.INCOMPLETE, ReplayVerdict.IDENTICAL);
  }
}

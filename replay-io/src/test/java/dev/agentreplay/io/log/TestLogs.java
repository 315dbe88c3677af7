package dev.agentreplay.io.log;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.testkit.LogLines;
import dev.agentreplay.testkit.TestSessions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Small logs, and what reading them to the end yields. */
public final class TestLogs {

  public static final String HEADER = LogLines.HEADER;

  public static final String STEP = LogLines.STEP;

  /** A line that was read, or refused: then code is not null, and position that of the byte. */
  record Outcome(FindingCode code, Position position, String text) {}

  private TestLogs() {}

  /** The first line of a recorded session, with its line feed. */
  public static String firstLine() throws IOException {
    try (Stream<String> lines =
        Files.lines(TestSessions.bundled().get(0).resolve(Session.LOG_NAME))) {
      return lines.findFirst().orElseThrow() + "\n";
    }
  }

  public static byte[] bytes(String text) {
    return LogLines.bytes(text);
  }

  public static ReplayReader reader(byte[] log) {
    return ReplayReader.of(new ByteArrayInputStream(log), "test.jsonl");
  }

  public static List<Outcome> readAll(byte[] log) throws IOException {
    return readAll(new ByteArrayInputStream(log));
  }

  public static List<Outcome> readAll(InputStream in) throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    try (ReplayReader reader = ReplayReader.of(in, "test.jsonl")) {
      while (true) {
        try {
          ReplayLine line = reader.read();
          if (line == null) {
            return outcomes;
          }
          String raw = new String(line.bytes(), StandardCharsets.UTF_8);
          outcomes.add(new Outcome(null, line.position(), raw));
        } catch (ReplayFormatException e) {
          outcomes.add(new Outcome(e.code(), e.position(), e.toFinding().message()));
        }
      }
    }
  }
}

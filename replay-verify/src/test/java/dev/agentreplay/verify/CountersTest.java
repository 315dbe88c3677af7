package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.testkit.TestSessions;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** After any change to its lines, a session is verified, and the counters add up. */
class CountersTest {

  private static Path directory;

  @BeforeContainer
  static void createDirectory() throws IOException {
    directory = Files.createTempDirectory("counters");
  }

  @AfterContainer
  static void deleteDirectory() throws IOException {
    Files.deleteIfExists(directory.resolve("log"));
    Files.delete(directory);
  }

  @Property
  void counters_close_for_any_lines(
      @ForAll("sessions") Path source,
      @ForAll("sessions") Path receiptOf,
      @ForAll @IntRange(max = 4) int mutations,
      @ForAll @IntRange(max = 3) int receipt,
      @ForAll Random random)
      throws IOException {
    List<byte[]> lines = lines(source);
    for (int i = 0; i < mutations && !lines.isEmpty(); i++) {
      mutate(lines, random);
    }
    Path log = write(lines, random.nextInt(5) == 0);
    // mostly its own receipt, sometimes that of another session, sometimes none
    Path receiptFile =
        receipt == 0 ? null : (receipt == 1 ? receiptOf : source).resolve(Session.RECEIPT_NAME);

    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(new Session(log, receiptFile));

    close(report, Counter.EVENTS, Counter.KNOWN_EVENTS, Counter.UNKNOWN_EVENTS);
    close(
        report,
        Counter.TOOL_CALLS,
        Counter.PARAMS_HASHES_VERIFIED,
        Counter.PARAMS_HASHES_MISMATCHED,
        Counter.PARAMS_HASHES_UNVERIFIABLE,
        Counter.PARAMS_HASHES_MISSING);
    close(
        report,
        Counter.TOOL_RESULTS,
        Counter.OUTPUT_HASHES_VERIFIED,
        Counter.OUTPUT_HASHES_MISMATCHED,
        Counter.OUTPUT_HASHES_UNVERIFIABLE,
        Counter.OUTPUT_HASHES_MISSING);
    boolean supported = report.count(FindingCode.UNSUPPORTED_VERSION) == 0;
    if (supported) {
      assertThat(report.count(Counter.EVENTS) + report.count(Counter.UNREADABLE_LINES))
          .isEqualTo(numberOfLines(log));
    }
    if (supported && report.count(Counter.UNREADABLE_LINES) == 0) {
      close(
          report,
          Counter.RECEIPT_CALLS,
          Counter.RECEIPT_CALLS_MATCHED,
          Counter.RECEIPT_CALLS_MISMATCHED,
          Counter.RECEIPT_CALLS_MISSING);
      if (receiptFile != null) {
        close(
            report,
            Counter.ANSWERED_CALLS,
            Counter.RECEIPT_CALLS_MATCHED,
            Counter.RECEIPT_CALLS_MISMATCHED,
            Counter.RECEIPT_CALLS_UNEXPECTED);
      }
    }
    boolean unreadable = report.findingCounts().keySet().stream()
        .anyMatch(code -> code.severity() == Severity.UNREADABLE);
    assertThat(report.verdict() == Verdict.UNREADABLE).isEqualTo(unreadable);
  }

  @Provide
  Arbitrary<Path> sessions() {
    return Arbitraries.of(TestSessions.directories(TestSessions.bundled("sessions")));
  }

  private static void close(VerificationReport report, Counter whole, Counter... parts) {
    assertThat(Stream.of(parts).mapToLong(report::count).sum())
        .as("%s of %s", whole, report.counts())
        .isEqualTo(report.count(whole));
  }

  private static void mutate(List<byte[]> lines, Random random) {
    int i = random.nextInt(lines.size());
    int j = random.nextInt(lines.size());
    switch (random.nextInt(5)) {
      case 0 -> lines.remove(i);
      case 1 -> lines.add(j, lines.get(i));
      case 2 -> Collections.swap(lines, i, j);
      case 3 -> {
        byte[] line = lines.get(i).clone();
        line[random.nextInt(line.length)] = (byte) (' ' + random.nextInt(95));
        lines.set(i, line);
      }
      default -> {
        // an edit that keeps the line an object
        String line = new String(lines.get(i), StandardCharsets.UTF_8);
        String[] names = {
          "id",
          "step_id",
          "params",
          "params_hash",
          "output",
          "output_hash",
          "event",
          "type",
          "replay_version",
          "t",
          "ts",
          "latency_ms"
        };
        String name = names[random.nextInt(names.length)];
        String edited = line.replace("\"" + name + "\":", "\"other\":");
        lines.set(i, edited.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static List<byte[]> lines(Path session) throws IOException {
    List<byte[]> lines = new ArrayList<>();
    for (String line : Files.readAllLines(session.resolve(Session.LOG_NAME))) {
      lines.add(line.getBytes(StandardCharsets.UTF_8));
    }
    return lines;
  }

  private static Path write(List<byte[]> lines, boolean withoutLastFeed) throws IOException {
    Path log = directory.resolve("log");
    try (var out = Files.newOutputStream(log)) {
      for (int i = 0; i < lines.size(); i++) {
        out.write(lines.get(i));
        if (i < lines.size() - 1 || !withoutLastFeed) {
          out.write('\n');
        }
      }
    }
    return log;
  }

  private static long numberOfLines(Path log) throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    long feeds = 0;
    for (byte b : bytes) {
      feeds += b == '\n' ? 1 : 0;
    }
    return bytes.length == 0 || bytes[bytes.length - 1] == '\n' ? feeds : feeds + 1;
  }
}

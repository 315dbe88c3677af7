package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.TestLogs.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/** Wherever a log is cut into segments, it reads as the whole. */
class LogSegmentsPropertiesTest {

  private Path directory;

  @BeforeTry
  void create() throws IOException {
    directory = Files.createTempDirectory("segments");
  }

  @AfterTry
  void delete() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Property(tries = 300)
  void any_cuts_into_segments_yield_the_lines_of_the_whole(
      @ForAll("logs") byte[] whole, @ForAll("cuts") List<Integer> cuts) throws IOException {
    Path log = directory.resolve("log");
    int from = 0;
    int segment = 1;
    for (int cut : cuts.stream().sorted().toList()) {
      int to = Math.min(cut, whole.length);
      Files.write(LogSegments.file(log, segment++), Arrays.copyOfRange(whole, from, to));
      from = to;
    }
    Files.write(LogSegments.file(log, segment), Arrays.copyOfRange(whole, from, whole.length));

    assertThat(TestLogs.readAll(LogSegments.open(log))).isEqualTo(TestLogs.readAll(whole));
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    try (RawLineReader reader = RawLineReader.open(log)) {
      for (RawLine line = reader.read(); line != null; line = reader.read()) {
        assertThat(line.position().offset()).isEqualTo(raw.size());
        line.writeTo(raw);
      }
    }
    assertThat(raw.toByteArray()).isEqualTo(whole);
    for (Outcome outcome : TestLogs.readAll(whole)) {
      if (outcome.code() == null) {
        try (ReplayReader reader =
            ReplayReader.openAt(log, outcome.position(), null, ReaderOptions.defaults())) {
          assertThat(new String(reader.read().bytes(), StandardCharsets.UTF_8))
              .isEqualTo(outcome.text());
        }
      }
    }
  }

  @Provide
  Arbitrary<byte[]> logs() {
    return Arbitraries.of(TestLogs.HEADER, TestLogs.STEP, "{}", "", "junk", "{\"a\":1")
        .list()
        .ofMaxSize(8)
        .flatMap(lines ->
            Arbitraries.of("", "\n").map(end -> TestLogs.bytes(String.join("\n", lines) + end)));
  }

  @Provide
  Arbitrary<List<Integer>> cuts() {
    return Arbitraries.integers().between(0, 700).list().ofMaxSize(6);
  }
}

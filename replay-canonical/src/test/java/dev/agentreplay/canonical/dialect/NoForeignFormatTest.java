package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No line of a log is taken for something else. */
class NoForeignFormatTest {

  static Stream<GoldenPair> pairs() {
    return GoldenPair.all();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void line_of_any_kind_is_not_foreign(GoldenPair pair) {
    assertNotForeign(pair.line());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void line_that_lacks_any_member_but_its_tag_is_not_foreign(GoldenPair pair) {
    JsonObject line = Lines.object(pair.line());
    for (String name : line.names()) {
      if (!name.equals(Lines.tagName(pair.dialect()))) {
        assertThat(ForeignFormat.recognize(line.without(name))).as(name).isNull();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void line_that_is_cut_anywhere_is_not_foreign(GoldenPair pair) {
    byte[] line = pair.line().getBytes(StandardCharsets.UTF_8);
    for (int end = 0; end < line.length; end++) {
      assertThat(ForeignFormat.recognize(line, 0, end)).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tau-bench", "openagents-stream", "draft-002", "tampered"})
  void line_of_the_corpus_is_not_foreign(String set) throws IOException {
    Path corpus = Path.of(System.getProperty("replay.shared", ""), "corpus", set);
    Assumptions.assumeTrue(Files.isDirectory(corpus), () -> "skipped: no corpus at " + corpus);
    List<Path> logs;
    try (Stream<Path> files = Files.walk(corpus)) {
      logs = files.filter(file -> file.endsWith("REPLAY.jsonl")).toList();
    }
    assertThat(logs).isNotEmpty();
    for (Path log : logs) {
      byte[] bytes = Files.readAllBytes(log);
      assertThat(ForeignFormat.recognize(bytes, 0, bytes.length)).as("%s", log).isNull();
      if (!set.equals("tampered")) {
        Files.readAllLines(log).forEach(NoForeignFormatTest::assertNotForeign);
      }
    }
  }

  @Test
  void receipts_are_foreign() {
    assertThat(ForeignFormat.recognize(JsonObject.of("session_id", "s", "tool_calls", List.of())))
        .isNotNull();
  }

  private static void assertNotForeign(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    assertThat(ForeignFormat.recognize(Lines.object(line))).as(line).isNull();
    assertThat(ForeignFormat.recognize(bytes, 0, bytes.length)).as(line).isNull();
  }
}

package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command over a corpus of recorded sessions, where there is one. */
@Tag("slow")
class CorpusTest {

  private static final Path CORPUS =
      Path.of(System.getProperty("replay.shared", "../../shared")).resolve("corpus");

  @BeforeAll
  static void corpusIsThere() {
    assumeTrue(Files.isDirectory(CORPUS), "skipped: there is no corpus at " + CORPUS);
  }

  static Stream<String> sessions() throws IOException {
    return Stream.of(
            directories("tau-bench"), directories("openagents-stream"), directories("draft-002"))
        .flatMap(names -> names);
  }

  static Stream<String> tampered() throws IOException {
    return rows("tampered/CASES.tsv").map(row -> row[0]);
  }

  static Stream<List<String>> pairs() throws IOException {
    return rows("PAIRS.tsv").map(List::of);
  }

  @ParameterizedTest
  @MethodSource
  void sessions(String session) {
    Console console = Console.run("verify", CORPUS.resolve(session).toString());
    assertThat(console.exit()).as(console.out()).isZero();
  }

  @ParameterizedTest
  @MethodSource
  void tampered(String name) throws IOException {
    Path directory = CORPUS.resolve("tampered").resolve(name);
    JsonObject expected =
        JsonText.parse(Files.readAllBytes(directory.resolve("EXPECTED.json"))).asObject();

    Console console = Console.run("verify", directory.toString(), "--format", "json");

    JsonObject report = JsonText.parse(console.out()).asObject();
    assertThat(console.exit()).as(console.out()).isEqualTo((int)
        expected.at("/exit").asLong());
    assertThat(report.at("/finding_counts").asObject().names())
        .containsAll(
            expected.at("/codes").asArray().stream().map(JsonValue::asString).toList());
    if (!expected.at("/line").isNull()) {
      String code = name.replaceAll("-\\d+$", "").replace('-', '_').toUpperCase(Locale.ROOT);
      assertThat(report.at("/findings").asArray().stream())
          .anyMatch(finding -> finding.at("/code").asString().equals(code)
              && finding.at("/line").equals(expected.at("/line")));
    }
  }

  @ParameterizedTest
  @MethodSource
  void pairs(List<String> pair) {
    Console console = Console.run(
        "diff",
        CORPUS.resolve(pair.get(0)).toString(),
        CORPUS.resolve(pair.get(1)).toString(),
        "--format",
        "json");

    JsonValue first = JsonText.parse(console.out()).at("/first");
    long expected = Long.parseLong(pair.get(2));
    assertThat(first.isNull() ? -1 : first.at("/call").asLong()).isEqualTo(expected);
    assertThat(console.exit()).isEqualTo(expected < 0 ? 0 : 1);
  }

  @Test
  void sets_of_sessions_are_verified_at_once() {
    Console sound = Console.run(
        "verify",
        CORPUS.resolve("tau-bench").toString(),
        CORPUS.resolve("openagents-stream").toString(),
        CORPUS.resolve("draft-002").toString());
    assertThat(sound.exit()).as(sound.out()).isZero();
    assertThat(sound.out()).contains("82 sessions: 64 valid, 18 unverified\n");
    assertThat(sound.err()).isEmpty();

    Console tampered = Console.run("verify", CORPUS.resolve("tampered").toString());
    assertThat(tampered.exit()).isEqualTo(3);
    assertThat(tampered.out())
        .contains("115 sessions: 33 valid, 6 unverified, 64 invalid, 12 unreadable\n");
  }

  @Test
  void the_corpus_is_as_large_as_it_should_be() throws IOException {
    assertThat(sessions()).hasSize(82);
    assertThat(tampered()).hasSize(115);
    assertThat(pairs()).hasSize(90);
  }

  private static Stream<String> directories(String set) throws IOException {
    if (!Files.isDirectory(CORPUS)) {
      return Stream.empty();
    }
    try (Stream<Path> entries = Files.list(CORPUS.resolve(set))) {
      return entries.map(entry -> set + "/" + entry.getFileName()).sorted().toList().stream();
    }
  }

  private static Stream<String[]> rows(String file) throws IOException {
    if (!Files.isDirectory(CORPUS)) {
      return Stream.empty();
    }
    return Files.readAllLines(CORPUS.resolve(file)).stream()
        .skip(1)
        .map(row -> row.split("\t", -1));
  }
}

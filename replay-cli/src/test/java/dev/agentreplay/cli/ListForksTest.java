package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay list} of a directory with forks and replays. */
class ListForksTest {

  @TempDir
  private Path home;

  @BeforeEach
  void write() throws IOException {
    log("invoice", "{\"event\":\"ReplayHeader\",\"replay_version\":1}\n", "invoice", 1);
    fork("paid", "invoice", 2, "paid", "invoice-replay", 2);
    fork("late", "invoice", 2, "late", "invoice-late", 3);
    fork("of-paid", "paid", 3, "open", "second", 4);
    String replay = "{\"event\":\"ReplayHeader\",\"replay_of\":{\"mode\":\"mock\",\"session_id\":"
        + "\"gone\",\"tree_root\":\"sha256:%s\",\"tree_size\":9},\"replay_version\":1}\n";
    log("replayed", replay.formatted("0".repeat(64)), "again", 5);
  }

  private void fork(String name, String parent, int lines, String value, String id, int day)
      throws IOException {
    List<String> before = Files.readAllLines(home.resolve(parent).resolve("REPLAY.jsonl"));
    MerkleTree tree = new MerkleTree();
    before.subList(0, lines).forEach(line -> tree.add(line.getBytes(StandardCharsets.UTF_8)));
    String parentId = JsonText.parse(before.get(1)).at("/session_id").asString();
    String header = "{\"event\":\"ReplayHeader\",\"forked_from\":{\"changes\":[{\"change\":\"set\","
        + "\"line\":%d,\"pointer\":\"/output\",\"value\":\"%s\"}],\"session_id\":\"%s\","
        + "\"tree_root\":\"%s\",\"tree_size\":%d},\"replay_version\":1}\n";
    log(name, header.formatted(lines + 1, value, parentId, tree.head().root(), lines), id, day);
  }

  private void log(String name, String header, String id, int day) throws IOException {
    Path directory = Files.createDirectories(home.resolve(name));
    Files.writeString(
        directory.resolve("REPLAY.jsonl"),
        header
            + "{\"event\":\"SessionStart\",\"session_id\":\"%s\",\"t\":\"2026-01-0%dT10:00:00Z\",\"task\":\"Pay\"}\n"
                .formatted(id, day)
            + "{\"event\":\"SessionEnd\",\"status\":\"%s\",\"t\":\"2026-01-0%dT10:00:01Z\"}\n"
                .formatted(day == 1 ? "Failure" : "Success", day));
  }

  private String list(String... options) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    List<String> words = new ArrayList<>(List.of("list"));
    words.addAll(List.of(options));
    words.add(home.toString());
    Terminal terminal =
        new Terminal(InputStream.nullInputStream(), stream, stream, false, false, false, 140);
    Main.run(words.toArray(String[]::new), terminal);
    return out.toString(StandardCharsets.UTF_8);
  }

  /** The sessions of a list, each with the text after it. */
  private String names(String... options) {
    return list(options)
        .lines()
        .filter(line -> line.startsWith("success") || line.startsWith("failure"))
        .map(line -> line.replaceFirst("^\\S+ +\\S+ \\S+ +[\\d.]+ s +\\d+  ", ""))
        .map(line -> line.replaceAll("(?<=\\S)  +", "  "))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void forks_are_below_their_parents_with_their_points_and_changes() {
    assertThat(names())
        .isEqualTo(
            """
        again  mock replay of session gone: Pay
        invoice  Pay
        └ invoice-late  at line 3: set /output to "late"
        └ invoice-replay  at line 3: set /output to "paid"
          └ second  at line 4: set /output to "open\"""");
  }

  @Test
  void fork_whose_parent_is_not_listed_names_it() {
    assertThat(names("--status", "success", "--limit", "2"))
        .isEqualTo(
            """
        again  mock replay of session gone: Pay
        second  fork of session invoice-replay at line 4, with set /output: Pay""");
  }

  @Test
  void json_of_a_replay_has_what_its_header_states() throws IOException {
    String stated =
        "{\"mode\":\"mock\",\"tree_root\":\"sha256:%s\",\"tree_size\":9}".formatted("0".repeat(64));
    log(
        "of-nameless",
        "{\"event\":\"ReplayHeader\",\"replay_of\":%s,\"replay_version\":1}\n".formatted(stated),
        "nameless",
        6);

    assertThat(list("--format", "json").lines().map(JsonText::parse))
        .filteredOn(line -> line.at("/session_id").asString().equals("nameless"))
        .extracting(line -> line.at("/replay_of").toString())
        .containsExactly(stated);
  }

  @Test
  void json_has_the_origin_and_the_parent_that_was_found() throws IOException {
    log("same-id", "{\"event\":\"ReplayHeader\",\"replay_version\":1}\n", "invoice-replay", 6);
    List<JsonValue> lines =
        list("--format", "json", "--sort", "id").lines().map(JsonText::parse).toList();

    assertThat(lines).hasSize(6);
    JsonValue replayed = lines.get(0);
    assertThat(replayed.at("/replay_of/session_id").asString()).isEqualTo("gone");
    assertThat(replayed.at("/replay_of/tree_size").asLong()).isEqualTo(9);
    assertThat(replayed.at("/replay_of/mode").asString()).isEqualTo("mock");
    assertThat(replayed.find("/parent")).isNull();
    assertThat(lines.get(1).find("/forked_from")).isNull();
    JsonValue first = lines.get(2);
    assertThat(first.at("/forked_from/line").asLong()).isEqualTo(3);
    assertThat(first.at("/forked_from/changes/0/pointer").asString()).isEqualTo("/output");
    assertThat(first.at("/parent").toString())
        .isEqualTo("{\"path\":\"%s\",\"matched_by\":\"tree\"}".formatted(home.resolve("invoice")));
    assertThat(lines.get(5).at("/parent").toString())
        .isEqualTo("{\"path\":\"%s\",\"matched_by\":\"tree\"}".formatted(home.resolve("paid")));
  }
}

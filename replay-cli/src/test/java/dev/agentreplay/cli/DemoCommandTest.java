package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {

  @TempDir
  Path directory;

  @Test
  void demo_tells_the_whole_story_within_100_columns() {
    Console demo = Console.run("demo");

    assertThat(demo.exit()).isZero();
    assertThat(demo.err()).isEmpty();
    assertThat(demo.out())
        .containsSubsequence(
            "1. Record",
            "FAIL: 3 x 4 is 11, expected 12",
            "ok: 3 x 4 is 12",
            "2. Verify",
            "valid  first/REPLAY.jsonl",
            "the tree root over 18 lines matches",
            "3. Tamper",
            "invalid  tampered/REPLAY.jsonl",
            "error  OUTPUT_HASH_MISMATCH  line 7",
            "the last matching",
            "4. Run again",
            "5. Diff",
            "diverged at call #2: search returned a different output (moderate)",
            "- first ",
            "+ second ",
            "1. OUTPUT  search  moderate, root",
            "2. ADDED  read_file",
            "6. Replay",
            "identical  replayed 6 exchanges in ",
            "6 recorded: 6 served",
            "The same with one changed parameter",
            "diverged  replayed 2 of 6 exchanges in ",
            "1. MISS  search  major, root",
            "nearest recorded request: line 8, first difference at /params/text",
            "- recorded  \"$1 * $2\"",
            "+ actual    \"price\"",
            "7. Isolate",
            "keygen KEY");
    if (Sandboxes.select(SandboxChoice.automatic()).used() != null) {
      assertThat(demo.out())
          .containsSubsequence(
              "7. Isolate",
              "identical  replayed 6 exchanges in ",
              "isolation   bubblewrap",
              "The same with a tool that writes one more byte",
              "1. FILE_STATE  price.sh  moderate, root");
    }
    assertThat(demo.out().lines()).allMatch(line -> line.length() <= Style.WIDTH);
  }

  @Test
  void demo_out_keeps_sessions_that_say_the_same_to_the_other_commands() {
    Path out = directory.resolve("sessions");
    assertThat(Console.run("demo", "--out", out.toString()).exit()).isZero();

    assertThat(Console.run("verify", out.resolve("first").toString()).exit()).isZero();
    assertThat(Console.run("verify", out.resolve("second").toString()).exit()).isZero();
    assertThat(Console.run("verify", out.resolve("tampered").toString()).exit()).isEqualTo(1);
    assertThat(Console.run(
                "diff",
                out.resolve("first").toString(),
                out.resolve("second").toString(),
                "--format",
                "json")
            .out())
        .contains("\"first\":{\"call\":2,\"kind\":\"OUTPUT\"}")
        .contains(
            "\"calls\":{\"left\":6,\"right\":7,\"matched\":5,\"changed\":1,\"missing\":0,\"added\":1,\"moved\":0}");
    assertThat(
            Console.run("diff", "first", "first", "--sessions", out.toString()).exit())
        .isZero();
  }

  @Test
  void demo_out_refuses_a_directory_with_something_in_it() throws IOException {
    Files.writeString(directory.resolve("mine.txt"), "mine");

    Console demo = Console.run("demo", "--out", directory.toString());

    assertThat(demo.exit()).isEqualTo(2);
    assertThat(demo.err()).contains("--out: expected a new or empty directory");
    assertThat(directory).isDirectoryContaining("glob:**mine.txt");
    assertThat(directory.toFile().list()).hasSize(1);
  }

  @Test
  void deterministic_runs_make_the_same_bytes(@TempDir Path home) throws IOException {
    for (String run : List.of("one", "other")) {
      Console demo =
          Console.run("demo", "--deterministic", "--out", home.resolve(run).toString());
      assertThat(demo.exit()).as(demo.err()).isZero();
    }
    for (String file : List.of("first/REPLAY.jsonl", "first/RECEIPT.json", "second/REPLAY.jsonl")) {
      assertThat(home.resolve("one").resolve(file))
          .hasSameBinaryContentAs(home.resolve("other").resolve(file));
    }
  }
}

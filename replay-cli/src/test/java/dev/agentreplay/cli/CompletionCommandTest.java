package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Completion with the tab key, in bash. */
@DisabledOnOs(OS.WINDOWS)
class CompletionCommandTest {

  @TempDir
  private Path directory;

  @ParameterizedTest
  @CsvSource({
    "replay ver, verify",
    "replay check, check checkpoint",
    "replay verify --ca, --canonicalization",
    "replay diff --fail-on m, minor moderate major",
    "replay convert --to b, bundle",
    "replay hash --canonicalization serde, serde serde-ryu",
    "replay completion z, zsh",
    "replay help ver, verify",
    "replay session rep, replay",
    "replay mcp-proxy --req, --require-recording",
    "replay session replay --mode c, compare",
    "replay session replay --feed = r, recorded replayed",
    "replay diff --fail-on = m, minor moderate major",
    "replay diff --fail-on =, minor moderate major",
    "replay diff --fail-on=mo, --fail-on=moderate",
    "replay verify --format = j, json",
  })
  void word_is_completed(String words, String expected) throws Exception {
    assertThat(complete(words)).containsExactlyInAnyOrder(expected.split(" "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "replay verify",
        "replay show",
        "replay diff",
        "replay diff first",
        "replay diff --fail-on = minor first",
        "replay diff --html",
        "replay diff --html =",
        "replay convert --to bundle",
        "replay convert in",
        "replay keygen",
        "replay pack a",
        "replay hash",
        "replay session record",
        "replay session replay",
        "replay session replay --mode compare --roster",
      })
  void file_name_is_completed(String words) throws Exception {
    Files.createDirectory(directory.resolve("sess dir"));
    Files.createFile(directory.resolve("sess$x"));
    Files.createFile(directory.resolve("other"));
    assertThat(complete(words + " sess")).containsExactlyInAnyOrder("sess dir", "sess$x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replay verify --jobs o", "replay completion o", "replay help o"})
  void file_name_is_not_completed_where_none_is_expected(String words) throws Exception {
    Files.createFile(directory.resolve("other"));
    assertThat(complete(words)).isEmpty();
  }

  @Test
  void file_name_after_an_option_is_completed_where_a_shell_does_not_split_at_equals()
      throws Exception {
    Files.createFile(directory.resolve("page.html"));
    assertThat(complete("replay diff --html=pa")).containsExactly("--html=page.html");
  }

  @Test
  void script_is_for_zsh_too() {
    Console bash = Console.run("completion", "bash");
    Console zsh = Console.run("completion", "zsh");
    assertThat(bash.exit()).isZero();
    assertThat(zsh).isEqualTo(bash);
    assertThat(zsh.out()).contains("bashcompinit");
  }

  @Test
  void unknown_shell_is_wrong_usage() {
    Console fish = Console.run("completion", "fish");
    assertThat(fish.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(fish.err()).startsWith("replay: SHELL: expected bash or zsh, found \"fish\"\n");
  }

  private List<String> complete(String words) throws IOException, InterruptedException {
    Path script = directory.resolve("completion");
    Files.writeString(script, Console.run("completion", "bash").out());
    Path out = directory.resolve("out");
    String bash =
        """
        source '%s'
        [[ "$(complete -p replay)" == *' -F _complete_joined_replay replay' ]] || exit 1
        compopt() { :; } # works only while bash completes
        COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE='%s'
        _complete_joined_replay
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(script, words, words);
    Process process = new ProcessBuilder("bash", "-c", bash)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return Files.readString(out, StandardCharsets.UTF_8)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .toList();
  }
}

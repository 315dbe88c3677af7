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
  })
  void word_is_completed(String words, String expected) throws Exception {
    assertThat(complete(words)).containsExactlyInAnyOrder(expected.split(" "));
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
    assertThat(fish.err()).contains("expected bash or zsh, found \"fish\"");
  }

  private List<String> complete(String words) throws IOException, InterruptedException {
    Path script = directory.resolve("completion");
    Files.writeString(script, Console.run("completion", "bash").out());
    Path out = directory.resolve("out");
    String bash =
        """
        source '%s'
        compopt() { :; } # works only while bash completes
        COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE='%s'
        _complete_replay
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(script, words, words);
    Process process = new ProcessBuilder("bash", "-c", bash)
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

package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command does not replace a file that it reads with its output. */
class OutputFileTest {

  @TempDir
  private Path home;

  @BeforeEach
  void record() throws IOException {
    for (String id : new String[] {"a", "b"}) {
      record(id, RecorderOptions.defaults());
    }
    PackedSession.pack(home.resolve("a"), home.resolve("f.tgz"));
    Files.createSymbolicLink(home.resolve("link"), home.resolve("f.tgz"));
    Files.createLink(home.resolve("hard"), home.resolve("a/REPLAY.jsonl"));
    assertThat(run("convert @a @bundle.json --to bundle").exit()).isZero();
    assertThat(run("keygen @key").exit()).isZero();
    assertThat(run("checkpoint @a --out @old.json").exit()).isZero();
  }

  private void record(String id, RecorderOptions options) throws IOException {
    try (SessionRecorder session =
        SessionRecorder.start(home.resolve(id), SessionStart.of(id), options)) {
      session.call("file_read", JsonObject.of("path", "a")).result("x".repeat(3_000));
      session.end(Status.SUCCESS, 0.9);
    }
  }

  private Console run(String command) {
    return Console.run(Arrays.stream(command.split(" "))
        .map(word -> word.startsWith("@") ? home.resolve(word.substring(1)).toString() : word)
        .toArray(String[]::new));
  }

  /** The last path of each command is the output, and that of an input. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "show @f.tgz --html @f.tgz",
        "show @f.tgz --html @link",
        "show @link --html @f.tgz",
        "show @a --html @a/REPLAY.jsonl",
        "show @a/REPLAY.jsonl --html @hard",
        "receipt @f.tgz --out @f.tgz",
        "receipt @a --out @a/REPLAY.jsonl",
        "checkpoint @f.tgz --out @f.tgz",
        "checkpoint @a --key @key --out @key",
        "prove @f.tgz --line 2 --out @f.tgz",
        "prove @a --since @old.json --out @old.json",
        "diff @a @b --html @a/REPLAY.jsonl",
        "diff @a @b --html @b/REPLAY.jsonl",
        "diff @a @f.tgz --out @f.tgz",
        "recover @f.tgz --salvage @f.tgz",
        "recover @a --salvage @a/REPLAY.jsonl",
        "convert @f.tgz --to bundle @f.tgz",
        "convert @bundle.json --to event @bundle.json",
        "convert @a --to bundle @a/REPLAY.jsonl"
      })
  void output_that_is_an_input_is_refused(String command) throws IOException {
    Path out = home.resolve(command.substring(command.lastIndexOf('@') + 1));
    byte[] before = Files.readAllBytes(out);

    Console console = run(command + " --overwrite");

    assertThat(console.err())
        .endsWith(out + " exists: it is an input of this command; name a different file\n");
    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(console.out()).isEmpty();
    assertThat(out).hasBinaryContent(before);
  }

  @Test
  void later_segment_of_the_log_is_refused() throws IOException {
    record(
        "long",
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withMaxSegmentBytes(1_000)));
    Path segment = home.resolve("long/REPLAY.jsonl.2");
    byte[] before = Files.readAllBytes(segment);

    Console console = run("show @long --overwrite --html @long/REPLAY.jsonl.2");

    assertThat(console.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(console.err()).contains("it is an input of this command");
    assertThat(segment).hasBinaryContent(before);
  }

  @Test
  void other_file_is_replaced() throws IOException {
    Path old = Files.writeString(home.resolve("old"), "old", StandardCharsets.UTF_8);

    assertThat(run("show @f.tgz --overwrite --html @old").exit()).isZero();
    assertThat(old).content(StandardCharsets.UTF_8).startsWith("<!DOCTYPE html>");
    assertThat(run("receipt @a --overwrite --out @a/RECEIPT.json").exit()).isZero();
    assertThat(run("convert @a @a --to type --overwrite").exit()).isZero();
    assertThat(run("verify @a").exit()).isZero();
  }
}

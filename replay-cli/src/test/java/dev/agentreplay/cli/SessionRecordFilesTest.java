package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.store.RecordFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command makes a session record from an export of messages. */
class SessionRecordFilesTest {

  @TempDir
  Path home;

  private Path export;
  private Path record;

  @BeforeEach
  void write() throws IOException {
    record = home.resolve("record.json");
    export = Files.writeString(
        home.resolve("export.jsonl"),
        """
        {"ts":"2026-01-01T12:00:00Z","from":"Olga","type":"KICKOFF","body_md":"Why?","thread_id":"RS1"}
        """);
  }

  @Test
  void kickoff_without_a_thread_is_that_of_the_messages() throws IOException {
    Path kickoff = Files.writeString(home.resolve("kickoff.json"), "{\"question\":\"Why?\"}");

    Console console = Console.run(
        "session",
        "record",
        export.toString(),
        "--kickoff",
        kickoff.toString(),
        "--output",
        record.toString());

    assertThat(console.exit()).isZero();
    SessionRecord read = RecordFile.at(record).read();
    assertThat(read.sessionId()).isEqualTo("RS1");
    assertThat(read.inputs().kickoff().threadId()).isEqualTo("RS1");
  }

  @Test
  void artifact_that_is_not_utf_8_is_named() throws IOException {
    Path artifact = Files.write(home.resolve("artifact.md"), new byte[] {(byte) 0xff});

    Console console = Console.run(
        "session",
        "record",
        export.toString(),
        "--artifact",
        artifact.toString(),
        "--output",
        record.toString());

    assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(console.err()).contains(artifact + ": not an artifact");
    assertThat(record).doesNotExist();
  }
}

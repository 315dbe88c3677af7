package dev.agentreplay.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The disk fails. */
class ReplayWriterFaultTest {

  private static final StepComplete STEP = StepComplete.of("s", Status.SUCCESS, 1);

  @Test
  void fullDiskIsSaidAndEverythingAfterItIsRefused() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "no /dev/full here");
    try (OutputStream out = new FileOutputStream(full.toFile(), true);
        ReplayWriter writer =
            new ReplayWriter(full, out, WriterOptions.defaults(), Canonicalization.SERDE)) {
      assertThatThrownBy(() -> writer.emit(STEP))
          .isInstanceOf(IOException.class)
          .hasMessageNotContaining("refused");
      assertThatThrownBy(() -> writer.emit(STEP))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("refused, because an earlier write to /dev/full failed")
          .hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void nothingIsWrittenBehindATornLine() throws IOException {
    TearingStream disk = new TearingStream(1);
    Path file = Path.of("torn.jsonl");
    try (ReplayWriter writer =
        new ReplayWriter(file, disk, WriterOptions.defaults(), Canonicalization.SERDE)) {
      writer.emit(STEP);
      int whole = disk.size();
      assertThatThrownBy(() -> writer.emit(STEP)).isInstanceOf(IOException.class);
      int torn = disk.size();
      assertThatThrownBy(() -> writer.emit(STEP)).hasMessageContaining("refused");
      assertThatThrownBy(() -> writer.emit(STEP)).hasMessageContaining("refused");

      assertThat(torn).isGreaterThan(whole);
      assertThat(disk.size()).isEqualTo(torn);
    }
    assertThat(TestLogs.readAll(disk.toByteArray()))
        .extracting(TestLogs.Outcome::code)
        .containsExactly(null, FindingCode.TORN_TAIL);
  }

  @Test
  void eachLineIsOneWrite() throws IOException {
    TearingStream disk = new TearingStream(10);
    try (ReplayWriter writer =
        new ReplayWriter(Path.of("log"), disk, WriterOptions.defaults(), Canonicalization.SERDE)) {
      for (int i = 0; i < 10; i++) {
        writer.emit(STEP);
      }
    }
    assertThat(disk.writes).isEqualTo(10);
    assertThat(TestLogs.readAll(disk.toByteArray())).hasSize(10);
  }

  /** Takes so many writes whole, then half of the next, and then works again. */
  private static final class TearingStream extends OutputStream {
    private final ByteArrayOutputStream disk = new ByteArrayOutputStream();
    private final int good;
    private int writes;

    TearingStream(int good) {
      this.good = good;
    }

    int size() {
      return disk.size();
    }

    byte[] toByteArray() {
      return disk.toByteArray();
    }

    @Override
    public void write(int b) {
      throw new AssertionError("a line is one write");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      writes++;
      if (writes == good + 1) {
        disk.write(bytes, offset, length / 2);
        throw new IOException("no space left on device");
      }
      disk.write(bytes, offset, length);
    }
  }
}

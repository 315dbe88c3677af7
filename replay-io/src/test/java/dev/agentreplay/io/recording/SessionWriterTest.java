package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A session whose events are known is written as they are. */
class SessionWriterTest {

  private static final Timestamp CREATED = Timestamp.parse("2026-01-01T00:00:00Z");
  private static final Timestamp LATER = Timestamp.parse("2026-01-01T00:00:05+01:00");
  private static final ReplayHeader HEADER = ReplayHeader.of("p").withMeta(Meta.at(CREATED));

  @TempDir
  private Path directory;

  private static void write(SessionWriter writer) throws IOException {
    writer.write(SessionStart.of("s"));
    writer.write(ToolCall.of("c", "t", JsonObject.of("n", 1)).withMeta(Meta.at(LATER)));
    writer.write(ToolResult.of("c", "x".repeat(2 << 20)).withLatencyMillis(3L));
  }

  private static SessionReceipt finish(SessionWriter writer) throws IOException {
    return writer.finish(receipt -> receipt.withExtra(JsonObject.of("origin", "elsewhere")));
  }

  @Test
  void eventWithoutTimeHasThatOfTheEventBefore() throws IOException {
    try (SessionWriter writer = SessionWriter.create(directory, HEADER)) {
      write(writer);
      finish(writer);
    }

    List<Timestamp> times = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        times.add(line.event().meta().time());
      }
    }
    assertThat(times).containsExactly(CREATED, CREATED, LATER, LATER);
  }

  @Test
  void receiptIsThatOfTheLog_withoutAnEnd_andWithTheGivenMembers() throws IOException {
    SessionReceipt written;
    try (SessionWriter writer = SessionWriter.create(directory, HEADER)) {
      write(writer);
      written = finish(writer);
    }

    Session session = Session.open(directory);
    SessionReceipt computed = (SessionReceipt) Receipts.compute(session, Receipt.Form.SESSION);
    assertThat(written.extra().get("origin")).isEqualTo(JsonValue.of("elsewhere"));
    assertThat(written)
        .usingRecursiveComparison()
        .withEqualsForType(Timestamp::equals, Timestamp.class)
        .ignoringFieldsMatchingRegexes("extra", ".*stepUtility") // the log has a default
        .isEqualTo(computed);
    assertThat(ReceiptFile.toText(written)).contains("\"origin\": \"elsewhere\"");
  }

  @Test
  void largeValueIsABlob() throws IOException {
    try (SessionWriter writer = SessionWriter.create(directory, HEADER)) {
      write(writer);
      finish(writer);
    }

    Session session = Session.open(directory);
    ReplayEvent last = null;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        last = line.event();
      }
    }
    assertThat(last.content().blob()).isNotNull();
    assertThat(session.resolve(last.content())).isEqualTo(JsonValue.of("x".repeat(2 << 20)));
  }

  @Test
  void closingWithoutFinishLeavesNothing() throws IOException {
    try (SessionWriter writer = SessionWriter.create(directory, HEADER)) {
      writer.write(SessionStart.of("s"));
    }

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void existingLogAndHeaderWithoutTimeAreRefused() throws IOException {
    try (SessionWriter writer = SessionWriter.create(directory, HEADER)) {
      finish(writer);
    }
    assertThatThrownBy(() -> SessionWriter.create(directory, HEADER))
        .isInstanceOf(FileAlreadyExistsException.class);
    Path other = directory.resolve("other");
    assertThatThrownBy(() -> SessionWriter.create(other, ReplayHeader.of("p")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("time");
    assertThatThrownBy(() -> SessionWriter.create(other, HEADER.withCanonicalization("jcs")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusedEventIsNotWritten() throws IOException {
    try (SessionWriter writer = SessionWriter.create(directory, HEADER)) {
      assertThatThrownBy(() -> writer.write(ToolResult.of("c", "x").withStepUtility(7.0)))
          .isInstanceOf(IllegalArgumentException.class);
      writer.write(SessionStart.of("s"));
      finish(writer);
    }

    try (ReplayReader reader = Session.open(directory).reader()) {
      assertThat(reader.read()).isNotNull();
      assertThat(reader.read().event()).isInstanceOf(SessionStart.class);
      assertThat(reader.read()).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DiskFault.class,
      names = {"FAIL_BEFORE", "FAIL_HALF", "FAIL_AFTER", "FAIL_DROPPED"})
  void failingDiskIsReported(DiskFault fault) throws IOException {
    long calls = calls((number, call, file) -> DiskFault.NONE).calls();
    assertThat(calls).isGreaterThan(10);
    int reported = 0;
    for (long failing = 1; failing <= calls; failing++) {
      long at = failing;
      SimulatedDisk disk = new SimulatedDisk(directory);
      disk.inject((number, call, file) -> number == at ? fault : DiskFault.NONE);
      boolean failed = false;
      try (SessionWriter writer = SessionWriter.create(disk, directory, HEADER)) {
        write(writer);
        finish(writer);
      } catch (IOException e) {
        failed = true;
        reported++;
      }
      if (!failed) {
        assertThat(disk.names()).contains(Session.LOG_NAME, Session.RECEIPT_NAME);
      }
    }
    assertThat(reported).isGreaterThan(10);
  }

  private SimulatedDisk calls(SimulatedDisk.Faults faults) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(directory);
    disk.inject(faults);
    try (SessionWriter writer = SessionWriter.create(disk, directory, HEADER)) {
      write(writer);
      finish(writer);
    }
    return disk;
  }
}

package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Signature;
import dev.agentreplay.model.signature.Signer;
import dev.agentreplay.testkit.TestTrees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree over the lines, checkpoints and their signatures, while a log is written. */
class TamperEvidenceOptionsTest {

  private static final TamperEvidenceOptions EVERY_FOUR =
      TamperEvidenceOptions.defaults().withCheckpointInterval(4);

  @TempDir
  private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 400, 5_000})
  void tree_is_that_of_the_lines_however_many(int events) throws IOException {
    Path log = directory.resolve("log");
    try (ReplayWriter writer = create(log, WriterOptions.defaults())) {
      for (int i = 0; i < events; i++) {
        writer.emit(step(i));
      }
      assertThat(writer.tree()).isEqualTo(TestTrees.head(lines(log)));
      writer.emit(SessionEnd.of(Status.SUCCESS));
      assertThat(writer.tree()).isEqualTo(TestTrees.head(lines(log)));
    }
  }

  @Test
  void without_a_tree_there_is_none() throws IOException {
    WriterOptions options = WriterOptions.defaults().withEvidence(TamperEvidenceOptions.none());
    try (ReplayWriter writer = create(directory.resolve("log"), options)) {
      assertThat(writer.tree()).isNull();
    }
  }

  @Test
  void tree_continues_through_segments_and_after_the_log_was_opened_again() throws IOException {
    Path log = directory.resolve("log");
    WriterOptions options =
        WriterOptions.defaults().withMaxSegmentBytes(700).withEvidence(EVERY_FOUR);
    try (ReplayWriter writer = create(log, options)) {
      for (int i = 0; i < 30; i++) {
        writer.emit(step(i));
      }
    }
    try (ReplayWriter writer = ReplayWriter.append(log, options)) {
      assertThat(writer.tree()).isEqualTo(TestTrees.head(lines(log)));
      for (int i = 0; i < 30; i++) {
        writer.emit(step(i));
      }
      assertThat(writer.tree()).isEqualTo(TestTrees.head(lines(log)));
    }
    assertThat(Files.exists(LogSegments.file(log, 5))).isTrue();
    assertThat(checkpoints(log)).hasSizeGreaterThan(10);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void threads_that_write_together_write_one_tree(Durability durability) throws Exception {
    Path log = directory.resolve("log");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    WriterOptions options =
        WriterOptions.defaults().withDurability(durability).withEvidence(EVERY_FOUR);
    try (ReplayWriter writer = create(log, options)) {
      List<Future<?>> done = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        done.add(threads.submit(() -> {
          for (int i = 0; i < 500; i++) {
            writer.emit(step(i));
          }
          return null;
        }));
      }
      for (Future<?> one : done) {
        one.get();
      }
      writer.sync(); // BUFFERED has lines that are in no file
      assertThat(writer.tree()).isEqualTo(TestTrees.head(lines(log)));
    } finally {
      threads.shutdown();
    }
    assertThat(checkpoints(log)).hasSize(501);
  }

  @Test
  void checkpoints_come_at_their_interval_and_at_sync_and_not_behind_the_end() throws IOException {
    Path log = directory.resolve("log");
    try (ReplayWriter writer = create(log, WriterOptions.defaults().withEvidence(EVERY_FOUR))) {
      for (int i = 0; i < 8; i++) {
        writer.emit(step(i));
      }
      writer.sync();
      writer.sync(); // nothing was written in between
      writer.emit(SessionEnd.of(Status.SUCCESS));
      writer.sync();
    }
    // the header and three events, a checkpoint, four events, a checkpoint, an event, sync, the end
    assertThat(checkpoints(log))
        .extracting(checkpoint -> checkpoint.tree().size())
        .containsExactly(4L, 9L, 11L);
    assertThat(lines(log)).hasSize(13);
  }

  @Test
  void checkpoints_only_at_sync_have_an_interval_that_never_comes() throws IOException {
    Path log = directory.resolve("log");
    TamperEvidenceOptions evidence =
        TamperEvidenceOptions.defaults().withCheckpointInterval(Long.MAX_VALUE);
    try (ReplayWriter writer = create(log, WriterOptions.defaults().withEvidence(evidence))) {
      for (int i = 0; i < 100; i++) {
        writer.emit(step(i));
      }
      writer.sync();
    }
    assertThat(checkpoints(log)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void signature_is_over_the_canonical_line_without_it(Dialect dialect) throws IOException {
    Path log = directory.resolve("log");
    WriterOptions options = WriterOptions.defaults()
        .withDialect(dialect)
        .withEvidence(EVERY_FOUR.withSigner(new HashingSigner()));
    ReplayHeader header = ReplayHeader.of("p");
    try (ReplayWriter writer = ReplayWriter.create(
        log,
        dialect == Dialect.DRAFT ? header.withMeta(header.meta().withSessionId("s")) : header,
        options)) {
      for (int i = 0; i < 5; i++) {
        writer.emit(step(i));
      }
    }
    Checkpoint checkpoint = checkpoints(log).get(0);
    JsonObject line = JsonText.parse(lines(log).get(4)).asObject();
    String body = CanonicalJson.SERDE.text(line.without("signature"));
    String type = "application/vnd.agentreplay.checkpoint+json";
    String message = "DSSEv1 %d %s %d %s".formatted(type.length(), type, body.length(), body);
    Signature expected = new Signature(
        Signature.ED25519, "k", HashingSigner.value(message.getBytes(StandardCharsets.UTF_8)));
    assertThat(checkpoint.signature()).isEqualTo(expected.toString());
  }

  @Test
  @ExtendWith(QuietLogger.class)
  void signer_that_is_away_costs_the_signature_and_no_event() throws IOException {
    Path log = directory.resolve("log");
    HashingSigner signer = new HashingSigner();
    WriterOptions options = WriterOptions.defaults().withEvidence(EVERY_FOUR.withSigner(signer));
    try (ReplayWriter writer = create(log, options)) {
      for (int i = 0; i < 12; i++) {
        signer.setAway(i < 6);
        writer.emit(step(i));
      }
    }
    assertThat(checkpoints(log))
        .extracting(checkpoint -> checkpoint.signature() != null)
        .containsExactly(false, true, true);
    assertThat(lines(log)).hasSize(1 + 12 + 3);
  }

  @Test
  void event_whose_checkpoint_cannot_be_written_is_refused_and_comes_after_it_later()
      throws IOException {
    SimulatedDisk disk = new SimulatedDisk(directory);
    Path log = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(
        disk, log, ReplayHeader.of("p"), WriterOptions.defaults().withEvidence(EVERY_FOUR))) {
      for (int i = 0; i < 3; i++) {
        writer.emit(step(i));
      }
      disk.limit(disk.content(log).length);
      assertThatThrownBy(() -> writer.emit(step(3)))
          .isInstanceOfSatisfying(
              ReplayWriteException.class, e -> assertThat(e.isRetryable()).isTrue());
      assertThatThrownBy(writer::sync).isInstanceOf(ReplayWriteException.class);
      disk.limit(Long.MAX_VALUE);
      writer.emit(step(3));
    }
    String text = new String(disk.content(log), StandardCharsets.UTF_8);
    assertThat(text.lines().toList()).hasSize(6);
    assertThat(text.lines().toList().get(4)).contains("Checkpoint");
  }

  @Test
  @ExtendWith(QuietLogger.class)
  void signer_that_writes_to_what_it_signs_is_refused() throws IOException {
    ReplayWriter[] writer = new ReplayWriter[1];
    List<Throwable> refused = new ArrayList<>();
    Signer signer = new Signer() {
      @Override
      public String algorithm() {
        return "test";
      }

      @Override
      public String keyId() {
        return "arn:aws:kms:eu:1:key/2"; // keys may have such names
      }

      @Override
      public byte[] sign(byte[] message) throws IOException {
        try {
          writer[0].emit(step(99));
        } catch (IllegalStateException e) {
          refused.add(e);
        }
        try {
          writer[0].sync();
        } catch (IllegalStateException e) {
          refused.add(e);
        }
        return new byte[] {1};
      }
    };
    Path log = directory.resolve("log");
    writer[0] = create(log, WriterOptions.defaults().withEvidence(EVERY_FOUR.withSigner(signer)));
    try (ReplayWriter open = writer[0]) {
      for (int i = 0; i < 4; i++) {
        open.emit(step(i));
      }
    }
    assertThat(refused).hasSize(2).allMatch(e -> e.getMessage().contains("must not write to it"));
    assertThat(lines(log)).hasSize(6);
    assertThat(checkpoints(log).get(0).signature()).isEqualTo("test:arn:aws:kms:eu:1:key/2:AQ==");
  }

  @Test
  void end_that_is_refused_leaves_nothing() throws IOException {
    Path log = directory.resolve("log");
    try (ReplayWriter writer = create(log, WriterOptions.defaults().withEvidence(EVERY_FOUR))) {
      for (int i = 0; i < 3; i++) {
        writer.emit(step(i));
      }
      SessionEnd wrong = SessionEnd.of(Status.SUCCESS).withTotals(7, 7);
      assertThatThrownBy(() -> writer.emit(wrong)).isInstanceOf(IllegalArgumentException.class);
      assertThat(lines(log)).hasSize(4);
    }
  }

  @Test
  void checkpoint_of_the_caller_is_refused() throws IOException {
    try (ReplayWriter writer = create(directory.resolve("log"), WriterOptions.defaults())) {
      Checkpoint given = Checkpoint.of(Objects.requireNonNull(writer.tree()));
      assertThatThrownBy(() -> writer.emit(given))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("sync()");
    }
  }

  @Test
  void signer_whose_key_has_no_name_is_refused_before_anything_is_recorded() {
    Signer nameless = new Signer() {
      @Override
      public String algorithm() {
        return "test";
      }

      @Override
      public String keyId() {
        return "my key";
      }

      @Override
      public byte[] sign(byte[] message) {
        throw new AssertionError("nothing is signed yet");
      }
    };
    assertThatThrownBy(() -> TamperEvidenceOptions.defaults().withSigner(nameless))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("my key");
  }

  @Test
  void what_does_not_go_together_is_refused() {
    assertThatThrownBy(() -> TamperEvidenceOptions.defaults().withCheckpointInterval(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> TamperEvidenceOptions.none().withCheckpointInterval(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tree");
  }

  private static ReplayWriter create(Path log, WriterOptions options) throws IOException {
    return ReplayWriter.create(log, ReplayHeader.of("p"), options);
  }

  private static StepComplete step(int number) {
    return StepComplete.of("step-" + number, Status.SUCCESS, number % 256);
  }

  /** The lines of all segments. */
  private static List<byte[]> lines(Path log) throws IOException {
    StringBuilder text = new StringBuilder();
    int segment = 1;
    for (Path file = log; Files.exists(file); file = LogSegments.file(log, ++segment)) {
      text.append(Files.readString(file, StandardCharsets.ISO_8859_1));
    }
    return text.toString()
        .lines()
        .map(line -> line.getBytes(StandardCharsets.ISO_8859_1))
        .toList();
  }

  /** The checkpoints of a log; each states what is before it. */
  private static List<Checkpoint> checkpoints(Path log) throws IOException {
    List<byte[]> before = new ArrayList<>();
    List<Checkpoint> checkpoints = new ArrayList<>();
    try (ReplayReader reader = ReplayReader.open(log)) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof Checkpoint checkpoint) {
          if (before.size() < 1_000) { // the definition takes its time
            assertThat(checkpoint.tree()).isEqualTo(TestTrees.head(before));
          }
          checkpoints.add(checkpoint);
        }
        before.add(line.bytes());
      }
    }
    return checkpoints;
  }
}

package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublicTree;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.signature.Statement;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that records a session dies, or the power fails, at any call of the disk. There is a
 * receipt only of a log that is whole, and a gap is as large as the log says.
 */
@ExtendWith(QuietLogger.class)
class RecordedSessionCrashTest {

  private static final int SCHEDULES = 500 * Integer.getInteger("replay.effort", 1);
  private static final Path DIRECTORY = Path.of("simulated").toAbsolutePath();
  private static final Path LOG = DIRECTORY.resolve(Session.LOG_NAME);
  private static final Path ENVELOPE = DIRECTORY.resolve(Session.ENVELOPE_NAME);
  private static final Path CHECKPOINT = DIRECTORY.resolve(Session.PUBLIC_CHECKPOINT_NAME);
  private static final Path RECEIPT = DIRECTORY.resolve(Session.RECEIPT_NAME);
  private static final Durability[] DURABILITIES = Durability.values();
  private static final DiskFault[] FAULTS = DiskFault.values();

  @ParameterizedTest
  @EnumSource(FailurePolicy.class)
  void receipt_is_of_a_whole_log_and_lost_events_are_counted(FailurePolicy policy)
      throws IOException {
    for (int i = 0; i < SCHEDULES; i++) {
      int seed = i;
      TracedRun.of("seed " + seed, trace -> {
        Schedule schedule = new Schedule(policy, new SplittableRandom(seed), trace);
        schedule.run();
        return schedule;
      });
    }
  }

  @Test
  void start_that_fails_leaves_nothing() throws IOException {
    RecorderOptions options =
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withMaxSegmentBytes(100));
    boolean started = false;
    for (int i = 1; !started; i++) {
      int failing = i;
      SimulatedDisk disk = new SimulatedDisk(DIRECTORY);
      disk.inject(
          (number, call, file) -> number == failing ? DiskFault.FAIL_BEFORE : DiskFault.NONE);
      try {
        SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options);
        started = true;
      } catch (IOException e) {
        assertThat(disk.names())
            .as("call %d failed: %s", failing, e.getMessage())
            .isEmpty();
      }
    }
  }

  private static final class Schedule {
    private final FailurePolicy policy;
    private final SplittableRandom random;
    private final Consumer<Supplier<String>> trace;
    private final RecorderOptions options;
    private final boolean isSigned;
    private SimulatedDisk disk = new SimulatedDisk(DIRECTORY);

    /** Each event that was to be recorded, and whether it was. */
    private final Map<String, Boolean> recorded = new LinkedHashMap<>();

    /** The lines of the process before this one. */
    private long linesBefore;

    private boolean dropped;
    private boolean hasReceipt;

    Schedule(FailurePolicy policy, SplittableRandom random, Consumer<Supplier<String>> trace) {
      this.policy = policy;
      this.random = random;
      this.trace = trace;
      this.isSigned = random.nextBoolean();
      this.options = RecorderOptions.defaults()
          .withBlobThreshold(100)
          .withFailurePolicy(policy)
          .withWriter(WriterOptions.defaults()
              .withClock(SampleEvents.CLOCK)
              .withForceInterval(Duration.ofHours(1))
              .withDurability(DURABILITIES[random.nextInt(DURABILITIES.length)])
              .withMaxSegmentBytes(random.nextBoolean() ? Long.MAX_VALUE : 500)
              .withEvidence(TamperEvidenceOptions.defaults()
                  .withCheckpointInterval(random.nextInt(5))
                  .withSigner(isSigned ? new HashingSigner() : null)));
    }

    void run() throws IOException {
      injectFaults();
      record(() -> SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options));
      crashAndCheck();
      boolean goesOn = disk.exists(LOG)
          && !disk.exists(RECEIPT)
          && LogRecovery.of(disk, LOG).inspect() instanceof Recovery.Open open
          && open.events() > 0;
      if (goesOn) {
        linesBefore = LogRecovery.of(disk, LOG).inspect().events();
        recorded.clear();
        injectFaults();
        record(() -> SessionRecorder.resume(disk, DIRECTORY, options));
        crashAndCheck();
      }
    }

    private void injectFaults() {
      long deathAt = 1 + random.nextInt(80);
      long failureAt = 1 + random.nextInt(40);
      DiskFault failure = FAULTS[random.nextInt(FAULTS.length)];
      dropped = false;
      disk.inject((number, call, file) -> {
        DiskFault fault =
            number == deathAt ? DiskFault.DIE_HALF : number == failureAt ? failure : DiskFault.NONE;
        dropped |= fault == DiskFault.FAIL_DROPPED;
        trace.accept(() -> "  %s %s %s".formatted(call, file.getFileName(), fault));
        return fault;
      });
      disk.limit(random.nextInt(4) > 0 ? Long.MAX_VALUE : 600 + random.nextInt(1_000));
    }

    private interface Opening {
      SessionRecorder open() throws IOException;
    }

    private void record(Opening opening) {
      hasReceipt = false;
      SessionRecorder recorder;
      try {
        recorder = opening.open();
      } catch (IOException e) {
        return;
      }
      try (recorder) {
        int events = random.nextInt(10);
        for (int i = 0; i < events; i++) {
          if (random.nextInt(3) == 0) {
            call(recorder, "call-" + i);
          } else {
            emit(recorder, "step-" + i);
          }
          if (random.nextInt(5) == 0) {
            disk.limit(Long.MAX_VALUE);
          }
        }
        long lost = recorded.values().stream().filter(is -> !is).count();
        assertThat(recorder.unrecordedEvents())
            .isEqualTo(policy == FailurePolicy.DEGRADE ? lost : 0);
        if (random.nextInt(4) > 0) {
          end(recorder);
        }
      } catch (IOException e) {
        trace.accept(() -> "not closed: " + e);
      }
    }

    private void emit(SessionRecorder recorder, String id) {
      try {
        recorded.put(id, recorder.emit(StepComplete.of(id, Status.SUCCESS, 1)).isWritten());
        trace.accept(() -> id + " recorded: " + recorded.get(id));
      } catch (IOException e) {
        assertThat(policy)
            .as("a recorder that degrades does not throw")
            .isEqualTo(FailurePolicy.FAIL);
        recorded.put(id, false);
      }
    }

    /** Records a call whose parameters are in a blob. */
    private void call(SessionRecorder recorder, String id) {
      long before = recorder.unrecordedEvents();
      try {
        recorder.call(ToolCall.of(id, "tool", JsonObject.of("text", id + "x".repeat(100))));
        recorded.put(id, recorder.unrecordedEvents() == before);
        trace.accept(() -> id + " recorded: " + recorded.get(id));
      } catch (IOException e) {
        assertThat(policy)
            .as("a recorder that degrades does not throw")
            .isEqualTo(FailurePolicy.FAIL);
        recorded.put(id, false);
      }
    }

    private void end(SessionRecorder recorder) {
      try {
        recorder.end(Status.SUCCESS, 1.0);
        hasReceipt = policy == FailurePolicy.FAIL || recorder.lastFailure() == null;
      } catch (IOException e) {
        assertThat(policy)
            .as("a recorder that degrades does not throw")
            .isEqualTo(FailurePolicy.FAIL);
      }
    }

    private void crashAndCheck() throws IOException {
      // a later process reads what was dropped, and cannot know that it was not forced
      boolean powerLost = dropped || random.nextBoolean();
      disk = powerLost ? disk.losePower(random) : disk.kill();
      trace.accept(() -> powerLost ? "power lost" : "killed");
      if (hasReceipt) {
        assertThat(disk.exists(RECEIPT)).isTrue();
        assertThat(disk.exists(ENVELOPE)).isEqualTo(isSigned);
        assertThat(disk.exists(CHECKPOINT)).isEqualTo(isSigned);
      }
      if (disk.exists(CHECKPOINT)) {
        JsonObject receipt = JsonText.parse(disk.content(RECEIPT)).asObject();
        PublicCheckpoint checkpoint =
            PublicCheckpoint.fromJson(JsonText.parse(disk.content(CHECKPOINT)).asObject());
        assertThat(checkpoint.tree()).isEqualTo(publicTree());
        assertThat(receipt.at("/public_root").asString())
            .isEqualTo(checkpoint.tree().root().toString());
      }
      if (disk.exists(ENVELOPE)) {
        JsonObject envelope = JsonText.parse(disk.content(ENVELOPE)).asObject();
        Statement statement = Statement.in(DsseEnvelope.fromJson(envelope));
        assertThat(statement.subject())
            .containsExactly(
                new Statement.Subject(Session.LOG_NAME, ContentHash.sha256(bytesOfLog())),
                new Statement.Subject(
                    Session.RECEIPT_NAME, ContentHash.sha256(disk.content(RECEIPT))));
      }
      if (disk.exists(RECEIPT)) {
        assertThat(LogRecovery.of(disk, LOG).inspect()).isInstanceOf(Recovery.Complete.class);
        String hash = JsonText.parse(disk.content(RECEIPT)).at("/replay_hash").asString();
        assertThat(hash).isEqualTo(ContentHash.sha256(bytesOfLog()).toString());
      }
      if (disk.exists(LOG)) {
        checkEvents(powerLost);
      }
    }

    /** Between two events that are in the log, gaps count those that are not. */
    private void checkEvents(boolean powerLost) throws IOException {
      List<String> order = new ArrayList<>(recorded.keySet());
      Set<String> found = new HashSet<>();
      long[] counted = {0};
      int[] last = {-1};
      LogRecovery.of(disk, LOG).inspect(line -> {
        if (line.position().line() <= linesBefore) {
          return;
        }
        if (line.event() instanceof RecordingGap gap) {
          counted[0] += gap.events();
        } else if (line.event() instanceof StepComplete || line.event() instanceof ToolCall) {
          String id = String.valueOf(line.event().name());
          if (line.event() instanceof ToolCall call) {
            requireBlob(call);
            id = call.id();
          }
          int at = order.indexOf(id);
          assertThat(at).isGreaterThan(last[0]);
          assertThat(counted[0])
              .as("events that are missing before %s of %s", id, recorded)
              .isEqualTo(policy == FailurePolicy.DEGRADE ? at - last[0] - 1 : 0);
          last[0] = at;
          found.add(id);
          counted[0] = 0;
        }
      });
      if (!powerLost && options.writer().durability() != Durability.BUFFERED) {
        recorded.forEach(
            (id, is) -> assertThat(!is || found.contains(id)).as(id).isTrue());
      }
    }

    /** A call that is in the log has its parameters, whatever failed. */
    private void requireBlob(ToolCall call) {
      ContentHash hash = Objects.requireNonNull(call.params().hash());
      Path blob = DIRECTORY.resolve("blobs/sha256-" + hash.hex() + ".json");
      assertThat(disk.exists(blob)).as("blob of %s", call.id()).isTrue();
      assertThatCode(() -> assertThat(ContentHash.sha256(disk.content(blob))).isEqualTo(hash))
          .doesNotThrowAnyException();
    }

    private TreeHead publicTree() throws IOException {
      PublicTree[] tree = new PublicTree[1];
      LogRecovery.of(disk, LOG).inspect(line -> {
        if (line.event() instanceof ReplayHeader header) {
          tree[0] = new PublicTree(PublicForm.DEFAULT, Objects.requireNonNull(header.salt()));
        }
        tree[0].add(line.bytes(), line.json(), CanonicalJson.SERDE);
      });
      return tree[0].head();
    }

    private byte[] bytesOfLog() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int segment = 1; disk.exists(LogSegments.file(LOG, segment)); segment++) {
        bytes.write(disk.content(LogSegments.file(LOG, segment)));
      }
      return bytes.toByteArray();
    }
  }
}

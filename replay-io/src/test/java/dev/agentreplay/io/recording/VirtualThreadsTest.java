package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.DiskTempDir;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Virtual threads write to one log and do not pin their carriers. */
@EnabledForJreRange(min = JRE.JAVA_24)
class VirtualThreadsTest {

  private static final String PINNED = "jdk.VirtualThreadPinned";
  private static final int THREADS = 64;
  private static final int EVENTS = 200;

  @DiskTempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void no_event_pins_a_carrier(Durability durability) throws Exception {
    emit(durability, directory.resolve("first.jsonl"), 1); // loads the classes
    Path log = directory.resolve("REPLAY.jsonl");
    Path recorded = directory.resolve("pinned.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(PINNED).withoutThreshold().withStackTrace();
      recording.start();
      emit(durability, log, THREADS);
      recording.stop();
      recording.dump(recorded);
    }

    List<RecordedEvent> pinned = RecordingFile.readAllEvents(recorded);
    assertThat(pinned.stream().map(event -> String.valueOf(event.getStackTrace())))
        .noneMatch(stack -> stack.contains("dev.agentreplay"));
    int lines = 0;
    try (ReplayReader reader = ReplayReader.open(log)) {
      while (reader.read() != null) {
        lines++;
      }
    }
    assertThat(lines).isEqualTo(1 + THREADS * EVENTS);
  }

  private static void emit(Durability durability, Path log, int threads) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    WriterOptions options = WriterOptions.defaults().withDurability(durability);
    try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("p"), options)) {
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        String id = "call-" + i + "-";
        Thread thread = virtualThreads().newThread(() -> {
          try {
            for (int event = 0; event < EVENTS; event++) {
              writer.emit(ToolCall.of(id + event, "t", JsonObject.of("text", "x".repeat(100))));
            }
          } catch (IOException | RuntimeException | Error e) {
            failure.set(e);
          }
        });
        thread.start();
        all.add(thread);
      }
      for (Thread thread : all) {
        thread.join();
      }
    }
    assertThat(failure).hasValue(null);
  }

  private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    return (ThreadFactory)
        Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
  }
}

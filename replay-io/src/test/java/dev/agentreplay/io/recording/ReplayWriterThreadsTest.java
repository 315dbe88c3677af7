package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several threads write one log. */
class ReplayWriterThreadsTest {

  private static final int THREADS = 8;
  private static final int EVENTS = 500;

  @TempDir
  private Path directory;

  @Test
  void lines_of_several_threads_are_whole_in_order_and_all_there() throws Exception {
    Path file = directory.resolve("log");
    Map<Long, String> idsByLine = new HashMap<>();
    Map<Long, Long> offsetsByLine = new HashMap<>();
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      for (List<WrittenEvent> ofThread : inThreads(writer)) {
        long lastLine = 1;
        for (WrittenEvent written : ofThread) {
          long line = written.position().line();
          assertThat(line).as("each thread's events stay in order").isGreaterThan(lastLine);
          lastLine = line;
          assertThat(idsByLine.put(line, ((ToolCall) written.event()).id())).isNull();
          offsetsByLine.put(line, written.position().offset());
        }
      }
    }

    assertThat(idsByLine).hasSize(THREADS * EVENTS);
    int lines = 1;
    try (ReplayReader reader = ReplayReader.open(file)) {
      assertThat(reader.read().event()).isInstanceOf(ReplayHeader.class);
      for (ReplayLine line : reader) {
        lines++;
        assertThat(line.findings()).isEmpty();
        assertThat(((ToolCall) line.event()).id())
            .isEqualTo(idsByLine.get(line.position().line()));
        assertThat(line.position().offset())
            .isEqualTo(offsetsByLine.get(line.position().line()));
      }
    }
    assertThat(lines).isEqualTo(1 + THREADS * EVENTS);
  }

  @Test
  void interrupted_thread_writes_and_stays_interrupted() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      Thread.currentThread().interrupt();
      try {
        writer.emit(ToolCall.of("during", "t", JsonObject.EMPTY));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
      } finally {
        Thread.interrupted();
      }
      writer.emit(ToolCall.of("after", "t", JsonObject.EMPTY));
    }
    assertThat(Files.readAllLines(file)).hasSize(3);
  }

  private static List<List<WrittenEvent>> inThreads(ReplayWriter writer)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier together = new CyclicBarrier(THREADS);
      List<Callable<List<WrittenEvent>>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        String name = "thread-" + thread + "-";
        tasks.add(() -> {
          together.await();
          List<WrittenEvent> written = new ArrayList<>();
          for (int i = 0; i < EVENTS; i++) {
            JsonObject params = JsonObject.of("text", "x".repeat(i));
            written.add(writer.emit(ToolCall.of(name + i, "t", params)));
          }
          return written;
        });
      }
      List<List<WrittenEvent>> results = new ArrayList<>();
      for (Future<List<WrittenEvent>> future : pool.invokeAll(tasks)) {
        results.add(future.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }
}

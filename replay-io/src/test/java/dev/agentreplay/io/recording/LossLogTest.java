package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ReplayHeader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The account of what a recorder could not write. */
class LossLogTest {

  private static final int ROUNDS = 20_000;

  @TempDir
  private Path directory;

  @Test
  void last_of_several_reasons_is_reported_to_concurrent_readers() throws Exception {
    try (ReplayWriter writer =
        ReplayWriter.create(directory.resolve("log.jsonl"), ReplayHeader.of("p"))) {
      LossLog losses = new LossLog(writer, new Redaction(null));
      Set<String> told = ConcurrentHashMap.newKeySet();
      AtomicLong asked = new AtomicLong();
      AtomicBoolean isDone = new AtomicBoolean();
      CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> {
        for (; !isDone.get(); asked.incrementAndGet()) {
          ask(losses, told);
        }
      });

      for (int i = 0; i < ROUNDS; i++) {
        losses.addResult("first-" + i, new IOException("full"), true);
        losses.addResult("last-" + i, new IOException("full"), true);
        long since = asked.get();
        while (asked.get() < since + 2 && !asking.isDone()) {
          Thread.onSpinWait();
        }
        assertThat(told).contains("the result of call \"last-" + i + "\" was not recorded: full");
        told.clear();
      }

      isDone.set(true);
      asking.join();
      assertThat(losses.total()).isEqualTo(2L * ROUNDS);
    }
  }

  private static void ask(LossLog losses, Set<String> told) {
    try {
      losses.throwUntold();
    } catch (IOException e) {
      told.add(e.getMessage());
    }
  }
}

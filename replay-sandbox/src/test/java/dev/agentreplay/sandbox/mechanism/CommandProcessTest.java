package dev.agentreplay.sandbox.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The end of a program behind a launcher. */
@DisabledOnOs(OS.WINDOWS)
class CommandProcessTest {

  @TempDir
  Path directory;

  @Test
  void program_is_killed_while_another_thread_waits_for_its_end() throws Exception {
    SandboxedProcess program =
        Sandboxes.unsafe().start(List.of("sleep", "3600"), SandboxOptions.of(directory));
    CountDownLatch isStarted = new CountDownLatch(1);
    CompletableFuture<Optional<SandboxException>> fault = new CompletableFuture<>();
    Thread waits = new Thread(() -> {
      isStarted.countDown();
      try {
        fault.complete(Optional.ofNullable(program.fault()));
      } catch (InterruptedException e) {
        fault.completeExceptionally(e);
      }
    });
    waits.start();
    isStarted.await();
    while (waits.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }

    CompletableFuture<Void> closed = CompletableFuture.runAsync(program::close);

    assertThat(fault.get(30, TimeUnit.SECONDS)).isEmpty();
    closed.get(30, TimeUnit.SECONDS);
    assertThat(program.process().isAlive()).isFalse();
  }
}

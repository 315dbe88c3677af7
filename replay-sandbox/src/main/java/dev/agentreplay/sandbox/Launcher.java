package dev.agentreplay.sandbox;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Starts processes from one thread that lives as long as this process: the kernel kills a sandbox
 * when the <em>thread</em> ends that has started it, see PR_SET_PDEATHSIG in prctl(2).
 */
final class Launcher {

  private static final ExecutorService THREAD = Executors.newSingleThreadExecutor(task -> {
    Thread thread = new Thread(task, "replay-sandbox-launcher");
    thread.setDaemon(true);
    return thread;
  });

  private Launcher() {}

  static Process start(ProcessBuilder builder) throws IOException {
    Future<Process> start = THREAD.submit(builder::start);
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return start.get();
        } catch (InterruptedException e) {
          // The process is started in any case, and must not be lost.
          isInterrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof IOException io) {
            throw io;
          }
          throw new IllegalStateException(e.getCause());
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

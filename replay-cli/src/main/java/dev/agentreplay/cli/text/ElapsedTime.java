package dev.agentreplay.cli.text;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A line with the time that work has taken, for work that does not report its progress. It is shown
 * on a terminal only, after two seconds, and erased when the work has ended.
 */
public final class ElapsedTime {

  private final ProgressLine line;
  private final String work;
  private final long begin = System.nanoTime();

  private ElapsedTime(ProgressLine line, String work) {
    this.line = line;
    this.work = work;
  }

  /**
   * Work that takes a time.
   *
   * @param <T> the type of its result
   */
  public interface Work<T> {

    /** Does the work. */
    T run() throws IOException;
  }

  /**
   * Does work, and shows how long it takes.
   *
   * @param name the name of the work, such as "comparing"
   */
  public static <T> T during(Terminal terminal, String name, Work<T> work) throws IOException {
    if (!terminal.progress()) {
      return work.run();
    }
    ProgressLine line = new ProgressLine(terminal, false);
    ElapsedTime time = new ElapsedTime(line, name);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
      Thread thread = new Thread(task, "replay-progress");
      thread.setDaemon(true);
      return thread;
    });
    var unused = timer.scheduleAtFixedRate(time::show, 1, 1, TimeUnit.SECONDS);
    try {
      return work.run();
    } finally {
      timer.shutdownNow();
      line.end();
    }
  }

  private void show() {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
    if (line.isShown(elapsed)) {
      line.show("%s, %d s".formatted(work, elapsed.toSeconds()));
    }
  }
}

package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.engine.replay.ReplayControl;
import dev.agentreplay.engine.replay.ReplayListener;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The keys that control a replay, each followed by Enter, if standard input is a terminal. They are
 * read from the first second on.
 */
final class RunKeys implements ReplayListener, AutoCloseable {

  static final String HINT =
      "keys, each with Enter: p pauses and resumes, s runs one exchange, q aborts";

  private static final Duration SILENT = Duration.ofSeconds(2);
  private static final int POLL_MILLIS = 100;
  private static final Path STATUS = Path.of("/proc/self/stat");

  /** The fields of the process group, and of that in the foreground, after the name. */
  private static final int GROUP = 2;

  private static final int FOREGROUND = 5;

  private final InputStream in;
  private final boolean isInteractive;
  private final ReplayControl control;
  private final Consumer<String> say;
  private final Thread thread = new Thread(this::poll, "replay-keys");
  private final StringBuilder line = new StringBuilder();
  private volatile boolean isAborted;
  private volatile boolean isClosed;
  private boolean isStarted;
  private boolean isShown;

  /**
   * Creates the keys of a replay.
   *
   * @param say prints a message for the user
   */
  RunKeys(Terminal terminal, ReplayControl control, Consumer<String> say) {
    this.in = terminal.in();
    this.isInteractive = terminal.interactive();
    this.control = control;
    this.say = say;
    thread.setDaemon(true);
  }

  @Override
  public void progress(Progress progress) {
    if (!isInteractive || isClosed) {
      return;
    }
    if (!isStarted) {
      isStarted = true;
      thread.start();
    }
    if (!isShown && progress.elapsed().compareTo(SILENT) >= 0) {
      isShown = true;
      say.accept(HINT);
    }
  }

  private void poll() {
    try {
      while (!isClosed) {
        read();
        Thread.sleep(POLL_MILLIS);
      }
    } catch (IOException | InterruptedException e) {
      return; // the replay continues without keys
    }
  }

  /** Reads the lines that were typed. A blocking read would stop a process in the background. */
  void read() throws IOException {
    while (!isClosed && in.available() > 0 && isInForeground()) {
      int c = in.read();
      if (c == '\n') {
        handle(line.toString().strip());
        line.setLength(0);
      } else if (c >= 0 && line.length() < HINT.length()) {
        line.append((char) c);
      }
    }
  }

  /** Whether the terminal sends its input to this process; true if that is not known. */
  private static boolean isInForeground() {
    try {
      String status = Files.readString(STATUS);
      String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ", -1);
      int foreground = Integer.parseInt(fields[FOREGROUND]);
      return foreground <= 0 || foreground == Integer.parseInt(fields[GROUP]);
    } catch (IOException | RuntimeException notLinux) {
      return true;
    }
  }

  private void handle(String key) {
    switch (key) {
      case "p" -> {
        if (control.isPaused()) {
          control.resume();
          say.accept("resumed");
        } else {
          control.pause();
          say.accept("paused before the next exchange");
        }
      }
      case "s" -> {
        control.step();
        say.accept("one exchange");
      }
      case "q" -> {
        isAborted = true;
        control.abort("aborted by the user");
      }
      default -> {
        if (!key.isEmpty()) {
          say.accept(HINT);
        }
      }
    }
  }

  /** Whether the user has aborted the replay. */
  boolean isAborted() {
    return isAborted;
  }

  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
  }
}

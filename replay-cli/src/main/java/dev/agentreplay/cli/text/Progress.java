package dev.agentreplay.cli.text;

import dev.agentreplay.model.text.PlainText;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A progress line that is updated in place, and erased before other output. */
public final class Progress {

  private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(200);

  private final PrintStream err;
  private final boolean isShown;
  private final LongSupplier nanos;
  private final long begin;
  private long last;
  private long sessions;
  private int width;

  /**
   * The progress of a batch that begins now.
   *
   * @param isShown whether anything is printed at all
   * @param nanos a clock
   */
  public Progress(PrintStream err, boolean isShown, LongSupplier nanos) {
    this.err = err;
    this.isShown = isShown;
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
    this.last = begin;
  }

  /** Counts a finished session. */
  public void count() {
    sessions++;
    long now = nanos.getAsLong();
    if (!isShown || now - last < INTERVAL) {
      return;
    }
    last = now;
    erase();
    double seconds = (now - begin) / 1e9;
    double rate = sessions / seconds;
    String text = "%s, %s/s"
        .formatted(
            PlainText.count(sessions, "session"), (rate < 10 ? "%.1f" : "%,.0f").formatted(rate));
    width = text.length();
    err.print(text);
    err.flush();
  }

  /** Erases the line. */
  public void erase() {
    if (width > 0) {
      err.print("\r" + " ".repeat(width) + "\r");
      err.flush();
      width = 0;
    }
  }
}

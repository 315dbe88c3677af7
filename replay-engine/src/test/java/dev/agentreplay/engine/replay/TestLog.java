package dev.agentreplay.engine.replay;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A logger that keeps what a replay logs. */
class TestLog implements System.Logger {

  /**
   * An entry of the log.
   *
   * @param fields the fields; null if the entry has none
   */
  record Entry(
      Level level, String event, @Nullable JsonObject fields, @Nullable Throwable thrown) {}

  private final List<Entry> entries = new CopyOnWriteArrayList<>();
  private final Level least;

  TestLog(Level least) {
    this.least = least;
  }

  List<Entry> entries() {
    return entries;
  }

  List<Entry> of(String event) {
    return entries.stream().filter(entry -> entry.event().equals(event)).toList();
  }

  Entry only(String event) {
    List<Entry> found = of(event);
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " entries of " + event + " in " + entries);
    }
    return found.get(0);
  }

  @Override
  public String getName() {
    return "test";
  }

  @Override
  public boolean isLoggable(Level level) {
    return level.compareTo(least) >= 0;
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
    entries.add(new Entry(level, message, null, thrown));
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
    if (!format.equals("{0} {1}") || parameters.length != 2) {
      throw new AssertionError("not an event: " + format);
    }
    entries.add(new Entry(level, (String) parameters[0], (JsonObject) parameters[1], null));
  }
}

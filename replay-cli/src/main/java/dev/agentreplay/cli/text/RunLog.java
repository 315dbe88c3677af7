package dev.agentreplay.cli.text;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.json.JsonObject;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.time.Instant;
import java.util.Locale;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The log of a replay on standard error, a line for each entry: the name of an event and its fields
 * as JSON, or one JSON object in canonical form.
 */
public final class RunLog implements System.Logger {

  private static final String NAME = "dev.agentreplay.engine.replay";

  /** The form of a line. */
  public enum Form {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON
  }

  private final Form form;
  private final Level least;
  private final PrintStream out;

  private RunLog(Form form, Level least, PrintStream out) {
    this.form = form;
    this.least = least;
    this.out = out;
  }

  /** Creates a log of the entries of a level and the higher ones. */
  public static RunLog of(Form form, Level least, Terminal terminal) {
    return new RunLog(form, least, form == Form.JSON ? terminal.jsonErrors() : terminal.err());
  }

  /** Creates a log that has no entries: the report is enough. */
  public static RunLog none(Terminal terminal) {
    return of(Form.TEXT, Level.OFF, terminal);
  }

  @Override
  public String getName() {
    return NAME;
  }

  @Override
  public boolean isLoggable(Level level) {
    return least != Level.OFF && level.compareTo(least) >= 0;
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    JsonObject fields = thrown == null
        ? JsonObject.EMPTY
        : JsonObject.of("error", Failure.of(thrown).json());
    write(level, String.valueOf(message), fields);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object @Nullable ... parameters) {
    if (parameters != null
        && parameters.length == 2
        && parameters[0] instanceof String event
        && parameters[1] instanceof JsonObject fields) {
      write(level, event, fields);
    } else {
      String text = String.valueOf(format);
      boolean isText = parameters == null || parameters.length == 0;
      String message = isText ? text : new MessageFormat(text, Locale.ROOT).format(parameters);
      write(level, message, JsonObject.EMPTY);
    }
  }

  private void write(Level level, String event, JsonObject fields) {
    if (!isLoggable(level)) {
      return;
    }
    String line =
        switch (form) {
          case TEXT -> Style.plain(fields.isEmpty() ? event : event + " " + fields);
          case JSON -> {
            JsonObject.Builder json = JsonObject.builder();
            json.put("time", Instant.now().toString());
            json.put("level", level.getName());
            json.put("logger", NAME);
            json.put("event", event);
            fields.forEach(json::put);
            yield CanonicalJson.SERDE.text(json.build());
          }
        };
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length); // one call, so that lines of several threads do not mix
    out.flush();
  }
}

package dev.agentreplay.sandbox.replay;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The circumstances in which a session was recorded, as far as programs see them: those that its
 * settings state before the first call.
 *
 * @param workingDirectory the working directory; null if it is not stated, or not absolute
 * @param timeZone the time zone; null if it is not stated
 * @param environment the variables that are stated with a value
 */
record RecordedRun(
    @Nullable Path workingDirectory, @Nullable String timeZone, Map<String, String> environment) {

  /** No circumstances, such as those of programs that belong to no recording. */
  static final RecordedRun NONE = new RecordedRun(null, null, Map.of());

  /** Reads the settings of a session. */
  static RecordedRun of(Session session) throws IOException {
    JsonObject values = JsonObject.EMPTY;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        ReplayEvent event = line.event();
        if (event instanceof ToolCall || event instanceof ModelCall) {
          break;
        } else if (event instanceof Settings settings) {
          for (String name : settings.values().names()) {
            Settings.Setting setting = settings.get(name);
            if (setting != null) {
              values = values.with(name, setting.value());
            }
          }
        }
      }
    }
    return new RecordedRun(
        path(values.get(Settings.WORKING_DIRECTORY)),
        values.get(Settings.TIME_ZONE) instanceof JsonString zone ? zone.value() : null,
        variables(values.get(Settings.ENVIRONMENT)));
  }

  private static @Nullable Path path(@Nullable JsonValue value) {
    return value instanceof JsonString text ? absolute(text.value()) : null;
  }

  /** A path of this system; null if the text is not one, or not absolute. */
  static @Nullable Path absolute(String text) {
    try {
      Path path = Path.of(text);
      return path.isAbsolute() ? path.normalize() : null;
    } catch (InvalidPathException notOfThisSystem) {
      return null;
    }
  }

  private static Map<String, String> variables(@Nullable JsonValue value) {
    Map<String, String> variables = new TreeMap<>();
    if (value instanceof JsonObject stated) {
      stated.forEach((name, text) -> {
        if (text instanceof JsonString string && isVariable(name, string.value())) {
          variables.put(name, string.value());
        }
      });
    }
    return Collections.unmodifiableMap(variables);
  }

  /** Whether the system takes a variable of the log, which may be of any origin. */
  private static boolean isVariable(String name, String value) {
    return !name.isEmpty()
        && name.indexOf('=') < 0
        && name.indexOf('\0') < 0
        && value.indexOf('\0') < 0;
  }
}

package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Preview;
import org.jspecify.annotations.Nullable;

/**
 * The beginning and the end of the texts that a tool wrote to its standard output and error, for
 * people: {@link Preview#ofStream}. The texts are the members {@code stdout} and {@code stderr} of
 * an output that is not in the log.
 *
 * @param stdout the preview of the standard output; null when there is none
 * @param stderr the preview of the standard error; null when there is none
 */
public record StreamPreviews(@Nullable String stdout, @Nullable String stderr) {

  /** No previews. */
  public static final StreamPreviews NONE = new StreamPreviews(null, null);

  /** The name of the member of an output with the standard output. */
  public static final String STDOUT = "stdout";

  /** The name of the member of an output with the standard error. */
  public static final String STDERR = "stderr";

  /** Creates the previews of those members of an output that are strings. */
  public static StreamPreviews of(@Nullable JsonValue output) {
    if (!(output instanceof JsonObject object)) {
      return NONE;
    }
    String stdout = preview(object.get(STDOUT));
    String stderr = preview(object.get(STDERR));
    return stdout == null && stderr == null ? NONE : new StreamPreviews(stdout, stderr);
  }

  /** Whether there is no preview. */
  public boolean isEmpty() {
    return stdout == null && stderr == null;
  }

  /** Returns these previews, completed by those that only the other one has. */
  public StreamPreviews or(StreamPreviews other) {
    return new StreamPreviews(
        stdout == null ? other.stdout : stdout, stderr == null ? other.stderr : stderr);
  }

  private static @Nullable String preview(@Nullable JsonValue text) {
    return text instanceof JsonString string ? Preview.ofStream(string.value()) : null;
  }
}

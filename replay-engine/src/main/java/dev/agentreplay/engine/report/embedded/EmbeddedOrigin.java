package dev.agentreplay.engine.report.embedded;

import dev.agentreplay.engine.view.SessionOrigin;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts the origin of a fork or a replay to the form that all pages read.
 *
 * <pre>
 * origin   {of?, mode} of a replay, {of?, line, changes: [text], more?} of a fork
 *          of: the id of the parent; line: the line of the point; changes: the first of them in words;
 *          more: the number of others
 * </pre>
 */
public final class EmbeddedOrigin {

  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_VALUE = 60;
  private static final int MAX_CHANGES = 20;

  private EmbeddedOrigin() {}

  /** Returns the form of an origin; null of none. */
  public static @Nullable JsonObject of(@Nullable SessionOrigin origin) {
    if (origin == null) {
      return null;
    }
    ForkOrigin fork = origin.fork();
    return fork == null
        ? parent(origin.sessionId())
            .put("mode", name(Objects.requireNonNull(origin.replay()).mode()))
            .build()
        : of(fork);
  }

  /** Returns the form of the origin of a fork. */
  public static JsonObject of(ForkOrigin fork) {
    List<String> changes = SessionOrigin.changes(fork, LONGEST_VALUE);
    JsonObject.Builder json = parent(fork.sessionId())
        .put("line", fork.line())
        .put("changes", JsonValue.of(changes.stream().limit(MAX_CHANGES).toList()));
    if (changes.size() > MAX_CHANGES) {
      json.put("more", changes.size() - MAX_CHANGES);
    }
    return json.build();
  }

  private static JsonObject.Builder parent(@Nullable String id) {
    JsonObject.Builder json = JsonObject.builder();
    return id == null ? json : json.put("of", id(id));
  }

  /** Returns the id of a session as the pages have it, which compare it with {@code of}. */
  static String id(String id) {
    return name(id);
  }

  private static String name(String text) {
    return Excerpt.beginning(text, LONGEST_NAME);
  }
}

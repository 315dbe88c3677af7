package dev.agentreplay.engine.view;

import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A place in an event that an {@link EventSearch} found. Immutable. */
public final class EventHit {

  private final long line;
  private final String kind;
  private final @Nullable String name;
  private final String pointer;
  private final Found excerpt;
  private final int places;

  /** The part of a text around the part that matches. */
  record Found(String before, String match, String after) {}

  EventHit(
      long line, String kind, @Nullable String name, String pointer, Found excerpt, int places) {
    this.line = line;
    this.kind = kind;
    this.name = name;
    this.pointer = pointer;
    this.excerpt = excerpt;
    this.places = places;
  }

  /** The line of the event, from 1. */
  public long line() {
    return line;
  }

  /** The type of the event in the log, such as {@code ToolCall}. */
  public String kind() {
    return kind;
  }

  /**
   * The tool or the model of a call or of the call that a result answers; null if there is none.
   */
  public @Nullable String name() {
    return name;
  }

  /**
   * The JSON Pointer to the text in the event; in JSON that is the text of a string, it continues
   * into that JSON.
   */
  public String pointer() {
    return pointer;
  }

  /** The part of the text before the match, {@value EventSearch#CONTEXT} characters at most. */
  public String before() {
    return excerpt.before;
  }

  /** The matching part of the text, {@value EventSearch#CONTEXT} characters at most. */
  public String match() {
    return excerpt.match;
  }

  /** The part of the text after the match, {@value EventSearch#CONTEXT} characters at most. */
  public String after() {
    return excerpt.after;
  }

  /** The number of values in the event that match, of which this is the first. */
  public int places() {
    return places;
  }

  /**
   * Renders the hit as JSON: schema {@code replay.search/1}, see docs/reports.md.
   *
   * @param session the path of the session
   */
  public JsonObject toJson(Path session) {
    return JsonObject.of(
        "schema",
        "replay.search/1",
        "path",
        session.toString(),
        "line",
        line,
        "kind",
        kind,
        "name",
        name,
        "pointer",
        pointer,
        "before",
        excerpt.before,
        "match",
        excerpt.match,
        "after",
        excerpt.after,
        "places",
        places);
  }

  @Override
  public String toString() {
    return "line %d, %s%s: %s".formatted(line, kind, pointer, excerpt.match);
  }
}

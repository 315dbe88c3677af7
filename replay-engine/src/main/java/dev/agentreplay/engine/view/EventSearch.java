package dev.agentreplay.engine.view;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A search for the events of sessions that contain a text, or that have a value at a place.
 * Immutable; safe for use by several threads.
 *
 * <pre>{@code
 * EventSearch search = EventSearch.text("permission denied").withTool("shell");
 * search.run(session, hit -> {
 *   System.out.println(hit);
 *   return true;
 * });
 * }</pre>
 *
 * <p>The texts searched are those of strings without their escapes, and those of numbers and
 * booleans, but not the names of members. A prompt that is recorded as a change of an earlier one
 * is searched as recorded, so that a message is found where it was first sent.
 */
public final class EventSearch {

  /** The maximum number of characters of each part of an excerpt. */
  public static final int CONTEXT = 200;

  private final @Nullable PathPattern place;
  private final String text;
  private final boolean isWhole;
  private final boolean ignoresCase;
  private final @Nullable String kind;
  private final @Nullable String tool;
  private final boolean hasBlobs;

  private EventSearch(
      @Nullable PathPattern place,
      String text,
      boolean isWhole,
      boolean ignoresCase,
      @Nullable String kind,
      @Nullable String tool,
      boolean hasBlobs) {
    this.place = place;
    this.text = Objects.requireNonNull(text, "text");
    this.isWhole = isWhole;
    this.ignoresCase = ignoresCase;
    this.kind = kind;
    this.tool = tool;
    this.hasBlobs = hasBlobs;
  }

  /**
   * Searches for events with a value that contains a text.
   *
   * @throws IllegalArgumentException if the text is empty
   */
  public static EventSearch text(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("the text to search for is empty");
    }
    return new EventSearch(null, text, false, false, null, null, false);
  }

  /**
   * Searches for events with a value at a place: a string with this text, or a number or boolean
   * that is written so. The place is a JSON Pointer with wildcards, as
   * {@link dev.agentreplay.engine.diff.rule.Ignore#at} documents it, in the object of the line; it
   * continues into strings that are JSON objects or arrays.
   *
   * @throws IllegalArgumentException if the pointer is not valid
   */
  public static EventSearch value(String pointer, String value) {
    return new EventSearch(PathPattern.parse(pointer), value, true, false, null, null, false);
  }

  /** Returns a search that ignores the case of letters. */
  public EventSearch withIgnoredCase() {
    return new EventSearch(place, text, isWhole, true, kind, tool, hasBlobs);
  }

  /** Returns a search for events of one type, such as {@code ToolCall}. */
  public EventSearch withKind(String newKind) {
    return new EventSearch(place, text, isWhole, ignoresCase, newKind, tool, hasBlobs);
  }

  /** Returns a search for calls of a tool, and for their results. */
  public EventSearch withTool(String newTool) {
    return new EventSearch(place, text, isWhole, ignoresCase, kind, newTool, hasBlobs);
  }

  /** Returns a search that also reads the values that are stored as blobs. */
  public EventSearch withBlobs() {
    return new EventSearch(place, text, isWhole, ignoresCase, kind, tool, true);
  }

  /**
   * Searches a session, in the order of its log.
   *
   * @param hits takes one hit for each event that matches; returns whether to continue
   * @return the number of values that were not searched and might match, because they are stored as
   *     blobs: those whose blobs are missing, or all of them without {@link #withBlobs}
   * @throws IOException if the log or a blob cannot be read, a line is malformed, or the header
   *     states an unsupported version; the hits before it were taken
   */
  public long run(Session session, Predicate<EventHit> hits) throws IOException {
    CallPairing<String> tools = new CallPairing<>();
    CallPairing<String> models = new CallPairing<>();
    long unsearched = 0;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        ReplayEvent event = line.event();
        if (event instanceof ReplayHeader header
            && header.support() == ReplayHeader.Support.UNSUPPORTED) {
          throw new IOException("%s: %s".formatted(session.log(), header.versionFault()));
        }
        String name = name(event, tools, models);
        boolean isOfTool = event instanceof ToolCall || event instanceof ToolResult;
        if (tool != null && !(isOfTool && tool.equals(name))) {
          continue;
        }
        if (kind != null && !kind.equals(type(event))) {
          continue;
        }
        String stored = stored(event);
        JsonValue value = stored == null || !hasBlobs ? null : session.resolve(event.content());
        if (stored != null && value == null) {
          unsearched++;
        }
        EventHit hit = find(
            line, stored == null || value == null ? null : line.json().with(stored, value), name);
        if (hit != null && !hits.test(hit)) {
          break;
        }
      }
    }
    return unsearched;
  }

  /**
   * The hit in an event; null if nothing in it matches.
   *
   * @param whole the object of the line with the value of its blob; null if it has none
   */
  private @Nullable EventHit find(
      ReplayLine line, @Nullable JsonObject whole, @Nullable String name) {
    ValueSearch values = new ValueSearch(place, text, isWhole, ignoresCase);
    values.visit(whole == null ? line.json() : whole);
    return values.excerpt() == null
        ? null
        : new EventHit(
            line.position().line(),
            type(line.event()),
            name,
            values.pointer(),
            values.excerpt(),
            values.places());
  }

  /** The member whose value is stored as a blob, if it might match; null if there is none. */
  private @Nullable String stored(ReplayEvent event) {
    String member = event.kind().contentName();
    Content content = event.content();
    if (member == null || content.value() != null || content.blob() == null) {
      return null;
    }
    boolean isReached = place == null || place.next(place.start(), member) != PathPattern.DEAD;
    return isReached ? member : null;
  }

  private static String type(ReplayEvent event) {
    return event instanceof UnknownEvent unknown
        ? String.valueOf(unknown.type())
        : event.kind().id();
  }

  /** The tool or the model of an event; null if there is none. */
  private static @Nullable String name(
      ReplayEvent event, CallPairing<String> tools, CallPairing<String> models) {
    String name = called(event, tools, models);
    return name == null || name.isEmpty() ? null : name;
  }

  private static @Nullable String called(
      ReplayEvent event, CallPairing<String> tools, CallPairing<String> models) {
    String agent = event.meta().agent();
    if (event instanceof ToolCall call) {
      tools.call(call.id(), agent, call.tool());
      return call.tool();
    } else if (event instanceof ToolResult result) {
      return tools.result(result.id(), agent);
    } else if (event instanceof ModelCall call) {
      String model = call.model() == null ? "" : call.model();
      models.call(call.id(), agent, model);
      return model;
    } else if (event instanceof ModelResult result) {
      return models.result(result.id(), agent);
    }
    return null;
  }

  @Override
  public String toString() {
    return place == null ? "text " + text : place + "=" + text;
  }
}

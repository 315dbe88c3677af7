package dev.agentreplay.engine.fork;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The point at which a session is forked from a recording, and the changes from there on. A fork
 * without a change is the control run: it must end as the recording does.
 */
public final class Fork {

  private final long line;
  private final List<ForkChange> changes;

  private Fork(long line, List<ForkChange> changes) {
    this.line = line;
    this.changes = List.copyOf(changes);
  }

  /**
   * A fork without a change.
   *
   * @param line the line of a call in the recording, from 2: what is before it is served;
   *     {@link ForkPoints} has those that are possible
   */
  public static Fork at(long line) {
    if (line < 2) {
      throw new IllegalArgumentException("the line of a fork must be at least 2: " + line);
    }
    return new Fork(line, List.of());
  }

  /**
   * Returns this fork with one more change, after the others.
   *
   * @throws IllegalArgumentException if it is a change of an exchange before the point
   */
  public Fork with(ForkChange change) {
    if (change instanceof ForkChange.OfLine of && of.line() < line) {
      throw new IllegalArgumentException(
          "a fork at line %d cannot change line %d, which is before it".formatted(line, of.line()));
    }
    List<ForkChange> more = new ArrayList<>(changes);
    more.add(Objects.requireNonNull(change, "change"));
    return new Fork(line, more);
  }

  /** Returns this fork with the execution of each model call from the point on. */
  public Fork withModel() {
    return with(new ForkChange.Model());
  }

  /** Returns this fork with the execution of each call of a tool from the point on. */
  public Fork withTool(String name) {
    return with(new ForkChange.Tool(name));
  }

  /** Returns this fork with a new prompt in the model call at the point. */
  public Fork withPrompt(JsonObject prompt) {
    return with(new ForkChange.Prompt(line, prompt));
  }

  /**
   * Returns this fork with a value that is set in the call or the result at the point.
   *
   * @param pointer the place, as in {@code /params/path} or {@code /output/status}
   * @throws IllegalArgumentException as {@link ForkChange#set} throws it
   */
  public Fork set(String pointer, JsonValue value) {
    return with(ForkChange.set(line, JsonPointer.parse(pointer), value));
  }

  /** The line of the recording at which the fork begins. */
  public long line() {
    return line;
  }

  /** The changes, in the order in which they are made. */
  public List<ForkChange> changes() {
    return changes;
  }

  /** The changes as JSON. */
  public JsonArray json() {
    return JsonArray.copyOf(changes.stream().map(ForkChange::json).toList());
  }

  /** Whether calls of models are executed from the point on. */
  public boolean changesModel() {
    return changes.stream().anyMatch(ForkChange.Model.class::isInstance);
  }

  /** Whether calls of a tool are executed from the point on. */
  public boolean changesTool(String name) {
    return changes.contains(new ForkChange.Tool(name));
  }

  @Override
  public String toString() {
    return "fork at line %d with %s".formatted(line, changes.isEmpty() ? "no change" : json());
  }
}

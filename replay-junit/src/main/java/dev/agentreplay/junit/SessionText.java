package dev.agentreplay.junit;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.EventChange;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Sides;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One of two compared sessions as text, so that a line diff of both texts shows how the sessions
 * differ. A matched step is one line, which is the same in both texts even if ignored values
 * differ. Other steps are shown with their events, without ignored members.
 */
final class SessionText {

  /** The side of a session in the comparison. */
  enum Side {
    RECORDING,
    ACTUAL
  }

  private static final int MAX_LENGTH = 1 << 18;
  private static final int MAX_EVENT_LENGTH = 20_000;

  /** The number of steps shown at either end of a run of matched steps. */
  private static final int SHOWN_OF_RUN = 50;

  /** The text of one or more steps, with the index of the first of them on this side. */
  private record Block(int index, String text) {}

  private final SessionDiff diff;
  private final Side side;
  private final List<Block> placed = new ArrayList<>();
  private final List<Block> moved = new ArrayList<>();

  private SessionText(SessionDiff diff, Side side) {
    this.diff = diff;
    this.side = side;
  }

  static String of(SessionDiff diff, Side side) {
    SessionText text = new SessionText(diff, side);
    text.collect();
    return text.join();
  }

  private void collect() {
    List<AlignedStep> alignment = diff.alignment();
    int end;
    for (int i = 0; i < alignment.size(); i = end) {
      end = i;
      while (end < alignment.size() && alignment.get(end).relation() == Relation.MATCHED) {
        end++;
      }
      if (end > i) {
        run(alignment.subList(i, end));
      } else {
        other(alignment.get(end++));
      }
    }
    moved.sort(Comparator.comparingInt(Block::index));
  }

  private void run(List<AlignedStep> run) {
    int hidden = run.size() - 2 * SHOWN_OF_RUN;
    for (int i = 0; i < run.size(); i++) {
      AlignedStep pair = run.get(i);
      int index = Objects.requireNonNull(own(pair)).index();
      if (hidden > 1 && i == SHOWN_OF_RUN) {
        placed.add(new Block(index, "… " + PlainText.count(hidden, "matched step")));
        i += hidden - 1;
      } else {
        placed.add(new Block(index, line(pair.step())));
      }
    }
  }

  private void other(AlignedStep pair) {
    Step own = own(pair);
    if (own == null) {
      return;
    }
    if (pair.relation() == Relation.MOVED) {
      moved.add(new Block(own.index(), line(pair.step())));
    } else {
      placed.add(new Block(own.index(), differing(pair, own)));
    }
  }

  private @Nullable Step own(AlignedStep pair) {
    return side == Side.RECORDING ? pair.left() : pair.right();
  }

  private static String line(Step step) {
    return PlainText.of("%s %s %s".formatted(step.kind().id(), step.name(), step.summary()))
        .strip();
  }

  /** The text of a step that is missing or different in the other session. */
  private String differing(AlignedStep pair, Step own) {
    List<EventChange> changes = changes(pair);
    // if the call itself differs, its event shows the parameters
    boolean isCallShown = changes.stream()
        .anyMatch(change -> isAt(change.left(), pair.left()) || isAt(change.right(), pair.right()));
    StringBuilder text = new StringBuilder(
        isCallShown ? PlainText.of(own.kind().id() + " " + own.name()) : line(pair.step()));
    for (EventChange change : changes) {
      JsonObject event = event(change);
      if (event != null) {
        text.append('\n')
            .append(Shown.lines(JsonText.pretty(event), MAX_EVENT_LENGTH, ", " + hash(own)));
      }
    }
    if (changes.isEmpty()) {
      text.append("\n… differs, ").append(hash(own));
    }
    return text.toString();
  }

  private static boolean isAt(EventChange.@Nullable Event event, @Nullable Step step) {
    return event != null && step != null && event.line() == step.line();
  }

  private static String hash(Step step) {
    return step.fingerprint().toString();
  }

  /** The events that differ, in order; empty if the divergence is not listed. */
  private List<EventChange> changes(AlignedStep pair) {
    Integer number = pair.divergence();
    if (number == null || number >= diff.divergences().size()) {
      return List.of();
    }
    Divergence divergence = diff.divergences().get(number);
    return divergence.changes().stream()
        .sorted(Comparator.comparingLong(change -> change.sides().any().line()))
        .toList();
  }

  /** The event on this side, without members whose differences are ignored. */
  private @Nullable JsonObject event(EventChange change) {
    Sides<JsonObject> events = change.sides().map(EventChange.Event::json);
    JsonObject own = side == Side.RECORDING ? events.left() : events.right();
    if (own == null || !(events instanceof Sides.Both<JsonObject> both)) {
      return own;
    }
    Predicate<String> isEqual =
        name -> Objects.equals(both.left().get(name), both.right().get(name));
    Set<String> differing = differing(change);
    String[] ignored = own.names().stream()
        .filter(name -> !differing.contains(name) && !isEqual.test(name))
        .toArray(String[]::new);
    // a value in a blob, or in a different dialect, has a different name in the event
    return differing.stream().allMatch(isEqual) ? own : own.without(ignored);
  }

  /** The members of an event that have differences. */
  private static Set<String> differing(EventChange change) {
    Set<String> names = new LinkedHashSet<>();
    change.values().forEach(value -> {
      names.add(member(value.pointer()));
      names.add(member(value.rightPointer()));
    });
    return names;
  }

  private static String member(String pointer) {
    return pointer.isEmpty() ? "" : JsonPointer.parse(pointer).tokens().get(0);
  }

  private String join() {
    Deque<Block> waiting = new ArrayDeque<>(moved);
    List<Block> all = new ArrayList<>(placed.size() + moved.size());
    for (Block block : placed) {
      while (!waiting.isEmpty() && waiting.element().index() < block.index()) {
        all.add(waiting.remove());
      }
      all.add(block);
    }
    all.addAll(waiting);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      if (text.length() > MAX_LENGTH) {
        return text.append("… ")
            .append(PlainText.count(all.size() - i, "more line"))
            .append(" of steps\n")
            .toString();
      }
      text.append(all.get(i).text()).append('\n');
    }
    return text.toString();
  }
}

package dev.agentreplay.engine.fork;

import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The points at which a session can be forked from a recording: before each call of a tool or
 * model, and each nondeterministic value, unless what is before it cannot be served completely.
 *
 * <p>A point is refused if
 *
 * <ul>
 *   <li>the recording is a published copy,
 *   <li>a call before it has its result after it, or none, unless that call started an agent,
 *   <li>a result before it is known by its hash only, or its blob is missing or damaged,
 *   <li>the recording states that events before it are missing,
 *   <li>nothing is before it.
 * </ul>
 */
public final class ForkPoints {

  private final List<ForkPoint> all;

  private final Map<String, Long> agents;

  private ForkPoints(List<ForkPoint> all, Map<String, Long> agents) {
    this.all = List.copyOf(all);
    this.agents = Map.copyOf(agents);
  }

  /** Reads the points of a recording of whose tools only the annotations are known. */
  public static ForkPoints of(Session session) throws IOException {
    return of(session, Map.of());
  }

  /**
   * Reads the points of a recording.
   *
   * @param effects the effects of tools that are declared, by their names: a tool that is not is
   *     {@link Effect#EXTERNAL}
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line cannot be read
   */
  public static ForkPoints of(Session session, Map<String, Effect> effects) throws IOException {
    PointBuilder builder = new PointBuilder(session, Objects.requireNonNull(effects, "effects"));
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        builder.add(line);
      }
    }
    return new ForkPoints(builder.build(), builder.agents());
  }

  /** All points, in the order of their lines, also those that are refused. */
  public List<ForkPoint> all() {
    return all;
  }

  /** The points at which a session can be forked. */
  public List<ForkPoint> possible() {
    return all.stream().filter(ForkPoint::isPossible).toList();
  }

  /** The point on a line; null if the line is not that of a call or value. */
  public @Nullable ForkPoint at(long line) {
    int found = indexFrom(line);
    return found < all.size() && all.get(found).line() == line ? all.get(found) : null;
  }

  /**
   * The agents that have ended before a line, because the calls that started them have their
   * results before it: a fork that is served such a result need not run the agent again.
   */
  public Set<String> agentsEndedBefore(long line) {
    Set<String> ended = new TreeSet<>();
    agents.forEach((agent, result) -> {
      if (result < line) {
        ended.add(agent);
      }
    });
    return ended;
  }

  /** The possible points nearest to a line: the last before it and the first after it. */
  public List<ForkPoint> nearest(long line) {
    int index = indexFrom(line);
    List<ForkPoint> nearest = new ArrayList<>();
    for (int before = index - 1; before >= 0 && nearest.isEmpty(); before--) {
      add(all.get(before), nearest);
    }
    int found = nearest.size();
    for (int after = index; after < all.size() && nearest.size() == found; after++) {
      add(all.get(after), nearest);
    }
    return nearest;
  }

  private static void add(ForkPoint point, List<ForkPoint> nearest) {
    if (point.isPossible()) {
      nearest.add(point);
    }
  }

  /** The index of the first point that is not before a line. */
  private int indexFrom(long line) {
    int low = 0;
    int high = all.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all.get(middle).line() < line) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

package dev.agentreplay.engine.replay.divergence;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.SessionDiff;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The divergences of a comparison that follow from exchanges that were not executed: their agent
 * did not get what it got when it was recorded, so that they show nothing.
 */
public final class Consequences {

  /** The numbers of the divergences that follow from such exchanges, with those of these. */
  private final Set<Integer> numbers = new HashSet<>();

  private Consequences() {}

  /**
   * Finds the divergences.
   *
   * @param notExecuted the numbers of the divergences of the exchanges
   */
  public static Consequences of(@Nullable SessionDiff diff, Set<Integer> notExecuted) {
    Consequences found = new Consequences();
    if (diff == null || notExecuted.isEmpty()) {
      return found;
    }
    found.numbers.addAll(notExecuted);
    Map<Integer, Integer> causes = new HashMap<>();
    for (Divergence divergence : diff.divergences()) {
      Integer cause = divergence.cause().divergence();
      if (cause != null) {
        causes.put(divergence.number(), cause);
      }
    }
    Set<Integer> others = new HashSet<>();
    for (Integer start : causes.keySet()) {
      Set<Integer> path = new HashSet<>();
      Integer number = start;
      while (number != null
          && !found.numbers.contains(number)
          && !others.contains(number)
          && path.add(number)) { // a lane may be the cause of the call that started it
        number = causes.get(number);
      }
      (number != null && found.numbers.contains(number) ? found.numbers : others).addAll(path);
    }
    return found;
  }

  /** Whether a divergence of the comparison is one of them. */
  public boolean contains(Divergence divergence) {
    return numbers.contains(divergence.number());
  }
}

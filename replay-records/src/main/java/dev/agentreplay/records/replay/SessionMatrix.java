package dev.agentreplay.records.replay;

import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.SessionRecord;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Several comparisons of one record, one for each roster. Immutable.
 *
 * <p>The rosters that are closest to the recorded session and farthest from it are only named if
 * all comparisons are complete and decided, and no other roster has the same similarity.
 */
public final class SessionMatrix {

  private final List<Comparison> comparisons;

  /**
   * A comparison with a roster.
   *
   * @param name the name of the roster, not empty
   * @param result the result of the comparison
   */
  public record Comparison(String name, SessionReplayResult result) {

    /**
     * Checks for null.
     *
     * @throws IllegalArgumentException if the name is empty, or the result is not that of a
     *     comparison
     */
    public Comparison {
      Objects.requireNonNull(result, "result");
      if (name.isEmpty()) {
        throw new IllegalArgumentException("the name of a roster must not be empty");
      }
      if (result.report().mode() != RecordReplayReport.Mode.COMPARISON) {
        throw new IllegalArgumentException("%s: expected a comparison, found a %s"
            .formatted(name, result.report().mode().id()));
      }
    }

    /** The similarity of the session, in percent. */
    public double similarity() {
      return result.report().similarity().percentage();
    }

    /** The similarity of the final artifact, in percent; null if it was not compared. */
    public @Nullable Double artifact() {
      return result.isArtifactCompared() ? result.report().similarity().artifact() : null;
    }

    /** The numbers of messages that matched, diverged and are undecided. */
    public DivergenceTally tally() {
      return DivergenceTally.of(result);
    }

    /** Whether the comparison is complete, and each message and the artifact decided. */
    public boolean isDecided() {
      return switch (result.verdict()) {
        case MATCHED, DIVERGED -> tally().undecided() == 0;
        case UNDECIDED, INCOMPLETE -> false;
      };
    }
  }

  private SessionMatrix(List<Comparison> comparisons) {
    this.comparisons = List.copyOf(comparisons);
  }

  /**
   * Creates the matrix of comparisons.
   *
   * @throws IllegalArgumentException if there are none, two have the same name, or two are of
   *     different records
   */
  public static SessionMatrix of(List<Comparison> comparisons) {
    if (comparisons.isEmpty()) {
      throw new IllegalArgumentException("a matrix needs a comparison");
    }
    SessionRecord original = comparisons.get(0).result().original();
    Set<String> names = new HashSet<>();
    for (Comparison comparison : comparisons) {
      if (!names.add(comparison.name())) {
        throw new IllegalArgumentException("two rosters have the name " + comparison.name());
      }
      if (!comparison.result().original().equals(original)) {
        throw new IllegalArgumentException("%s: expected a comparison of %s, found one of %s"
            .formatted(
                comparison.name(), original.id(), comparison.result().original().id()));
      }
    }
    return new SessionMatrix(comparisons);
  }

  /** The record that was replayed. */
  public SessionRecord original() {
    return comparisons.get(0).result().original();
  }

  /** The comparisons, in the order in which they were given. */
  public List<Comparison> comparisons() {
    return comparisons;
  }

  /** The comparison with the highest similarity; null if it is not decided which it is. */
  public @Nullable Comparison closest() {
    return only(Comparator.comparing(Comparison::similarity).reversed());
  }

  /** The comparison with the lowest similarity; null if it is not decided which it is. */
  public @Nullable Comparison farthest() {
    return only(Comparator.comparing(Comparison::similarity));
  }

  private @Nullable Comparison only(Comparator<Comparison> order) {
    if (comparisons.size() < 2 || !comparisons.stream().allMatch(Comparison::isDecided)) {
      return null;
    }
    List<Comparison> sorted = comparisons.stream().sorted(order).toList();
    return order.compare(sorted.get(0), sorted.get(1)) == 0 ? null : sorted.get(0);
  }

  /**
   * The worst verdict: incomplete, undecided, diverged, matched, in this order. The exit code of a
   * matrix follows from it.
   */
  public SessionReplayVerdict verdict() {
    return comparisons.stream()
        .map(comparison -> comparison.result().verdict())
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }
}

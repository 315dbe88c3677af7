package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.diff.DivergenceSeverity.MAJOR;
import static dev.agentreplay.engine.diff.DivergenceSeverity.MINOR;
import static dev.agentreplay.engine.diff.DivergenceSeverity.MODERATE;

import java.util.EnumSet;
import java.util.Set;

/** The rules that {@link SeverityPolicy#defaults} documents. */
final class DefaultSeverity implements SeverityPolicy {

  static final DefaultSeverity INSTANCE = new DefaultSeverity();

  private static final Set<DivergenceKind> OUTCOMES =
      EnumSet.of(DivergenceKind.OUTCOME, DivergenceKind.END);
  private static final Set<DivergenceKind> ASSESSMENTS =
      EnumSet.of(DivergenceKind.ASSESSMENT, DivergenceKind.OTHER);
  private static final Set<DivergenceKind> STRICT =
      EnumSet.of(DivergenceKind.IDENTITY, DivergenceKind.TIMING);

  private DefaultSeverity() {}

  @Override
  public SeverityRating judge(Change change) {
    switch (change.kind()) {
      case MISSING, ADDED -> {
        return SeverityRating.of(MAJOR, "step");
      }
      case TOOL -> {
        return SeverityRating.of(MAJOR, "tool");
      }
      case MOVED -> {
        return SeverityRating.of(MODERATE, "order");
      }
      default -> {}
    }
    if (change.kinds().stream().anyMatch(OUTCOMES::contains)) {
      return SeverityRating.of(MAJOR, "outcome");
    }
    if (change.isClose()) {
      return SeverityRating.of(MINOR, "close");
    }
    if (STRICT.containsAll(change.kinds())) {
      return SeverityRating.of(MINOR, "strict");
    }
    boolean isKnown = change.step().kind() != StepKind.OTHER;
    if (isKnown
        && change.kinds().stream().allMatch(k -> ASSESSMENTS.contains(k) || STRICT.contains(k))) {
      return SeverityRating.of(MINOR, "assessment");
    }
    return SeverityRating.of(MODERATE, "content");
  }
}

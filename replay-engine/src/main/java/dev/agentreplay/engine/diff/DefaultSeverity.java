package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.diff.DivergenceSeverity.MAJOR;
import static dev.agentreplay.engine.diff.DivergenceSeverity.MINOR;
import static dev.agentreplay.engine.diff.DivergenceSeverity.MODERATE;
import static dev.agentreplay.engine.diff.DivergenceSeverity.NONE;

import java.util.EnumSet;
import java.util.Set;

/** The default rules, as {@link SeverityPolicy#defaults} documents them. */
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
        return new SeverityRating(MAJOR, "step");
      }
      case TOOL -> {
        return new SeverityRating(MAJOR, "tool");
      }
      case MOVED -> {
        return new SeverityRating(MODERATE, "order");
      }
      case WITHHELD -> {
        return new SeverityRating(NONE, "withheld");
      }
      default -> {}
    }
    if (change.kinds().stream().anyMatch(OUTCOMES::contains)) {
      return new SeverityRating(MAJOR, "outcome");
    }
    if (change.isClose()) {
      return new SeverityRating(MINOR, "close");
    }
    if (STRICT.containsAll(change.kinds())) {
      return new SeverityRating(MINOR, "strict");
    }
    boolean isKnown = change.step().kind() != StepKind.OTHER;
    if (isKnown
        && change.kinds().stream().allMatch(k -> ASSESSMENTS.contains(k) || STRICT.contains(k))) {
      return new SeverityRating(MINOR, "assessment");
    }
    return new SeverityRating(MODERATE, "content");
  }
}

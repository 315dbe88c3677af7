package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.diff.DivergenceSeverity.MAJOR;
import static dev.agentreplay.engine.diff.DivergenceSeverity.MINOR;
import static dev.agentreplay.engine.diff.DivergenceSeverity.MODERATE;

import java.util.EnumSet;
import java.util.Set;

/** The rules that {@link SeverityRules#defaults} documents. */
final class DefaultSeverity implements SeverityRules {

  static final DefaultSeverity INSTANCE = new DefaultSeverity();

  private static final Set<DivergenceKind> OUTCOMES =
      EnumSet.of(DivergenceKind.OUTCOME, DivergenceKind.END);
  private static final Set<DivergenceKind> ASSESSMENTS =
      EnumSet.of(DivergenceKind.ASSESSMENT, DivergenceKind.OTHER);
  private static final Set<DivergenceKind> STRICT =
      EnumSet.of(DivergenceKind.IDENTITY, DivergenceKind.TIMING);

  private DefaultSeverity() {}

  @Override
  public Ruling judge(Change change) {
    switch (change.kind()) {
      case MISSING, ADDED -> {
        return new Ruling(MAJOR, "step");
      }
      case TOOL -> {
        return new Ruling(MAJOR, "tool");
      }
      case MOVED -> {
        return new Ruling(MODERATE, "order");
      }
      default -> {}
    }
    if (change.kinds().stream().anyMatch(OUTCOMES::contains)) {
      return new Ruling(MAJOR, "outcome");
    }
    if (change.isClose()) {
      return new Ruling(MINOR, "close");
    }
    if (STRICT.containsAll(change.kinds())) {
      return new Ruling(MINOR, "strict");
    }
    boolean isKnown = change.step().kind() != StepKind.OTHER;
    if (isKnown
        && change.kinds().stream().allMatch(k -> ASSESSMENTS.contains(k) || STRICT.contains(k))) {
      return new Ruling(MINOR, "assessment");
    }
    return new Ruling(MODERATE, "content");
  }
}

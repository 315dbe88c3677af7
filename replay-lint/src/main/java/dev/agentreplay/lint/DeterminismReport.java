package dev.agentreplay.lint;

import dev.agentreplay.lint.pattern.Category;
import dev.agentreplay.lint.pattern.Suppression;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The result of a {@link DeterminismScan}. Everything in it is sorted: equal inputs have equal
 * reports. Immutable.
 */
public final class DeterminismReport {

  /** The value of the member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.lint/1";

  private final List<DeterminismFinding> findings;
  private final List<SuppressedFinding> suppressed;
  private final List<Suppression> unusedSuppressions;
  private final List<ScanProblem> problems;
  private final List<String> unmatchedEntries;
  private final List<String> unresolved;
  private final Counts counts;

  /**
   * The size of a scan.
   *
   * @param classes the scanned classes
   * @param methods their methods
   * @param entryPoints the methods at which agents begin
   * @param reached the methods that are reached from them
   */
  record Counts(int classes, int methods, int entryPoints, int reached) {}

  DeterminismReport(
      List<DeterminismFinding> findings,
      List<SuppressedFinding> suppressed,
      List<Suppression> unusedSuppressions,
      List<ScanProblem> problems,
      List<String> unmatchedEntries,
      Collection<String> unresolved,
      Counts counts) {
    this.findings = List.copyOf(findings);
    this.suppressed = List.copyOf(suppressed);
    this.unusedSuppressions = List.copyOf(unusedSuppressions);
    this.problems = List.copyOf(problems);
    this.unmatchedEntries = List.copyOf(unmatchedEntries);
    this.unresolved = List.copyOf(unresolved);
    this.counts = counts;
  }

  /** The nondeterministic calls, by class, method and line. */
  public List<DeterminismFinding> findings() {
    return findings;
  }

  /** The findings that a suppression covers, on each way to them. */
  public List<SuppressedFinding> suppressed() {
    return suppressed;
  }

  /** The suppressions that cover no finding, and can be removed. */
  public List<Suppression> unusedSuppressions() {
    return unusedSuppressions;
  }

  /** The inputs that were not scanned as they are, such as broken class files and jars in jars. */
  public List<ScanProblem> problems() {
    return problems;
  }

  /** The requested entry points that match no scanned method. */
  public List<String> unmatchedEntries() {
    return unmatchedEntries;
  }

  /**
   * The names of the classes that scanned code extends or calls, and that are neither scanned nor
   * in the class path or the JDK: overridden methods of theirs are not known.
   */
  public List<String> unresolved() {
    return unresolved;
  }

  /** The number of scanned classes. */
  public int classes() {
    return counts.classes();
  }

  /** The number of methods of the scanned classes. */
  public int methods() {
    return counts.methods();
  }

  /** The number of methods at which agents begin. */
  public int entryPoints() {
    return counts.entryPoints();
  }

  /** The number of methods that are reached from the entry points, with these. */
  public int reachedMethods() {
    return counts.reached();
  }

  /**
   * Whether nothing was found in code that was scanned as a whole: there is an entry point, each
   * requested one exists, and each input could be read.
   */
  public boolean isDeterministic() {
    return findings.isEmpty()
        && entryPoints() > 0
        && unmatchedEntries.isEmpty()
        && problems.stream().noneMatch(ScanProblem::isUnreadable);
  }

  /** The number of findings of each category that has one. */
  public Map<Category, Integer> categoryCounts() {
    Map<Category, Integer> found = new EnumMap<>(Category.class);
    findings.forEach(finding -> found.merge(finding.category(), 1, Integer::sum));
    return Collections.unmodifiableMap(found);
  }

  /** The JSON form, with the schema {@value #SCHEMA}. */
  public JsonObject toJson() {
    JsonObject.Builder categories = JsonObject.builder();
    categoryCounts().forEach((category, number) -> categories.put(category.id(), number));
    return JsonObject.builder()
        .put("schema", SCHEMA)
        .put("deterministic", isDeterministic())
        .put("classes", classes())
        .put("methods", methods())
        .put("entry_points", entryPoints())
        .put("reached_methods", reachedMethods())
        .put("categories", categories.build())
        .put("findings", array(findings, finding -> finding.json().build()))
        .put("suppressed", array(suppressed, SuppressedFinding::json))
        .put("unused_suppressions", array(unusedSuppressions, DeterminismReport::json))
        .put("problems", array(problems, ScanProblem::json))
        .put("unmatched_entries", unmatchedEntries)
        .put("unresolved", unresolved)
        .build();
  }

  private static JsonObject json(Suppression suppression) {
    return JsonObject.of(
        "suppression",
        suppression.toString(),
        "reason",
        suppression.reason(),
        "source",
        suppression.source());
  }

  private static <T> JsonArray array(List<T> list, Function<T, ? extends JsonValue> json) {
    return JsonArray.copyOf(list.stream().map(json).toList());
  }

  /** Returns the text form, as {@link LintText#render} does. */
  @Override
  public String toString() {
    return LintText.render(this);
  }
}

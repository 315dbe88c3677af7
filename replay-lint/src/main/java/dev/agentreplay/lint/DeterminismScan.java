package dev.agentreplay.lint;

import dev.agentreplay.lint.code.ClassIndex;
import dev.agentreplay.lint.code.ClassInfo;
import dev.agentreplay.lint.code.CodeStore;
import dev.agentreplay.lint.code.Hierarchy;
import dev.agentreplay.lint.code.OrderRules;
import dev.agentreplay.lint.code.PathList;
import dev.agentreplay.lint.code.ReadProblem;
import dev.agentreplay.lint.code.Verdicts;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.MemberPattern;
import dev.agentreplay.lint.pattern.Suppression;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The determinism check of agents, which reads class files and runs nothing: it follows the calls
 * from the entry points of agents, and reports each use of time, random numbers, ids, environment,
 * iteration without an order, threads, files and network that bypasses the context.
 *
 * <pre>{@code
 * DeterminismReport report = DeterminismScan.of(Path.of("target/classes")).check();
 * System.out.print(LintText.render(report));
 * }</pre>
 *
 * <p>Immutable, safe for use by several threads; each {@link #check} reads the files again.
 * Outlines of all classes are kept in memory during a check, about 5 KB for each class, and the
 * code of a limited number of methods.
 */
public final class DeterminismScan {

  private final List<Path> inputs;
  private final List<Path> classPath;
  private final List<MemberPattern> entries;
  private final List<MemberPattern> classes;
  private final LintPatterns patterns;
  private final List<Suppression> suppressions;

  private DeterminismScan(
      List<Path> inputs,
      List<Path> classPath,
      List<MemberPattern> entries,
      List<MemberPattern> classes,
      LintPatterns patterns,
      List<Suppression> suppressions) {
    this.inputs = List.copyOf(inputs);
    this.classPath = List.copyOf(classPath);
    this.entries = List.copyOf(entries);
    this.classes = List.copyOf(classes);
    this.patterns = patterns;
    this.suppressions = List.copyOf(suppressions);
  }

  /**
   * A scan of directories and jars, with the default entry points and patterns. A jar with several
   * releases is read as the running JDK does. Jars in a jar or directory are reported, and not
   * opened, unless they are inputs or in the class path themselves.
   *
   * @param inputs directories with class files, which may be of the file system {@code jrt:}, and
   *     jars
   */
  public static DeterminismScan of(Path... inputs) {
    return of(Arrays.asList(inputs));
  }

  /** Returns the same as {@link #of(Path...)}. */
  public static DeterminismScan of(List<Path> inputs) {
    return new DeterminismScan(
        inputs, List.of(), List.of(), List.of(), LintPatterns.defaults(), List.of());
  }

  /**
   * A scan of some loaded classes, and of what they call in the directories or jars that they are
   * from. The entry points are the default ones of these classes; all methods of a class that has
   * none. Class path and module path of the running JVM are used for supertypes.
   *
   * @throws IllegalArgumentException if there is no class, or one has no directory or jar, such as
   *     those of the JDK
   */
  public static DeterminismScan ofClasses(Class<?>... classes) {
    if (classes.length == 0) {
      throw new IllegalArgumentException("expected a class, found none");
    }
    Set<Path> inputs = new LinkedHashSet<>();
    List<MemberPattern> patterns = new ArrayList<>();
    for (Class<?> type : classes) {
      inputs.add(LoadedClasses.place(type));
      patterns.add(LoadedClasses.pattern(type));
    }
    return new DeterminismScan(
        List.copyOf(inputs),
        PathList.ofJvm(),
        List.of(),
        patterns,
        LintPatterns.defaults(),
        List.of());
  }

  /**
   * Returns a scan with these entry points instead of the default ones.
   *
   * @param added patterns of methods or classes, such as {@code com.acme.Agent.run}
   * @throws IllegalArgumentException if one of them is not a pattern
   */
  public DeterminismScan withEntries(String... added) {
    List<MemberPattern> parsed = Arrays.stream(added).map(MemberPattern::parse).toList();
    return new DeterminismScan(inputs, classPath, parsed, classes, patterns, suppressions);
  }

  /**
   * Returns a scan with other patterns; {@link LintPatterns#plus} adds some to the default ones.
   */
  public DeterminismScan withPatterns(LintPatterns changed) {
    return new DeterminismScan(inputs, classPath, entries, classes, changed, suppressions);
  }

  /** Returns a scan with suppressions, in addition to those of annotations. */
  public DeterminismScan withSuppressions(List<Suppression> changed) {
    return new DeterminismScan(inputs, classPath, entries, classes, patterns, changed);
  }

  /**
   * Returns a scan that looks up supertypes in further directories and jars, whose code is not
   * followed.
   */
  public DeterminismScan withClassPath(List<Path> changed) {
    return new DeterminismScan(inputs, changed, entries, classes, patterns, suppressions);
  }

  /**
   * Scans. Files that cannot be read are problems of the report.
   *
   * @throws IOException if a file cannot be closed
   */
  public DeterminismReport check() throws IOException {
    try (ClassIndex index = ClassIndex.read(inputs, classPath, patterns)) {
      Hierarchy hierarchy = new Hierarchy(index);
      CodeStore code = new CodeStore(index, new OrderRules(patterns, hierarchy));
      Verdicts verdicts = new Verdicts(patterns, index, hierarchy);
      EntryPoints entryPoints = new EntryPoints(index, hierarchy, verdicts);
      if (!entries.isEmpty()) {
        entryPoints.addMatches(entries);
      } else if (!classes.isEmpty()) {
        entryPoints.addDefaultsOf(classes, patterns);
      } else {
        entryPoints.addDefaults(patterns);
      }
      Allowances allowances = new Allowances(suppressions, index);
      Traversal traversal = new Traversal(
          index, code, verdicts, new Dispatch(index, hierarchy, verdicts), allowances);
      traversal.run(entryPoints.found());
      return report(index, hierarchy, entryPoints, traversal, allowances);
    }
  }

  private DeterminismReport report(
      ClassIndex index,
      Hierarchy hierarchy,
      EntryPoints entryPoints,
      Traversal traversal,
      Allowances allowances) {
    Set<String> unresolved = new TreeSet<>();
    for (String name : hierarchy.unresolved()) {
      if (!index.isTrusted(name)) {
        unresolved.add(name.replace('/', '.'));
      }
    }
    int methods =
        index.scanned().stream().map(ClassInfo::methods).mapToInt(List::size).sum();
    return new DeterminismReport(
        traversal.found().active(),
        traversal.found().suppressed(),
        allowances.unused(!classes.isEmpty()),
        index.problems().stream()
            .distinct()
            .sorted(Comparator.comparing(ReadProblem::file).thenComparing(ReadProblem::kind))
            .map(ScanProblem::new)
            .toList(),
        entryPoints.unmatched(),
        unresolved,
        new DeterminismReport.Counts(
            index.scanned().size(), methods, entryPoints.found().size(), traversal.reached()));
  }
}

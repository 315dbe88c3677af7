package dev.agentreplay.lint.code;

import dev.agentreplay.lint.code.ReadProblem.Kind;
import dev.agentreplay.lint.pattern.Directive;
import dev.agentreplay.lint.pattern.Directive.Question;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.LintRule;
import dev.agentreplay.lint.pattern.MemberPattern;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The outlines of the scanned classes, and of those of class path and JDK that they use. Not safe
 * for use by several threads.
 */
public final class ClassIndex implements Closeable {

  private final LintPatterns patterns;
  private final OutlineReader outlines;
  private final List<ClassPlace> places = new ArrayList<>();
  private final Map<String, ClassInfo> scanned = new TreeMap<>();
  private final List<ReadProblem> problems = new ArrayList<>();
  private final LibraryClasses libraries;

  private ClassIndex(LintPatterns patterns) {
    this.patterns = patterns;
    List<MemberPattern> entries = patterns.rules().stream()
        .filter(rule -> rule.directive() == Directive.ENTRY)
        .map(LintRule::pattern)
        .toList();
    outlines = new OutlineReader(
        descriptor -> entries.stream().anyMatch(entry -> entry.matchesArgument(descriptor)),
        this::isTrusted);
    libraries = new LibraryClasses(outlines, problems);
  }

  /**
   * Reads the outlines of all classes in directories and jars.
   *
   * @param inputs the directories and jars whose classes are scanned
   * @param classPath directories and jars with further supertypes
   */
  public static ClassIndex read(
      Collection<Path> inputs, Collection<Path> classPath, LintPatterns patterns) {
    ClassIndex index = new ClassIndex(patterns);
    Set<Path> given = new HashSet<>(realPaths(inputs));
    given.addAll(realPaths(classPath));
    for (Path path : inputs) {
      ClassPlace place = index.open(path, given);
      if (place != null) {
        index.read(place);
      }
    }
    for (Path path : classPath) {
      ClassPlace place = index.open(path, given);
      if (place != null) {
        index.libraries.add(place);
      }
    }
    return index;
  }

  private static List<Path> realPaths(Collection<Path> paths) {
    List<Path> real = new ArrayList<>();
    for (Path path : paths) {
      try {
        real.add(path.toRealPath());
      } catch (IOException e) {
        // it is a problem when it is opened
      }
    }
    return real;
  }

  private @Nullable ClassPlace open(Path path, Set<Path> given) {
    try {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString(), null, "not found");
      }
      ClassPlace place = Files.isDirectory(path) ? new FolderPlace(path, given) : jar(path);
      places.add(place);
      return place;
    } catch (IOException e) {
      problems.add(new ReadProblem(path.toString(), Kind.INPUT, reason(e)));
      return null;
    }
  }

  private static ClassPlace jar(Path path) throws IOException {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new IOException("expected a directory, found a file of " + path.getFileSystem());
    }
    return new JarPlace(path);
  }

  static String reason(Exception e) {
    String message = String.valueOf(e.getMessage());
    return e instanceof NoSuchFileException
        ? "not found"
        : e.getClass().getSimpleName() + ": " + message;
  }

  private void read(ClassPlace place) {
    List<String> files;
    try {
      for (String jar : place.nestedJars()) {
        problems.add(nestedJar(place, jar));
      }
      files = place.classFiles();
    } catch (IOException e) {
      problems.add(new ReadProblem(place.name(), Kind.INPUT, reason(e)));
      return;
    }
    for (String file : files) {
      ClassInfo outline = BrokenClasses.guard(
          place.describe(file), problems, () -> outlines.read(place.read(file), place, file));
      if (outline != null && scanned.putIfAbsent(outline.name(), outline) != null) {
        problems.add(new ReadProblem(
            place.describe(file),
            Kind.DUPLICATE_CLASS,
            "skipped: the class is in an earlier file, too"));
      }
    }
  }

  private static ReadProblem nestedJar(ClassPlace place, String jar) {
    return place.isLoaded(jar)
        ? new ReadProblem(
            place.describe(jar), Kind.NESTED_JAR, "not scanned: %s".formatted(place.remedy()))
        : new ReadProblem(
            place.describe(jar),
            Kind.RESOURCE_JAR,
            "not scanned: taken as a resource; if classes are loaded from it, %s"
                .formatted(place.remedy()));
  }

  /** The scanned classes, sorted by name. */
  public Collection<ClassInfo> scanned() {
    return Collections.unmodifiableCollection(scanned.values());
  }

  /** Returns a class; null if it is nowhere. Arrays have the methods of Object. */
  public @Nullable ClassInfo find(String name) {
    ClassInfo found = scanned.get(name);
    return found == null ? libraries.find(name) : found;
  }

  /** The problems so far. */
  public List<ReadProblem> problems() {
    return problems;
  }

  /** Reads the code of a scanned class again. */
  byte @Nullable [] code(ClassInfo type) {
    ClassPlace place = type.place();
    if (place == null) {
      return null;
    }
    try {
      return place.read(type.file());
    } catch (IOException e) {
      problems.add(new ReadProblem(place.describe(type.file()), Kind.INPUT, reason(e)));
      return null;
    }
  }

  /** Whether the methods of a class, which may be missing, are judged by patterns alone. */
  public boolean isTrusted(String name) {
    LintRule rule = patterns.find(Question.TRUST, name, "", "");
    return rule != null && rule.directive() == Directive.TRUST;
  }

  /** The subtypes among the scanned classes, by the names of their supertypes. */
  public Map<String, List<ClassInfo>> subtypes(Hierarchy hierarchy) {
    Map<String, List<ClassInfo>> subtypes = new HashMap<>();
    for (ClassInfo type : scanned.values()) {
      if (type.descended()) {
        for (String supertype : hierarchy.supertypes(type.name())) {
          if (!supertype.equals("java/lang/Object")) {
            subtypes.computeIfAbsent(supertype, name -> new ArrayList<>()).add(type);
          }
        }
      }
    }
    return subtypes;
  }

  @Override
  public void close() throws IOException {
    for (ClassPlace place : places) {
      place.close();
    }
  }
}

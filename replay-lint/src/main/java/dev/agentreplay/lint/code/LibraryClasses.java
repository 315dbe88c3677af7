package dev.agentreplay.lint.code;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The outlines of classes that are not scanned: those of the class path, and of the JDK. */
final class LibraryClasses {

  /** A class file of the class path. */
  private record File(ClassPlace place, String name) {}

  private final OutlineReader outlines;
  private final List<ReadProblem> problems;
  private final Map<String, File> files = new HashMap<>();
  private final Map<String, Optional<ClassInfo>> found = new HashMap<>();

  LibraryClasses(OutlineReader outlines, List<ReadProblem> problems) {
    this.outlines = outlines;
    this.problems = problems;
  }

  /** Adds the classes of a place, which are looked up by their names. */
  void add(ClassPlace place) {
    try {
      for (String file : place.classFiles()) {
        String name = file.substring(0, file.length() - ".class".length());
        files.putIfAbsent(name, new File(place, file));
      }
    } catch (IOException e) {
      problems.add(new ReadProblem(place.name(), ReadProblem.Kind.INPUT, ClassIndex.reason(e)));
    }
  }

  @Nullable
  ClassInfo find(String name) {
    if (name.startsWith("[")) {
      return find("java/lang/Object");
    }
    Optional<ClassInfo> known = found.get(name);
    if (known == null) {
      known = Optional.ofNullable(read(name));
      found.put(name, known);
    }
    return known.orElse(null);
  }

  private @Nullable ClassInfo read(String name) {
    File file = files.get(name);
    if (file != null) {
      return BrokenClasses.guard(
          file.place().describe(file.name()),
          problems,
          () -> outlines.read(file.place().read(file.name()), null, file.name()));
    }
    String resource = name + ".class";
    return BrokenClasses.guard("jrt:/" + resource, problems, () -> {
      // the class is not loaded, only its file is read
      try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(resource)) {
        return in == null ? null : outlines.read(in.readAllBytes(), null, resource);
      }
    });
  }
}

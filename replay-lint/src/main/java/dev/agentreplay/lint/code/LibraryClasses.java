package dev.agentreplay.lint.code;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The outlines of classes that are not scanned: those of the class path, and of the JDK. */
final class LibraryClasses {

  private final OutlineReader outlines;
  private final List<ReadProblem> problems;
  private final List<ClassPlace> places = new ArrayList<>();
  private final Map<String, Optional<ClassInfo>> found = new HashMap<>();

  LibraryClasses(OutlineReader outlines, List<ReadProblem> problems) {
    this.outlines = outlines;
    this.problems = problems;
  }

  /** Adds the classes of a place, which are looked up by their names. */
  void add(ClassPlace place) {
    places.add(place);
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
    String file = name + ".class";
    if (name.startsWith("java/")) {
      return ofJdk(file); // which no class path may have
    }
    for (Iterator<ClassPlace> all = places.iterator(); all.hasNext(); ) {
      ClassPlace place = all.next();
      try {
        if (place.has(file)) {
          return BrokenClasses.guard(
              place.describe(file), problems, () -> outlines.read(place.read(file), null, file));
        }
      } catch (IOException e) {
        problems.add(new ReadProblem(place.name(), ReadProblem.Kind.INPUT, ClassIndex.reason(e)));
        all.remove();
      }
    }
    return ofJdk(file);
  }

  private @Nullable ClassInfo ofJdk(String file) {
    return BrokenClasses.guard("jrt:/" + file, problems, () -> {
      // the class is not loaded, only its file is read
      try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(file)) {
        return in == null ? null : outlines.read(in.readAllBytes(), null, file);
      }
    });
  }
}

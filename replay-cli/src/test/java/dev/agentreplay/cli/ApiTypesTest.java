package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.langchain4j.AiServiceRecorder;
import dev.agentreplay.otel.LiveSpans;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The types of the API, as {@code api-types.txt} has them: what modules export, which subtypes
 * sealed types permit, what records consist of, which constants enums have, and what users may
 * implement. japicmp compares methods and fields, and sees none of that.
 *
 * <p>With {@code -Dreplay.api.accept} the list is written instead, unless CI is set.
 */
class ApiTypesTest {

  private static final Path ACCEPTED = Path.of("src/test/resources/api-types.txt");
  private static final Path FOUND = Path.of("target/api-types.txt");

  @Test
  void the_types_of_the_api_are_those_that_were_accepted() throws Exception {
    boolean accept = System.getProperty("replay.api.accept") != null;
    assertThat(accept && System.getenv("CI") != null)
        .as("-Dreplay.api.accept where CI is set")
        .isFalse();

    Files.write(accept ? ACCEPTED : FOUND, types());

    if (!accept) {
      assertThat(FOUND)
          .as(
              "the types of the API are others than those in replay-cli/%s%n"
                  + "If that is meant, and VERSIONING.md allows it: run .ci/api-types, and name the"
                  + " change in CHANGELOG.md",
              ACCEPTED)
          .hasSameTextualContentAs(ACCEPTED);
    }
  }

  private static List<String> types() throws IOException, ClassNotFoundException {
    SortedMap<String, List<String>> modules = new TreeMap<>();
    ClassLoader loader = ApiTypesTest.class.getClassLoader();
    for (URL url : Collections.list(loader.getResources("module-info.class"))) {
      ModuleDescriptor module;
      try (InputStream in = url.openStream()) {
        module = ModuleDescriptor.read(in);
      }
      if (module.name().startsWith("dev.agentreplay.")
          && !module.name().equals("dev.agentreplay.cli")) {
        modules.put(module.name(), describe(module));
      }
    }
    for (Class<?> type : List.of(AiServiceRecorder.class, LiveSpans.class)) {
      String automatic = type.getPackageName(); // the module's name, too
      List<String> lines = new ArrayList<>();
      describe(List.of(automatic), lines);
      modules.put(automatic, lines);
    }

    List<String> all = new ArrayList<>();
    modules.forEach((name, described) -> {
      all.add("module " + name);
      all.addAll(described);
    });
    return all;
  }

  private static List<String> describe(ModuleDescriptor module)
      throws IOException, ClassNotFoundException {
    List<String> lines = new ArrayList<>();
    module.requires().stream()
        .filter(requires -> requires.modifiers().contains(Requires.Modifier.TRANSITIVE))
        .map(requires -> "  requires transitive " + requires.name())
        .sorted()
        .forEach(lines::add);
    List<String> packages = module.exports().stream()
        .filter(exports -> !exports.isQualified())
        .map(Exports::source)
        .sorted()
        .toList();
    describe(packages, lines);
    return lines;
  }

  private static void describe(List<String> packages, List<String> lines)
      throws IOException, ClassNotFoundException {
    packages.forEach(name -> lines.add("  exports " + name));
    List<String> names = new ArrayList<>();
    for (String name : packages) {
      names.addAll(classes(name));
    }
    Collections.sort(names);
    for (String name : names) {
      Class<?> type = Class.forName(name, false, ApiTypesTest.class.getClassLoader());
      if (isPublic(type)) {
        describe(type, lines);
      }
    }
  }

  /** The classes of a package, which is in one place: a jar, or a folder. */
  private static List<String> classes(String packageName) throws IOException {
    String folder = packageName.replace('.', '/');
    URL url = Collections.list(ApiTypesTest.class.getClassLoader().getResources(folder)).stream()
        .filter(place -> !place.toString().contains("test-classes"))
        .findFirst()
        .orElseThrow();
    if (url.openConnection() instanceof JarURLConnection connection) {
      URI jar = URI.create("jar:" + connection.getJarFileURL());
      try (FileSystem files = FileSystems.newFileSystem(jar, Map.of())) {
        return classes(packageName, files.getPath(folder));
      }
    }
    return classes(packageName, Path.of(URI.create(url.toString())));
  }

  private static List<String> classes(String packageName, Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".class"))
          .map(file -> packageName + "." + file.substring(0, file.length() - ".class".length()))
          .toList();
    }
  }

  private static boolean isPublic(@Nullable Class<?> type) {
    return type == null
        || isShown(type.getModifiers())
            && !type.isLocalClass()
            && !type.isAnonymousClass()
            && isPublic(type.getDeclaringClass());
  }

  private static boolean isShown(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static void describe(Class<?> type, List<String> lines) {
    String kind =
        type.isAnnotation() ? "annotation " : type.isInterface() ? "interface " : "class ";
    if (type.isSealed()) {
      lines.add("sealed " + kind + type.getName());
      Arrays.stream(type.getPermittedSubclasses())
          .map(subtype -> "  permits " + subtype.getName())
          .sorted()
          .forEach(lines::add);
    } else if (type.isEnum()) {
      lines.add("enum " + type.getName());
      Arrays.stream(type.getDeclaredFields())
          .filter(Field::isEnumConstant)
          .forEach(constant -> lines.add("  " + constant.getName()));
    } else if (type.isRecord()) {
      lines.add("record " + type.getName());
      for (RecordComponent component : type.getRecordComponents()) {
        lines.add("  " + component.getName() + ": " + typeOf(component));
      }
    } else if (isOpen(type)) {
      lines.add("open " + kind + type.getName());
    } else {
      lines.add(kind + type.getName());
    }
  }

  private static String typeOf(RecordComponent component) {
    String nullable =
        component.getAnnotatedType().isAnnotationPresent(Nullable.class) ? " or null" : "";
    return component.getGenericType().getTypeName() + nullable;
  }

  /** Whether users can implement or extend it. */
  private static boolean isOpen(Class<?> type) {
    return type.isInterface() && !type.isAnnotation()
        || !Modifier.isFinal(type.getModifiers())
            && Arrays.stream(type.getDeclaredConstructors())
                .mapToInt(Constructor::getModifiers)
                .anyMatch(ApiTypesTest::isShown);
  }
}

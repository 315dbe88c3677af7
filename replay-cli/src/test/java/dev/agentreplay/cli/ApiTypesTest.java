package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
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
                  + "If that is meant, and VERSIONING.md allows it: run .ci/api-baseline, and name the"
                  + " change in CHANGELOG.md",
              ACCEPTED)
          .hasSameTextualContentAs(ACCEPTED);
    }
  }

  private static List<String> types() throws IOException, ClassNotFoundException {
    List<String> lines = new ArrayList<>();
    for (ModuleReference module : modules()) {
      ModuleDescriptor descriptor = module.descriptor();
      lines.add("module " + descriptor.name());
      descriptor.requires().stream()
          .filter(requires -> requires.modifiers().contains(Requires.Modifier.TRANSITIVE))
          .map(requires -> "  requires transitive " + requires.name())
          .sorted()
          .forEach(lines::add);
      List<String> packages = descriptor.exports().stream()
          .filter(exports -> !exports.isQualified())
          .map(Exports::source)
          .sorted()
          .toList();
      packages.forEach(name -> lines.add("  exports " + name));
      for (Class<?> type : publicTypes(module, packages)) {
        describe(type, lines);
      }
    }
    return lines;
  }

  private static List<ModuleReference> modules() throws IOException {
    List<ModuleReference> modules = new ArrayList<>();
    for (URL url :
        Collections.list(ApiTypesTest.class.getClassLoader().getResources("module-info.class"))) {
      String name;
      try (InputStream in = url.openStream()) {
        name = ModuleDescriptor.read(in).name();
      }
      if (name.startsWith("dev.agentreplay.") && !name.equals("dev.agentreplay.cli")) {
        URL jar = url.openConnection() instanceof JarURLConnection connection
            ? connection.getJarFileURL()
            : new URL(url, ".");
        modules.add(
            ModuleFinder.of(Path.of(URI.create(jar.toString()))).find(name).orElseThrow());
      }
    }
    modules.sort(Comparator.comparing(module -> module.descriptor().name()));
    return modules;
  }

  private static List<Class<?>> publicTypes(ModuleReference module, List<String> packages)
      throws IOException, ClassNotFoundException {
    List<String> names;
    try (ModuleReader reader = module.open();
        Stream<String> files = reader.list()) {
      names = files
          .filter(file -> file.endsWith(".class") && file.contains("/"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .filter(name -> packages.contains(name.substring(0, name.lastIndexOf('.'))))
          .sorted()
          .toList();
    }
    List<Class<?>> types = new ArrayList<>();
    for (String name : names) {
      Class<?> type = Class.forName(name, false, ApiTypesTest.class.getClassLoader());
      if (isPublic(type)) {
        types.add(type);
      }
    }
    return types;
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
    return type.isInterface()
        || !Modifier.isFinal(type.getModifiers())
            && Arrays.stream(type.getDeclaredConstructors())
                .mapToInt(Constructor::getModifiers)
                .anyMatch(ApiTypesTest::isShown);
  }
}

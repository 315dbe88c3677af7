package dev.agentreplay.junit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where recordings are and what may become of them, as properties and the environment say.
 *
 * @param module the directory of the module that is tested
 * @param recordings the folder of recordings
 * @param output where tests record to
 * @param update which recordings are written
 * @param unused what becomes of recordings that no test asks for
 * @param ci whether a build server runs the tests, which writes no recordings
 */
record ReplaySettings(
    Path module, Path recordings, Path output, Update update, Unused unused, boolean ci) {

  /** The property that names the folder of recordings. */
  static final String RECORDINGS = "replay.recordings";

  /** The property that names the directory that tests record to. */
  static final String OUTPUT = "replay.output";

  /** The property that says which recordings are written. */
  static final String UPDATE = "replay.update";

  /** The property that says what becomes of recordings that no test asks for. */
  static final String UNUSED = "replay.unused";

  private static final String USUAL_FOLDER = "src/test/resources";

  /** Which recordings are written. */
  enum Update {
    NONE,
    MISSING,
    ALL
  }

  /** What becomes of recordings that no test asks for. */
  enum Unused {
    NONE,
    REPORT,
    FAIL
  }

  /** Of this process. */
  static ReplaySettings current() {
    return of(System::getProperty, System.getenv());
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if the value of a property is not one of those it may have
   */
  static ReplaySettings of(
      Function<String, @Nullable String> properties, Map<String, String> environment) {
    String basedir = properties.apply("basedir"); // Maven's
    Path module = Path.of(basedir == null ? "" : basedir).toAbsolutePath().normalize();
    boolean isGradle = !isMaven(module)
        && (Files.exists(module.resolve("build.gradle"))
            || Files.exists(module.resolve("build.gradle.kts")));
    return new ReplaySettings(
        module,
        directory(module, properties.apply(RECORDINGS), USUAL_FOLDER),
        directory(module, properties.apply(OUTPUT), isGradle ? "build/replay" : "target/replay"),
        choice(UPDATE, properties.apply(UPDATE), Update.NONE),
        choice(UNUSED, properties.apply(UNUSED), Unused.NONE),
        isSet(environment.get("CI")));
  }

  /** Whether Maven builds the module. */
  boolean isMaven() {
    return isMaven(module);
  }

  private static boolean isMaven(Path module) {
    return Files.exists(module.resolve("pom.xml"));
  }

  /** Whether recordings are where they are if no property says so. */
  boolean isUsualFolder() {
    return recordings.equals(directory(module, null, USUAL_FOLDER));
  }

  private static Path directory(Path module, @Nullable String value, String absent) {
    return module.resolve(value == null || value.isEmpty() ? absent : value).normalize();
  }

  private static <E extends Enum<E>> E choice(String property, @Nullable String value, E absent) {
    if (value == null || value.isEmpty()) {
      return absent;
    }
    E[] all = absent.getDeclaringClass().getEnumConstants();
    for (E each : all) {
      if (name(each).equals(value)) {
        return each;
      }
    }
    String names = Arrays.stream(all).map(ReplaySettings::name).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "%s: expected one of %s, found \"%s\"".formatted(property, names, value));
  }

  /** The name of a choice, as the value of its property. */
  static String name(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  private static boolean isSet(@Nullable String variable) {
    return variable != null && !variable.isEmpty() && !variable.equalsIgnoreCase("false");
  }
}

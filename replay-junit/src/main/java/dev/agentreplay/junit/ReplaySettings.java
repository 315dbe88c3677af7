package dev.agentreplay.junit;

import dev.agentreplay.junit.accepted.RecordingAcceptance;
import dev.agentreplay.model.text.PlainText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a test run, read from properties and the environment.
 *
 * @param module the directory of the module under test
 * @param recordings the folder of recordings
 * @param output the directory that tests record to
 * @param update the recordings that are written
 * @param unused the handling of recordings that no test uses
 * @param accepted the handling of accepted divergences
 * @param ci whether the tests run on a build server, where no recordings are written
 */
record ReplaySettings(
    Path module,
    Path recordings,
    Path output,
    Update update,
    Unused unused,
    RecordingAcceptance.Handling accepted,
    boolean ci) {

  /** The property for the folder of recordings. */
  static final String RECORDINGS = "replay.recordings";

  /** The property for the directory that tests record to. */
  static final String OUTPUT = "replay.output";

  /** The property for the recordings that are written. */
  static final String UPDATE = "replay.update";

  /** The property for the handling of recordings that no test uses. */
  static final String UNUSED = "replay.unused";

  /** The property for the handling of accepted divergences. */
  static final String ACCEPTED = "replay.accepted";

  private static final String USUAL_FOLDER = "src/test/resources";

  /** The recordings that are written. */
  enum Update {
    NONE,
    MISSING,
    ALL
  }

  /** The handling of recordings that no test uses. */
  enum Unused {
    NONE,
    REPORT,
    FAIL
  }

  /** Returns the settings of this process. */
  static ReplaySettings current() {
    return of(System::getProperty, System.getenv());
  }

  /**
   * Reads settings.
   *
   * @throws IllegalArgumentException if the value of a property is not one of its choices
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
        choice(ACCEPTED, properties.apply(ACCEPTED), RecordingAcceptance.Handling.REPORT),
        isSet(environment.get("CI")));
  }

  /** Whether Maven builds the module. */
  boolean isMaven() {
    return isMaven(module);
  }

  private static boolean isMaven(Path module) {
    return Files.exists(module.resolve("pom.xml"));
  }

  /** Whether the folder of recordings is the default. */
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
        "%s: expected one of %s, found \"%s\"".formatted(property, names, PlainText.of(value)));
  }

  /** The value of a property for a choice. */
  static String name(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  private static boolean isSet(@Nullable String variable) {
    return variable != null && !variable.isEmpty() && !variable.equalsIgnoreCase("false");
  }
}

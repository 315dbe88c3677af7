package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.junit.ReplaySettings.Unused;
import dev.agentreplay.junit.ReplaySettings.Update;
import dev.agentreplay.junit.accepted.RecordingAcceptance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings from properties and the environment. */
class ReplaySettingsTest {

  @TempDir
  private Path module;

  private ReplaySettings settings(Map<String, String> properties) {
    return ReplaySettings.of(
        name -> name.equals("basedir") ? module.toString() : properties.get(name), Map.of());
  }

  @Test
  void nothing_set_is_the_defaults() {
    assertThat(settings(Map.of()))
        .isEqualTo(new ReplaySettings(
            module,
            module.resolve("src/test/resources"),
            module.resolve("target/replay"),
            Update.NONE,
            Unused.NONE,
            RecordingAcceptance.Handling.REPORT,
            false));
  }

  @Test
  void working_directory_is_the_module_where_maven_names_none() {
    assertThat(ReplaySettings.of(name -> null, Map.of()).module())
        .isEqualTo(Path.of("").toAbsolutePath());
  }

  @Test
  void directories_are_those_of_the_properties_from_the_module() {
    ReplaySettings settings =
        settings(Map.of("replay.recordings", "../recorded/", "replay.output", "out"));
    assertThat(settings.recordings()).isEqualTo(module.resolveSibling("recorded"));
    assertThat(settings.output()).isEqualTo(module.resolve("out"));
  }

  @ParameterizedTest
  @CsvSource({
    "build.gradle,, build/replay",
    "build.gradle.kts,, build/replay",
    "pom.xml,, target/replay",
    "build.gradle, pom.xml, target/replay"
  })
  void output_is_where_the_build_keeps_its_own(String file, String other, String output)
      throws Exception {
    Files.writeString(module.resolve(file), "");
    if (other != null) {
      Files.writeString(module.resolve(other), "");
    }
    assertThat(settings(Map.of()).output()).isEqualTo(module.resolve(output));
  }

  @ParameterizedTest
  @CsvSource({"none, NONE", "missing, MISSING", "all, ALL", "'', NONE"})
  void update_is_one_of_three(String value, Update update) {
    assertThat(settings(Map.of("replay.update", value)).update()).isEqualTo(update);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALL", "al", "true", " none"})
  void other_update_is_an_error(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(Map.of("replay.update", value)))
        .withMessage(
            "replay.update: expected one of none, missing, all, found \"%s\"".formatted(value));
  }

  @ParameterizedTest
  @CsvSource({"report, REPORT", "fail, FAIL", "none, NONE", "'', REPORT"})
  void accepted_is_one_of_three(String value, RecordingAcceptance.Handling accepted) {
    assertThat(settings(Map.of("replay.accepted", value)).accepted()).isEqualTo(accepted);
  }

  @ParameterizedTest
  @CsvSource({"true, true", "1, true", "false, false", "FALSE, false", "'', false", ", false"})
  void build_server_is_one_that_sets_ci(String value, boolean ci) {
    Map<String, String> environment = value == null ? Map.of() : Map.of("CI", value);
    assertThat(ReplaySettings.of(name -> null, environment).ci()).isEqualTo(ci);
  }
}

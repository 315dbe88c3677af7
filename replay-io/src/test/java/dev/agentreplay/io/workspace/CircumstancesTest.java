package dev.agentreplay.io.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings that describe the circumstances of a session. */
class CircumstancesTest {

  @Test
  void defaults_contain_neither_directory_nor_environment() {
    Settings settings = Circumstances.defaults().settings();
    assertThat(settings.values().names())
        .containsExactly(Settings.MODE, Settings.VERSIONS, Settings.TIME_ZONE, Settings.LOCALE);
    assertThat(value(settings, Settings.MODE).asString()).isEqualTo("record");
    assertThat(value(settings, Settings.LOCALE).asString())
        .isEqualTo(Locale.getDefault().toLanguageTag());
    JsonObject versions = (JsonObject) value(settings, Settings.VERSIONS);
    assertThat(versions.get("runtime").asString()).contains(Runtime.version().toString());
    assertThat(versions.get("os").asString()).startsWith(System.getProperty("os.name"));
    assertThat(settings.values().toString()).doesNotContain(System.getProperty("user.dir"));
    assertThat(Circumstances.defaults()).isEqualTo(Circumstances.defaults());
    assertThat(Circumstances.none().settings().values().isEmpty()).isTrue();
  }

  @Test
  void environment_has_the_given_names_only() {
    Map.Entry<String, String> set = System.getenv().entrySet().iterator().next();
    Settings settings = Circumstances.none()
        .withEnvironment("not replaced")
        .withEnvironment(set.getKey(), "surely not set")
        .settings();
    JsonObject environment = (JsonObject) value(settings, Settings.ENVIRONMENT);
    assertThat(environment.names()).containsExactlyInAnyOrder(set.getKey(), "surely not set");
    assertThat(environment.get(set.getKey()).asString()).isEqualTo(set.getValue());
    assertThat(environment.get("surely not set")).isEqualTo(JsonNull.NULL);
    assertThat(settings.get(Settings.ENVIRONMENT).source()).isEqualTo(Settings.ENV);
  }

  @Test
  void working_directory_is_absolute() {
    Settings settings = Circumstances.none().withWorkingDirectory().settings();
    assertThat(Path.of(value(settings, Settings.WORKING_DIRECTORY).asString())).isAbsolute();
  }

  @Test
  void model_tools_and_versions_are_added() {
    ToolDescription read = ToolDescription.of("read").withReadOnly(true);
    ToolDescription write = ToolDescription.of("write").withDestructive(true);
    Settings settings = Circumstances.none()
        .withMode("mock")
        .withModel("gpt-5", Parameters.NONE.withSeed(7).withTopP(0.9).withTopK(40))
        .withTool(read)
        .withTool(write)
        .withVersion("agent", "2.1")
        .withVersion("prompt", "9")
        .with("retries", 3, Settings.FILE)
        .settings();
    assertThat(settings.tools()).containsExactly(read, write);
    assertThat(value(settings, Settings.MODEL_PARAMETERS))
        .isEqualTo(JsonObject.of("seed", 7, "top_p", 0.9, "top_k", 40));
    assertThat(value(settings, Settings.VERSIONS))
        .isEqualTo(JsonObject.of("agent", "2.1", "prompt", "9"));
    assertThat(settings.values().get("retries"))
        .isEqualTo(JsonObject.of("value", 3, "source", "file"));
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, -1, (1L << 53) - 1, 1L << 53, -(1L << 53), Long.MAX_VALUE, Long.MIN_VALUE})
  void seed_keeps_its_digits_in_each_reader(long seed) {
    Settings settings = Circumstances.none().withSeed(seed).settings();
    assertThat(settings.seed()).isEqualTo(seed);
    boolean isExact = (long) (double) seed == seed && Math.abs((double) seed) < 1L << 53;
    assertThat(value(settings, Settings.SEED).typeName()).isEqualTo(isExact ? "number" : "string");
  }

  @Test
  void value_without_a_json_form_is_refused() {
    assertThatThrownBy(() -> Circumstances.none().with("lock", new Object(), null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static JsonValue value(Settings settings, String name) {
    return settings.get(name).value();
  }
}

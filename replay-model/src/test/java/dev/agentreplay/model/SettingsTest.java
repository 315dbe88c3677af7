package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The settings with fixed names, and their types. */
class SettingsTest {

  @Test
  void tool_description_has_the_members_of_the_format() {
    JsonObject schema = JsonObject.of("type", "object");
    ToolDescription tool = ToolDescription.of("shell")
        .withDescription("Runs a command.")
        .withSchema(schema)
        .withReadOnly(false)
        .withDestructive(true)
        .withIdempotent(false)
        .withOpenWorld(true);
    assertThat(tool.json())
        .isEqualTo(JsonObject.of(
            "name",
            "shell",
            "description",
            "Runs a command.",
            "schema",
            schema,
            "annotations",
            JsonObject.of(
                "read_only", false, "destructive", true, "idempotent", false, "open_world", true)));
    assertThat(tool)
        .returns("shell", ToolDescription::name)
        .returns("Runs a command.", ToolDescription::description)
        .returns(schema, ToolDescription::schema)
        .returns(false, ToolDescription::readOnly)
        .returns(true, ToolDescription::destructive)
        .returns(false, ToolDescription::idempotent)
        .returns(true, ToolDescription::openWorld);
  }

  @Test
  void unspecified_and_ill_typed_parts_of_a_tool_are_null() {
    JsonObject odd = JsonObject.of("name", 1, "description", true, "annotations", "read_only");
    for (JsonObject json : new JsonObject[] {JsonObject.EMPTY, odd}) {
      assertThat(new ToolDescription(json))
          .returns(null, ToolDescription::name)
          .returns(null, ToolDescription::description)
          .returns(null, ToolDescription::schema)
          .returns(null, ToolDescription::readOnly)
          .returns(null, ToolDescription::openWorld);
    }
    assertThat(new ToolDescription(odd).withReadOnly(true).readOnly()).isTrue();
  }

  @Test
  void tools_and_seed_are_read_from_the_settings() {
    JsonObject tool = JsonObject.of("name", "shell", "title", "Shell");
    Settings settings = settings(Settings.TOOLS, JsonArray.of(tool, "not a tool"));
    assertThat(settings.tools()).containsExactly(new ToolDescription(tool));
    assertThat(settings.seed()).isNull();
    assertThat(settings(Settings.SEED, JsonValue.of(7)).seed()).isEqualTo(7);
    assertThat(settings(Settings.SEED, JsonValue.of("9007199254740993")).seed())
        .isEqualTo(9007199254740993L);
    for (Object odd : new Object[] {1.5, "seven", "9223372036854775808", JsonNull.NULL, true}) {
      Settings other = settings(Settings.SEED, JsonValue.of(odd));
      assertThat(other.seed()).as("%s", odd).isNull();
      assertThat(other.tools()).isEmpty();
    }
  }

  @Test
  void sampling_parameters_of_a_model_are_read_back() {
    Parameters parameters = Parameters.NONE.withTopP(0.9).withTopK(40);
    assertThat(parameters.json()).isEqualTo(JsonObject.of("top_p", 0.9, "top_k", 40));
    assertThat(parameters).returns(0.9, Parameters::topP).returns(40L, Parameters::topK);
    assertThat(Parameters.NONE).returns(null, Parameters::topP).returns(null, Parameters::topK);
  }

  private static Settings settings(String name, JsonValue value) {
    return Settings.of(Map.of(name, new Setting(value, null)));
  }
}

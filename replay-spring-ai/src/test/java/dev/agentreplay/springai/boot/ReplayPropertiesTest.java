package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ReplayPropertiesTest {

  private static JsonObject metadata() throws IOException {
    try (InputStream in = ReplayProperties.class.getResourceAsStream(
        "/META-INF/spring-configuration-metadata.json")) {
      return JsonText.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .asObject();
    }
  }

  private static Map<String, JsonObject> byName(String member) throws IOException {
    Map<String, JsonObject> byName = new TreeMap<>();
    for (JsonValue each : (JsonArray) metadata().get(member)) {
      byName.put(each.at("/name").asString(), each.asObject());
    }
    return byName;
  }

  private static String name(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static void names(String prefix, Class<?> type, Map<String, Class<?>> names) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = prefix + name(component);
      if (component.getType().isRecord()) {
        names(name + ".", component.getType(), names);
      } else {
        names.put(name, component.getType());
      }
    }
  }

  @Test
  void metadata_describes_each_property() throws Exception {
    Map<String, Class<?>> expected = new TreeMap<>();
    names("replay.", ReplayProperties.class, expected);
    Map<String, JsonObject> described = byName("properties");

    assertThat(described).containsOnlyKeys(expected.keySet());
    described.forEach((name, property) -> {
      assertThat(property.at("/description").asString())
          .as(name)
          .endsWith(".")
          .hasSizeGreaterThan(20);
      String type = property.at("/type").asString().replaceAll("<.*", "");
      Class<?> component = expected.get(name);
      assertThat(type)
          .as(name)
          .isEqualTo(component == boolean.class ? "java.lang.Boolean" : component.getName());
    });
  }

  @Test
  void metadata_hints_each_constant_of_an_enumeration() throws Exception {
    Map<String, Class<?>> properties = new TreeMap<>();
    names("replay.", ReplayProperties.class, properties);
    Map<String, JsonObject> hints = byName("hints");
    properties.forEach((name, type) -> {
      if (type.isEnum()) {
        List<String> values = new ArrayList<>();
        for (JsonValue value : (JsonArray) hints.get(name).get("values")) {
          values.add(value.at("/value").asString());
          assertThat(value.at("/description").asString()).as(name).endsWith(".");
        }
        assertThat(values)
            .as(name)
            .containsExactlyInAnyOrderElementsOf(Arrays.stream(type.getEnumConstants())
                .map(each -> each.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList());
      }
    });
  }

  private static void defaults(String prefix, Record values, Map<String, String> defaults)
      throws ReflectiveOperationException {
    for (RecordComponent component : values.getClass().getRecordComponents()) {
      String name = prefix + name(component);
      component.getAccessor().setAccessible(true);
      Object value = component.getAccessor().invoke(values);
      if (value instanceof Record nested) {
        defaults(name + ".", nested, defaults);
      } else if (value != null && !List.of(Set.of(), Map.of()).contains(value)) {
        defaults.put(name, value.toString().toLowerCase(Locale.ROOT).replace('_', '-'));
      }
    }
  }

  @Test
  void metadata_states_each_default() throws Exception {
    ReplayProperties properties = new Binder(new MapConfigurationPropertySource(Map.of()))
        .bindOrCreate("replay", ReplayProperties.class);
    Map<String, String> defaults = new TreeMap<>();
    defaults("replay.", properties, defaults);

    Map<String, String> described = new TreeMap<>();
    byName("properties").forEach((name, property) -> {
      if (property.has("defaultValue")) {
        described.put(name, property.at("/defaultValue").asString());
      }
    });
    assertThat(described).isEqualTo(defaults).hasSize(3);
    assertThat(properties.effectiveMode()).isEqualTo(ReplayProperties.Mode.OFF);
  }

  @ParameterizedTest
  @CsvSource({
    ",,OFF",
    ",recordings,RECORD",
    "record,recordings,RECORD",
    "off,recordings,OFF",
    "false,recordings,OFF",
    "mock,recordings,MOCK",
    "tools-live,,TOOLS_LIVE",
    "TOOLS_LIVE,,TOOLS_LIVE",
    "full,,FULL"
  })
  void mode_follows_from_both_properties(String mode, String dir, ReplayProperties.Mode expected) {
    Map<String, Object> values = new TreeMap<>();
    if (mode != null) {
      values.put("replay.mode", mode);
    }
    if (dir != null) {
      values.put("replay.record.dir", dir);
    }

    ReplayProperties properties = new Binder(new MapConfigurationPropertySource(values))
        .bindOrCreate("replay", ReplayProperties.class);

    assertThat(properties.effectiveMode()).isEqualTo(expected);
  }
}

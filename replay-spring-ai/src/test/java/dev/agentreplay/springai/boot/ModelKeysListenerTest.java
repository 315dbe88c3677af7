package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ModelKeysListenerTest {

  private static final String KEY = "spring.ai.openai.api-key";

  private static String key(Map<String, Object> properties) {
    ConfigurableEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    new ModelKeysListener()
        .onApplicationEvent(new ApplicationEnvironmentPreparedEvent(
            new DefaultBootstrapContext(), new SpringApplication(), new String[0], environment));
    return environment.getProperty(KEY);
  }

  @ParameterizedTest
  @CsvSource({
    "mock,not-set",
    "MOCK,not-set",
    "tools-live,not-set",
    "TOOLS_LIVE,not-set",
    "model-live,",
    "full,",
    "record,",
    "off,"
  })
  void key_has_a_placeholder_where_models_are_served(String mode, String expected) {
    assertThat(key(Map.of("replay.mode", mode))).isEqualTo(expected);
    assertThat(key(Map.of("replay.mode", mode, KEY, "own"))).isEqualTo("own");
    assertThat(key(Map.of("replay.mode", mode, "replay.enabled", "false"))).isNull();
  }

  @Test
  void application_without_properties_has_no_placeholder() {
    assertThat(key(Map.of())).isNull();
    assertThat(key(Map.of("replay.record.dir", "recordings"))).isNull();
  }

  @Test
  void listener_is_registered() {
    assertThat(new SpringApplication().getListeners())
        .extracting(ApplicationListener::getClass)
        .anyMatch(ModelKeysListener.class::equals);
  }
}

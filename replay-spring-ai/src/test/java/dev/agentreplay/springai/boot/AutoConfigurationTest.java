package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.springai.SpringAiCalls;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class AutoConfigurationTest {

  @TempDir
  Path directory;

  @Configuration(proxyBeanMethods = false)
  static class Model {

    @Bean
    ScriptedModel model() {
      return ScriptedModel.saying("scripted", "Yes.");
    }
  }

  private final ApplicationContextRunner application = new ApplicationContextRunner()
      .withConfiguration(AutoConfigurations.of(
          ReplayAutoConfiguration.class,
          ChatClientAutoConfiguration.class,
          ToolCallingAutoConfiguration.class))
      .withUserConfiguration(Model.class);

  private ApplicationContextRunner recording() {
    return application.withPropertyValues("replay.record.dir=" + directory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "replay.mode=off", "replay.mode=false", "replay.enabled=false"})
  void nothing_changes_without_a_request(String property) {
    ApplicationContextRunner runner =
        property.isEmpty() ? application : recording().withPropertyValues(property);
    runner.run(context -> {
      assertThat(context).hasNotFailed().doesNotHaveBean(SpringAiCalls.class);
      assertThat(context.getBean(ChatModel.class).getClass()).isEqualTo(ScriptedModel.class);
      assertThat(context.getBeanDefinitionNames())
          .noneMatch(name -> name.contains("agentreplay") || name.toLowerCase().contains("replay"));
    });
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnCalls {

    @Bean
    SpringAiCalls calls() {
      return SpringAiCalls.to(() -> null);
    }
  }

  @Test
  void bean_of_the_application_is_used_if_enabled() {
    ApplicationContextRunner runner = application.withUserConfiguration(OwnCalls.class);
    runner.run(
        context -> assertThat(context.getBeanNamesForType(ReplayedBeans.class)).isEmpty());
    runner.withPropertyValues("replay.enabled=true").run(context -> assertThat(context)
        .hasSingleBean(ReplayedBeans.class)
        .hasSingleBean(SpringAiCalls.class));
  }

  @Test
  void invalid_mode_is_a_clear_failure() {
    application.withPropertyValues("replay.mode=moc").run(context -> {
      assertThat(context).hasFailed();
      assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("moc");
      FailureAnalysis analysis = Failures.analyze(context.getStartupFailure());
      assertThat(analysis.getDescription()).contains("replay.mode", "moc");
      assertThat(analysis.getAction()).contains("MOCK", "RECORD", "TOOLS_LIVE");
    });
  }

  @Test
  void missing_directory_is_a_clear_failure() {
    application.withPropertyValues("replay.mode=record").run(context -> {
      FailureAnalysis analysis = Failures.analyze(context.getStartupFailure());
      assertThat(analysis.getDescription()).contains("replay.record.dir", "expected a directory");
    });
  }

  @Test
  void missing_session_is_a_clear_failure() {
    application.withPropertyValues("replay.mode=mock").run(context -> {
      FailureAnalysis analysis = Failures.analyze(context.getStartupFailure());
      assertThat(analysis.getDescription()).contains("replay.session", "mock");
    });
    application
        .withPropertyValues("replay.mode=mock", "replay.session=" + directory.resolve("absent"))
        .run(context -> {
          FailureAnalysis analysis = Failures.analyze(context.getStartupFailure());
          assertThat(analysis.getDescription()).contains("replay.session", "absent");
        });
  }

  @Test
  void works_without_actuator_micrometer_and_mcp() {
    recording()
        .withClassLoader(new FilteredClassLoader(
            "org.springframework.boot.actuate", "io.micrometer.core", "org.springframework.ai.mcp"))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(SpringAiCalls.class));
  }

  @Test
  void does_nothing_without_chat_clients() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(ReplayAutoConfiguration.class))
        .withPropertyValues("replay.record.dir=" + directory)
        .withClassLoader(new FilteredClassLoader(ChatClient.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(SpringAiCalls.class));
  }
}

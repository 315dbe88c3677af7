package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.springai.SessionAdvisor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;

class WrappedBeansTest {

  @TempDir
  Path directory;

  private final ApplicationContextRunner application = new ApplicationContextRunner()
      .withConfiguration(AutoConfigurations.of(
          ReplayAutoConfiguration.class,
          ChatClientAutoConfiguration.class,
          ToolCallingAutoConfiguration.class));

  private ApplicationContextRunner recording(Class<?> configuration) {
    return application
        .withUserConfiguration(configuration)
        .withPropertyValues("replay.record.dir=" + directory);
  }

  private List<List<String>> recorded() throws Exception {
    List<List<String>> sessions = new ArrayList<>();
    for (SessionLocation place : Sessions.find(directory)) {
      Session session = place.open().session();
      List<String> calls = new ArrayList<>();
      try (var reader = session.reader()) {
        for (var line : reader) {
          ReplayEvent event = line.event();
          if (event instanceof ModelCall call) {
            calls.add(call.model());
          } else if (event instanceof ToolCall call) {
            calls.add(call.tool());
          }
        }
      }
      sessions.add(calls);
    }
    return sessions;
  }

  /** A final model, as those of Spring AI are. */
  static final class FinalModel implements ChatModel {

    private final ScriptedModel model = ScriptedModel.saying("final", "Yes.");

    @Override
    public ChatResponse call(Prompt prompt) {
      return model.call(prompt);
    }

    @Override
    public ChatOptions getOptions() {
      return model.getOptions();
    }
  }

  static class Tools {

    @Tool(description = "Returns the time")
    String time() {
      return "noon";
    }
  }

  private static AssistantMessage timed(Prompt prompt) {
    return prompt.getInstructions().get(prompt.getInstructions().size() - 1).getMessageType()
            == MessageType.TOOL
        ? new AssistantMessage("It is noon.")
        : ScriptedModel.calling("time", "{}");
  }

  @Configuration(proxyBeanMethods = false)
  static class Several {

    @Bean
    @Primary
    ScriptedModel first() {
      return new ScriptedModel("first", WrappedBeansTest::timed);
    }

    @Bean
    FinalModel second() {
      return new FinalModel();
    }

    @Bean
    @Lazy
    ChatModel third() {
      return ScriptedModel.saying("third", "No.");
    }

    @Bean
    FactoryBean<ChatModel> fourth() {
      return new FactoryBean<>() {
        @Override
        public ChatModel getObject() {
          return ScriptedModel.saying("fourth", "Four.");
        }

        @Override
        public Class<?> getObjectType() {
          return ChatModel.class;
        }
      };
    }

    @Bean
    ChatClient own(@Qualifier("first") ChatModel model) {
      return ChatClient.builder(model).defaultTools(new Tools()).build();
    }
  }

  @Test
  void each_model_is_wrapped_and_keeps_its_class_unless_that_is_final() throws Exception {
    recording(Several.class).run(context -> {
      assertThat(context).hasNotFailed();
      Map<String, ChatModel> models = context.getBeansOfType(ChatModel.class);
      assertThat(models).containsOnlyKeys("first", "second", "third", "fourth");
      assertThat(context.getBean(ScriptedModel.class)).isSameAs(models.get("first"));
      assertThat(context.getBean(ChatModel.class)).isSameAs(models.get("first"));

      assertThat(models.get("second").call("Really?")).isEqualTo("Yes.");
      assertThat(models.get("third").call("Really?")).isEqualTo("No.");
      assertThat(models.get("fourth").call("How many?")).isEqualTo("Four.");
      assertThat(models.get("second").getOptions().getModel()).isEqualTo("final");
    });
    assertThat(recorded()).hasSize(3).allSatisfy(calls -> assertThat(calls).hasSize(1));
  }

  @Test
  void client_of_the_auto_configured_builder_is_one_session() throws Exception {
    recording(Several.class).run(context -> {
      ChatClient client =
          context.getBean(ChatClient.Builder.class).defaultTools(new Tools()).build();
      assertThat(client.prompt("What time is it?").call().content()).isEqualTo("It is noon.");
    });
    assertThat(recorded()).containsExactly(List.of("first", "time", "first"));
  }

  @Test
  void client_that_the_application_built_is_one_session() throws Exception {
    recording(Several.class).run(context -> {
      ChatClient client = context.getBean("own", ChatClient.class);
      assertThat(client.prompt("What time is it?").call().content()).isEqualTo("It is noon.");
    });
    assertThat(recorded()).containsExactly(List.of("first", "time", "first"));
  }

  @Configuration(proxyBeanMethods = false)
  static class Manager {

    static class OwnManager implements ToolCallingManager {

      private final ToolCallingManager manager = ToolCallingManager.builder().build();
      int executed;

      @Override
      public List<org.springframework.ai.tool.definition.ToolDefinition> resolveToolDefinitions(
          org.springframework.ai.model.tool.ToolCallingChatOptions options) {
        return manager.resolveToolDefinitions(options);
      }

      @Override
      public org.springframework.ai.model.tool.ToolExecutionResult executeToolCalls(
          Prompt prompt, ChatResponse response) {
        executed++;
        return manager.executeToolCalls(prompt, response);
      }

      int executed() {
        return executed;
      }
    }

    @Bean
    OwnManager manager() {
      return new OwnManager();
    }

    @Bean
    ScriptedModel model() {
      return new ScriptedModel("model", WrappedBeansTest::timed);
    }
  }

  @Test
  void manager_of_the_application_runs_the_tools() throws Exception {
    recording(Manager.class).run(context -> {
      ChatClient client =
          context.getBean(ChatClient.Builder.class).defaultTools(new Tools()).build();
      assertThat(client.prompt("What time is it?").call().content()).isEqualTo("It is noon.");
      assertThat(context.getBean(Manager.OwnManager.class).executed()).isEqualTo(1);
    });
    assertThat(recorded()).containsExactly(List.of("model", "time", "model"));
  }

  @Test
  void excluded_model_is_not_wrapped() throws Exception {
    recording(Several.class).withPropertyValues("replay.exclude=second").run(context -> {
      assertThat(context.getBean(FinalModel.class).call("Really?")).isEqualTo("Yes.");
    });
    assertThat(recorded()).isEmpty();
  }

  /** Clients of models that are not beans. */
  @Configuration(proxyBeanMethods = false)
  static class OutsideModels {

    @Bean
    ChatClient client() {
      return ChatClient.create(new ScriptedModel("outside", WrappedBeansTest::timed))
          .mutate()
          .defaultTools(new Tools())
          .build();
    }

    @Bean
    ChatClient.Builder builder() {
      return ChatClient.builder(new FinalModel());
    }
  }

  @Test
  void model_of_a_client_is_recorded_although_it_is_not_a_bean() throws Exception {
    recording(OutsideModels.class).run(context -> {
      ChatClient client = context.getBean(ChatClient.class);
      assertThat(client.prompt("What time is it?").call().content()).isEqualTo("It is noon.");
      ChatClient built = context.getBean(ChatClient.Builder.class).build();
      assertThat(built.prompt("Really?").call().content()).isEqualTo("Yes.");
    });
    assertThat(recorded())
        .containsExactlyInAnyOrder(List.of("outside", "time", "outside"), List.of("final"));
  }

  /** A client of a model bean that is injected by its final class. */
  @Configuration(proxyBeanMethods = false)
  static class Clients {

    @Bean
    FinalModel model() {
      return new FinalModel();
    }

    @Bean
    ChatClient client(FinalModel model) {
      return ChatClient.create(model);
    }
  }

  @Test
  void excluded_model_is_recorded_in_the_calls_of_clients_only() throws Exception {
    recording(Clients.class).withPropertyValues("replay.exclude=model").run(context -> {
      assertThat(context).hasNotFailed();
      assertThat(context.getBean(FinalModel.class).call("Really?")).isEqualTo("Yes.");
      ChatClient client = context.getBean(ChatClient.class);
      assertThat(client.prompt("Really?").call().content()).isEqualTo("Yes.");
    });
    assertThat(recorded()).containsExactly(List.of("final"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"../outside", "/tmp/replay-outside", "a/b", "..", "a:b", ""})
  void id_of_a_session_names_no_directory_elsewhere(String id) throws Exception {
    Path recordings = directory.resolve("recordings");
    recording(Several.class)
        .withPropertyValues("replay.record.dir=" + recordings)
        .run(context -> assertThat(context
                .getBean("own", ChatClient.class)
                .prompt("What time is it?")
                .advisors(spec -> spec.param(SessionAdvisor.SESSION_ID, id))
                .call()
                .content())
            .isEqualTo("It is noon."));
    try (Stream<Path> outside = Files.list(directory);
        Stream<Path> sessions = Files.list(recordings)) {
      assertThat(outside).containsExactly(recordings);
      assertThat(sessions)
          .singleElement()
          .satisfies(each -> assertThat(each.resolve("REPLAY.jsonl")).exists());
    }
  }

  /** A model with a method that a subclass cannot pass on. */
  static class HalfFinalModel extends ScriptedModel {

    private final List<String> seen = new ArrayList<>();

    HalfFinalModel() {
      super("half", prompt -> new AssistantMessage("Half."));
    }

    public final int seen() {
      return seen.size();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class HalfFinal {

    @Bean
    HalfFinalModel model() {
      return new HalfFinalModel();
    }
  }

  @Test
  void model_with_final_methods_is_not_subclassed() throws Exception {
    recording(HalfFinal.class).run(context -> {
      ChatModel model = context.getBean("model", ChatModel.class);
      assertThat(model).isNotInstanceOf(HalfFinalModel.class);
      assertThat(model.call("How much?")).isEqualTo("Half.");
    });
    assertThat(recorded()).containsExactly(List.of("half"));
  }

  @Test
  void injection_by_a_final_class_is_a_clear_failure() {
    recording(Clients.class).run(context -> {
      assertThat(context).hasFailed();
      var analysis = Failures.analyze(context.getStartupFailure());
      assertThat(analysis.getDescription()).contains("'model'", FinalModel.class.getName());
      assertThat(analysis.getAction()).contains("@Qualifier(\"model\")", "replay.exclude=model");
    });
  }

  @Configuration(proxyBeanMethods = false)
  static class Metered {

    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  @Test
  void endpoint_and_meters_count_what_is_recorded() {
    recording(Several.class)
        .withUserConfiguration(Metered.class)
        .withPropertyValues("management.endpoints.web.exposure.include=replay")
        .run(context -> {
          context
              .getBean("own", ChatClient.class)
              .prompt("What time is it?")
              .call()
              .content();

          assertThat(context.getBean(ReplayEndpoint.class).replay())
              .containsEntry("mode", "record")
              .containsEntry("directory", directory.toAbsolutePath().toString())
              .containsEntry("sessions", 1L)
              .containsEntry("modelCalls", 2L)
              .containsEntry("toolCalls", 1L)
              .containsEntry("failures", 0L)
              .containsEntry("open", List.of())
              .containsEntry("lastFailures", List.of());
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          context
              .getBeansOfType(io.micrometer.core.instrument.binder.MeterBinder.class)
              .values()
              .forEach(binder -> binder.bindTo(registry));
          assertThat(registry.get("replay.sessions").functionCounter().count()).isEqualTo(1);
          assertThat(registry.get("replay.sessions.open").gauge().value()).isZero();
          assertThat(registry
                  .get("replay.calls")
                  .tag("kind", "model")
                  .functionCounter()
                  .count())
              .isEqualTo(2);
          assertThat(registry
                  .get("replay.calls")
                  .tag("kind", "tool")
                  .functionCounter()
                  .count())
              .isEqualTo(1);
          assertThat(registry.get("replay.failures").functionCounter().count()).isZero();
        });
  }

  @Test
  void failure_to_record_is_shown_and_the_application_continues() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "where the directory would be");
    application
        .withUserConfiguration(Several.class)
        .withPropertyValues(
            "replay.record.dir=" + file, "management.endpoints.web.exposure.include=replay")
        .run(context -> {
          ChatClient client = context.getBean("own", ChatClient.class);
          assertThat(client.prompt("What time is it?").call().content()).isEqualTo("It is noon.");

          Map<String, Object> state = context.getBean(ReplayEndpoint.class).replay();
          assertThat((Long) state.get("failures")).isPositive();
          assertThat(state).containsEntry("sessions", 0L);
          assertThat(String.valueOf(state.get("lastFailures"))).contains("event=", file.toString());
        });
  }
}

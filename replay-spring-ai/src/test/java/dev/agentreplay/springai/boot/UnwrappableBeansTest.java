package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.springai.boot.WrappedBeansTest.FinalModel;
import dev.agentreplay.springai.test.OtherModels;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.core.PriorityOrdered;

/** Beans that cannot be wrapped by a subclass, or not at all: the start says so. */
class UnwrappableBeansTest {

  @TempDir
  Path directory;

  private ApplicationContextRunner recording(Class<?> configuration) {
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(
            ReplayAutoConfiguration.class,
            ChatClientAutoConfiguration.class,
            ToolCallingAutoConfiguration.class))
        .withUserConfiguration(configuration)
        .withPropertyValues("replay.record.dir=" + directory);
  }

  /** A service that requests a model by its final class after the model was created. */
  record Service(FinalModel model) {}

  @Configuration(proxyBeanMethods = false)
  static class ByClass {

    /** Its type is known when it was created. */
    @Bean
    ChatModel first() {
      return new FinalModel();
    }

    @Bean
    @DependsOn("first")
    Service service(FinalModel model) {
      return new Service(model);
    }
  }

  @Test
  void model_that_is_requested_by_a_final_class_later_is_a_clear_failure() {
    recording(ByClass.class).run(context -> {
      assertThat(context).hasFailed();
      var analysis = Failures.analyze(context.getStartupFailure());
      assertThat(analysis.getDescription()).contains("'first'", FinalModel.class.getName());
      assertThat(analysis.getAction())
          .contains(ChatModel.class.getName(), "@Qualifier(\"first\")", "replay.exclude=first");
    });
  }

  @Test
  void model_of_a_final_class_is_logged_with_the_type_to_request() {
    try (LoggedMessages logged = LoggedMessages.of("dev.agentreplay.springai")) {
      recording(WrappedBeansTest.Several.class)
          .run(context -> assertThat(context).hasNotFailed());
      assertThat(logged.from(Level.INFO))
          .filteredOn(message -> message.contains("'second'"))
          .singleElement()
          .asString()
          .contains("as a ChatModel", FinalModel.class.getName());
      assertThat(logged.from(Level.WARN)).isEmpty();
    }
  }

  @Test
  void models_of_other_packages_are_injected_by_their_classes() throws Exception {
    recording(OtherModels.class).run(context -> {
      assertThat(context).hasNotFailed();
      assertThat(context.getBean(OtherModels.Models.class).ask("Really?"))
          .containsExactly("Yes.", "Yes.");
    });
    assertThat(Sessions.find(directory)).hasSize(2);
  }

  /** A processor that needs a model and a client before any bean can be wrapped. */
  record Early(ChatModel model, ChatClient client) implements BeanPostProcessor, PriorityOrdered {

    @Override
    public int getOrder() {
      return 0;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class EarlyModel {

    @Bean
    static ScriptedModel model() {
      return ScriptedModel.saying("early", "Yes.");
    }

    @Bean
    static ChatClient client(ScriptedModel model) {
      return ChatClient.create(model);
    }

    @Bean
    static Early early(ChatModel model, ChatClient client) {
      return new Early(model, client);
    }
  }

  @Test
  void beans_that_a_processor_creates_too_early_are_a_warning() throws Exception {
    try (LoggedMessages logged = LoggedMessages.of("dev.agentreplay.springai")) {
      recording(EarlyModel.class).run(context -> {
        assertThat(context).hasNotFailed();
        context.getBean(ChatModel.class).call("Really?");
      });
      assertThat(logged.from(Level.WARN))
          .hasSize(2)
          .allMatch(message -> message.contains("ObjectProvider"))
          .anyMatch(message -> message.startsWith("bean 'model'"))
          .anyMatch(message -> message.startsWith("bean 'client'"));
    }
    assertThat(Sessions.find(directory)).isEmpty();
  }

  /** The same processor, as the warning says. */
  record Late(ObjectProvider<ChatModel> model) implements BeanPostProcessor, PriorityOrdered {

    @Override
    public int getOrder() {
      return 0;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class LateModel {

    @Bean
    ScriptedModel model() {
      return ScriptedModel.saying("late", "Yes.");
    }

    @Bean
    static Late late(ObjectProvider<ChatModel> model) {
      return new Late(model);
    }
  }

  @Test
  void beans_that_a_processor_takes_from_a_provider_are_recorded() throws Exception {
    try (LoggedMessages logged = LoggedMessages.of("dev.agentreplay.springai")) {
      recording(LateModel.class).run(context -> context.getBean(ChatModel.class).call("Really?"));
      assertThat(logged.from(Level.WARN)).isEmpty();
    }
    assertThat(Sessions.find(directory)).hasSize(1);
  }
}

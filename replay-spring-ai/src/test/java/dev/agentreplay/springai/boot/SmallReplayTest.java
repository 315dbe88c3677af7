package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.ReplaySession;
import dev.agentreplay.springai.test.ReplayTest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The test slice with an application without servers. */
class SmallReplayTest {

  /** A system property that turns the model off: the application has its own loader. */
  private static final String OFF = "replay.test.model.off";

  @TempDir
  Path directory;

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    ReplayAutoConfiguration.class,
    ChatClientAutoConfiguration.class,
    ToolCallingAutoConfiguration.class
  })
  static class Application {

    @Bean
    ScriptedModel model() {
      return new ScriptedModel("model", prompt -> {
        if (Boolean.getBoolean(OFF)) {
          throw new AssertionError("the model was called");
        }
        return new AssistantMessage("Yes.");
      });
    }

    /** A client of a model that is not a bean. */
    @Bean
    ChatClient second() {
      return ChatClient.create(model());
    }

    @Bean
    ChatClient first(ChatClient.Builder builder) {
      return builder.build();
    }
  }

  @ReplayTest(
      classes = Application.class,
      properties = "spring.main.banner-mode=off",
      webEnvironment = WebEnvironment.NONE)
  static class Questions {

    @Autowired
    ChatClient first;

    @Autowired
    ChatClient second;

    @Test
    @ReplaySession("asks")
    void asks() {
      assertThat(first.prompt("Is it open?").call().content()).isEqualTo("Yes.");
      assertThat(second.prompt("Is it?").call().content()).isEqualTo("Yes.");
    }
  }

  @AfterEach
  void clear() {
    System.clearProperty(OFF);
  }

  private List<String> run(JUnitOfSpring junit, Class<?> test, String update) throws Exception {
    return junit.run(
        test,
        Map.of(
            "replay.update", update,
            "replay.recordings", directory.resolve("recordings").toString(),
            "replay.output", directory.resolve("output").toString()));
  }

  @Test
  void test_records_what_is_missing_and_replays_it_without_models() throws Exception {
    try (JUnitOfSpring junit = JUnitOfSpring.open()) {
      assertThat(run(junit, Questions.class, "missing")).isEmpty();
      assertThat(Session.open(directory.resolve("recordings/asks")).log())
          .content()
          .contains("Is it open?", "Is it?");

      System.setProperty(OFF, "true");
      assertThat(run(junit, Questions.class, "none")).isEmpty();
    }
  }
}

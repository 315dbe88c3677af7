package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that is recorded by a property, and replayed by two. */
class ReplayedApplicationTest {

  private static final AtomicInteger MODEL = new AtomicInteger();
  private static final AtomicInteger TOOL = new AtomicInteger();

  @TempDir
  static Path directory;

  /** The recording that each test replays. */
  private static Session session;

  static class Clock {

    @Tool(description = "Returns the time")
    String time() {
      TOOL.incrementAndGet();
      return "noon";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    private static AssistantMessage answer(Prompt prompt) {
      MODEL.incrementAndGet();
      return prompt.getInstructions().get(prompt.getInstructions().size() - 1).getMessageType()
              == MessageType.TOOL
          ? new AssistantMessage("It is noon.")
          : ScriptedModel.calling("time", "{}");
    }

    @Bean
    ScriptedModel model() {
      return new ScriptedModel("model", Application::answer);
    }

    @Bean
    ChatClient client(ChatClient.Builder builder) {
      return builder.defaultTools(new Clock()).build();
    }
  }

  @BeforeEach
  void reset() {
    MODEL.set(0);
    TOOL.set(0);
  }

  private static ConfigurableApplicationContext start(String... arguments) {
    SpringApplication application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);
    return application.run(arguments);
  }

  private static String ask(ConfigurableApplicationContext context, String question) {
    return context.getBean(ChatClient.class).prompt(question).call().content();
  }

  @BeforeAll
  static void record() throws Exception {
    try (ConfigurableApplicationContext context =
        start("--replay.record.dir=" + directory, "--spring.main.banner-mode=off")) {
      assertThat(ask(context, "What time is it?")).isEqualTo("It is noon.");
      assertThat(SpringApplication.exit(context)).isZero();
    }
    List<SessionLocation> sessions = new ArrayList<>();
    Sessions.find(directory).forEach(sessions::add);
    assertThat(sessions).hasSize(1);
    session = sessions.get(0).open().session();
  }

  private static ConfigurableApplicationContext replay(Path session, String mode) {
    return start(
        "--replay.mode=" + mode,
        "--replay.session=" + session,
        "--replay.effects.time=pure",
        "--spring.main.banner-mode=off");
  }

  @Test
  void unchanged_application_is_replayed() throws Exception {
    assertThat(Files.exists(session.directory().resolve(Session.RECEIPT_NAME))).isTrue();
    reset();

    ConfigurableApplicationContext context = replay(session.directory(), "mock");

    assertThat(ask(context, "What time is it?")).isEqualTo("It is noon.");
    assertThat(SpringApplication.exit(context)).isZero();
    assertThat(MODEL).hasValue(0);
    assertThat(TOOL).hasValue(0);
  }

  @Test
  void tools_run_in_the_mode_that_says_so() throws Exception {
    reset();

    ConfigurableApplicationContext context = replay(session.directory(), "tools-live");

    assertThat(ask(context, "What time is it?")).isEqualTo("It is noon.");
    assertThat(SpringApplication.exit(context)).isZero();
    assertThat(MODEL).hasValue(0);
    assertThat(TOOL).hasValue(1);
  }

  @Test
  void clients_of_servers_do_not_connect_in_a_replay_unless_the_application_says_so()
      throws Exception {
    String name = "spring.ai.mcp.client.initialized";

    try (ConfigurableApplicationContext context = replay(session.directory(), "mock")) {
      assertThat(context.getEnvironment().getProperty(name)).isEqualTo("false");
    }
    try (ConfigurableApplicationContext context = start(
        "--replay.mode=mock", "--replay.session=" + session.directory(), "--" + name + "=true")) {
      assertThat(context.getEnvironment().getProperty(name)).isEqualTo("true");
    }
    try (ConfigurableApplicationContext context = start("--replay.record.dir=" + directory)) {
      assertThat(context.getEnvironment().getProperty(name)).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mock", "tools-live", "full"})
  void second_call_is_refused_in_terms_of_the_properties(String mode) throws Exception {
    reset();

    ConfigurableApplicationContext context = replay(session.directory(), mode);
    ask(context, "What time is it?");
    int answered = MODEL.get();
    assertThatThrownBy(() -> ask(context, "What time is it?"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(
            "replay.mode=" + mode, "replay.session=" + session.directory(), "@ReplayTest");
    ChatModel model = context.getBean(ChatModel.class);
    assertThatThrownBy(() -> model.call("What time is it?"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("replay.session");

    assertThat(MODEL).hasValue(answered);
    assertThat(SpringApplication.exit(context)).isEqualTo(1);
  }

  @Test
  void changed_question_is_a_divergence_and_an_exit_code() throws Exception {

    ConfigurableApplicationContext context = replay(session.directory(), "mock");

    assertThatThrownBy(() -> ask(context, "What day is it?"))
        .isInstanceOf(ReplayMissException.class);
    assertThat(SpringApplication.exit(context)).isEqualTo(1);
  }

  @Test
  void application_that_asks_nothing_is_a_divergence() throws Exception {

    assertThat(SpringApplication.exit(replay(session.directory(), "mock"))).isEqualTo(1);
  }
}

package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application is recorded by a property, and replayed by two. */
class PropertiesTest {

  @TempDir
  Path directory;

  private static String run(
      Function<ConfigurableApplicationContext, String> agent, String... arguments) {
    ConfigurableApplicationContext context =
        SpringApplication.run(ShopApplication.class, arguments);
    String answer = agent.apply(context);
    assertThat(SpringApplication.exit(context)).isZero();
    return answer;
  }

  private void isReplayed(Function<ConfigurableApplicationContext, String> agent) throws Exception {
    String answer = run(agent, "--replay.record.dir=" + directory);
    Path session;
    try (Stream<Path> sessions = Files.list(directory)) {
      session = sessions.toList().get(0);
    }
    ShopApplication.executed = 0;

    assertThat(run(agent, "--replay.mode=mock", "--replay.session=" + session)).isEqualTo(answer);
    assertThat(ShopApplication.executed).isZero();
  }

  @Test
  void call_with_a_tool() throws Exception {
    isReplayed(context -> context
        .getBean("assistant", ChatClient.class)
        .prompt("When is the corner shop open?")
        .call()
        .content());
  }

  @Test
  void stream() throws Exception {
    isReplayed(context -> String.join(
        "",
        context
            .getBean("streaming", ChatClient.class)
            .prompt("When is the corner shop open?")
            .stream()
            .content()
            .collectList()
            .block()));
  }

  @Test
  void model_is_injected_by_its_class() {
    assertThat(run(
            context -> context.getBean(ShopApplication.Model.class).getDefaultOptions().getModel(),
            "--replay.record.dir=" + directory))
        .isEqualTo("scripted");
  }
}

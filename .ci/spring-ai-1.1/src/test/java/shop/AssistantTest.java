package shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.junit.ReplaySession;
import dev.agentreplay.springai.test.ReplayTest;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;

/** The test slice replays a recording of this application. */
@ReplayTest
class AssistantTest {

  @Autowired
  @Qualifier("assistant")
  ChatClient assistant;

  @Test
  @ReplaySession("asks-for-the-hours")
  void asks_for_the_hours() {
    ShopApplication.executed = 0;
    assertThat(assistant.prompt("When is the corner shop open?").call().content())
        .contains("9 to 17");
    if (System.getProperty("replay.update") == null) {
      assertThat(ShopApplication.executed).isZero();
    }
  }
}

package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.junit.ReplaySession;
import dev.agentreplay.springai.test.ReplayTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ActiveProfiles;

/** Replays the assistant: its model and its tools do not run. */
@ReplayTest
@ActiveProfiles("scripted") // remove it to record with the model of OpenAI
class AssistantTest {

  @Autowired
  Assistant assistant;

  @Test
  @ReplaySession("answers-about-lamps")
  void answers_about_lamps() {
    assertThat(assistant.ask("Are you open on Monday, and do you have lamps?"))
        .contains("9 to 17", "3 lamps");
  }
}

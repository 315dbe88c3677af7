package com.example.shop;

import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.junit.ReplayExecutors;
import dev.agentreplay.junit.ReplaySession;
import dev.agentreplay.langchain4j.AiServiceCalls;
import dev.agentreplay.langchain4j.AiServiceReplayer;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.file.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** Records the assistant, and replays an accepted recording. */
@QuarkusTest
class AssistantTest {

  static final String QUESTION = "Are you open on Monday?";

  @Inject
  Assistant assistant;

  @Inject
  AiServiceCalls calls;

  @Inject
  ShopTools tools;

  @ConfigProperty(name = "replay.record.dir")
  Path sessions;

  @ReplayExecutors // model and tools are those of the application
  static Executors executors() {
    return Executors.none();
  }

  /** Records the golden session if it is missing, and replays it without model and tools. */
  @Test
  @ReplaySession(value = "answers-about-monday", mode = ReplayMode.MOCK)
  void answers_about_monday(AgentScope scope) throws Exception {
    String answer = calls.replay(AiServiceReplayer.of(scope), () -> assistant.ask(QUESTION));

    assertThat(answer).isEqualTo("On Monday the hours are: \"9 to 17\".");
  }

  @Test
  void model_and_tools_do_not_run() throws Exception {
    int before = tools.calls();

    ReplayReport report = replay(QUESTION);

    assertThat(report.isIdentical()).as("%s", report.divergences()).isTrue();
    assertThat(report.exchanges().served()).isEqualTo(3);
    assertThat(report.exchanges().executed()).isZero();
    assertThat(tools.calls()).isEqualTo(before);
  }

  @Test
  void a_different_question_is_a_divergence() throws Exception {
    ReplayReport report = replay("Are you open on Sunday?");

    assertThat(report.isIdentical()).isFalse();
    assertThat(report.root().miss().kind()).isEqualTo(MissKind.DIVERGED);
  }

  @Test
  void each_invocation_is_a_session() throws Exception {
    assistant.ask(QUESTION);

    assertThat(Sessions.find(sessions)).isNotEmpty();
    for (SessionLocation each : Sessions.find(sessions)) {
      assertThat(each.open().session()).isVerified().hasToolCalls("hours").hasNoFailedToolResults();
    }
  }

  private ReplayReport replay(String question) throws Exception {
    Session recording = Session.open(Path.of("src/test/resources/answers-about-monday"));
    return Replay.of(recording).mode(ReplayMode.MOCK).run(scope -> {
      try {
        calls.replay(AiServiceReplayer.of(scope), () -> assistant.ask(question));
      } catch (RuntimeException e) {
        // the run fails at once
      }
    });
  }
}

package com.example.agent

import dev.agentreplay.engine.exchange.MissKind
import dev.agentreplay.engine.replay.AgentScope
import dev.agentreplay.engine.replay.Replay
import dev.agentreplay.engine.replay.ReplayMissException
import dev.agentreplay.engine.replay.execution.Executors
import dev.agentreplay.engine.replay.policy.ReplayMode
import dev.agentreplay.io.session.Session
import dev.agentreplay.junit.ReplayAssertions.assertThat
import dev.agentreplay.junit.ReplayExecutors
import dev.agentreplay.junit.ReplaySession
import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** Records the agent, and replays an accepted recording. */
class ReviewerTest {

  private val recording by lazy { Session.open(Path.of("src/test/resources/reviews-the-greeting")) }

  /** Records the golden session if it is missing, and replays it without model and tools. */
  @Test
  @ReplaySession(value = "reviews-the-greeting", mode = ReplayMode.MOCK)
  fun reviews_the_greeting(scope: AgentScope) {
    assertThat(scope.review(GREETING)).isEqualTo(ANSWER)
  }

  @Test
  fun model_and_tools_do_not_run() {
    val report = Replay.of(recording).mode(ReplayMode.MOCK).run { it.review(GREETING) }

    assertThat(report.isIdentical).`as`("%s", report.divergences()).isTrue()
    assertThat(report.exchanges().executed()).isZero()
  }

  @Test
  fun a_different_file_is_a_divergence() {
    val report = Replay.of(recording).mode(ReplayMode.MOCK).run { scope ->
      assertThatThrownBy { scope.review("farewell.txt") }
        .isInstanceOf(ReplayMissException::class.java)
    }

    assertThat(report.isIdentical).isFalse()
    assertThat(report.root()?.miss()?.kind()).isEqualTo(MissKind.DIVERGED)
  }

  @Test
  fun each_review_is_a_session(@TempDir sessions: Path) {
    val answer = recordReview(sessions.resolve("review"), GREETING)

    assertThat(answer).isEqualTo(ANSWER)
    assertThat(Session.open(sessions.resolve("review")))
      .isVerified()
      .hasToolCalls("read_file")
      .hasNoFailedToolResults()
  }

  companion object {
    const val GREETING = "src/test/resources/greeting.txt"
    const val ANSWER = "It has 1 line and no mistakes."

    @JvmStatic
    @ReplayExecutors // called to record, never by a replay in the mode MOCK
    fun executors(): Executors = liveExecutors()
  }
}

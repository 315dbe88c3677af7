package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.subject.ProcessCommand;
import dev.agentreplay.engine.subject.ProcessModel;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model that is called without a seed is a circumstance of the replay. */
class ModelSeedTest {

  @TempDir
  Path directory;

  private Session session;
  private final SampleAgent agent = new SampleAgent(2);
  private final List<Long> seeds = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void record() throws Exception {
    session = new SampleAgent(2).record(directory.resolve("recorded"));
  }

  private List<Circumstance> replay(ReplayMode mode, @Nullable Long seed, boolean isSeeded)
      throws Exception {
    ModelExecutor executor = (call, pieces) -> {
      seeds.add(call.parameters().seed());
      return agent.executors().model().call(call, pieces);
    };
    return Replay.of(session)
        .mode(mode)
        .executors(
            agent.executors().withModel(isSeeded ? ModelExecutor.seeded(executor) : executor))
        .seed(seed)
        .run(agent)
        .circumstances()
        .stream()
        .filter(circumstance -> circumstance.name().equals("seed"))
        .toList();
  }

  @Test
  void model_that_takes_the_seed_is_not_mentioned() throws Exception {
    assertThat(replay(ReplayMode.MODEL_LIVE, 7L, true)).isEmpty();
    assertThat(seeds).containsExactly(7L, 7L);
  }

  @Test
  void model_that_takes_no_seed_is_a_circumstance() throws Exception {
    assertThat(replay(ReplayMode.MODEL_LIVE, 7L, false))
        .containsExactly(new Circumstance(
            "seed",
            JsonValue.of(7),
            null,
            "the model takes no seed: its answers may differ in each run"));
  }

  @Test
  void seed_that_is_neither_recorded_nor_given_is_a_circumstance() throws Exception {
    assertThat(replay(ReplayMode.MODEL_LIVE, null, true))
        .extracting(Circumstance::message)
        .containsExactly(
            "no seed was recorded or given: answers of the model may differ in each run");
  }

  @Test
  void model_that_is_not_called_needs_no_seed() throws Exception {
    assertThat(replay(ReplayMode.MOCK, null, false)).isEmpty();
  }

  @Test
  void program_takes_the_seed() {
    assertThat(ProcessModel.of(ProcessCommand.of(List.of("model"))).takesSeed()).isTrue();
  }
}

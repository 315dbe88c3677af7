package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentreplay.engine.replay.ReplayRefusedException.Reason;
import dev.agentreplay.engine.replay.policy.OnCircumstance;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recording of a replay: it is checked before anything runs, and its requests are issued. */
class ReplayedRecordingTest {

  private static final int TURNS = 4;

  @TempDir
  Path directory;

  private Path recorded;
  private final SampleAgent agent = new SampleAgent(TURNS);

  @BeforeEach
  void record() throws Exception {
    recorded = directory.resolve("recorded");
    agent.record(recorded);
  }

  private Replay replay(ReplayMode mode) throws IOException {
    return Replay.of(Session.open(recorded)).mode(mode).executors(agent.executors());
  }

  private Path log() {
    return recorded.resolve("REPLAY.jsonl");
  }

  @Test
  void recording_with_any_changed_byte_is_refused_before_anything_runs() throws Exception {
    byte[] log = Files.readAllBytes(log());
    agent.executions.set(0);
    for (int at = 0; at < log.length; at += 7) {
      byte[] changed = log.clone();
      changed[at] ^= 1;
      Files.write(log(), changed);

      assertThatExceptionOfType(IOException.class)
          .as("byte %d", at)
          .isThrownBy(() -> replay(ReplayMode.MOCK).run(agent))
          .matches(e -> e instanceof ReplayRefusedException || e instanceof ReplayFormatException);
    }
    assertThat(agent.executions).hasValue(0);
  }

  @Test
  void changed_byte_is_reported_by_a_validation() throws Exception {
    byte[] log = Files.readAllBytes(log());
    for (int at = 0; at < log.length; at += 7) {
      byte[] changed = log.clone();
      changed[at] ^= 1;
      Files.write(log(), changed);
      try {
        assertThat(replay(ReplayMode.VALIDATION).run().verdict())
            .as("byte %d", at)
            .isNotEqualTo(ReplayVerdict.IDENTICAL);
      } catch (ReplayFormatException | ReplayRefusedException unreadable) {
        assertThat(unreadable.getMessage()).contains("REPLAY.jsonl");
      }
    }
  }

  @Test
  void missing_recording_is_an_error_that_names_it() {
    Path missing = directory.resolve("missing");

    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Replay.of(Session.open(missing)))
        .withMessageContaining("missing");
  }

  @Test
  void unsupported_version_is_refused_and_a_warning_if_forced() throws Exception {
    Files.delete(recorded.resolve("RECEIPT.json"));
    Files.writeString(
        log(), Files.readString(log()).replace("\"replay_version\":1", "\"replay_version\":99"));

    assertThatExceptionOfType(ReplayRefusedException.class)
        .isThrownBy(() -> replay(ReplayMode.MOCK).run(agent))
        .withMessageContaining("version 99")
        .returns(Reason.VERSION, ReplayRefusedException::reason);

    ReplayReport forced = replay(ReplayMode.MOCK).force(true).run(agent);

    assertThat(forced.circumstances())
        .filteredOn(circumstance -> circumstance.name().equals("version"))
        .singleElement()
        .satisfies(circumstance -> assertThat(circumstance.message()).contains("version 99"));
    assertThat(TextReport.render(forced, TextOptions.defaults())).contains("version: ", "99");
    assertThat(forced.exchanges().served()).isEqualTo(2 * TURNS);
  }

  @Test
  void settings_that_differ_from_the_recorded_ones_are_circumstances() throws Exception {
    recorded = directory.resolve("configured");
    Circumstances before = Circumstances.defaults()
        .withModel("gpt-5", Parameters.NONE.withTemperature(0.5))
        .withVersion("prompts", "7");
    agent.record(recorded, RecorderOptions.defaults().withCircumstances(before));

    ReplayReport same = replay(ReplayMode.MOCK).circumstances(before).run(agent);
    ReplayReport other = replay(ReplayMode.MOCK)
        .circumstances(Circumstances.defaults()
            .withModel("gpt-6", Parameters.NONE.withTemperature(0.7))
            .withVersion("prompts", "8"))
        .run(agent);

    assertThat(names(same)).isEmpty();
    assertThat(names(other))
        .containsExactlyInAnyOrder("model", "model_parameters.temperature", "versions.prompts");
    assertThat(other.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void circumstances_that_differ_are_reported_leave_it_unverified_or_refuse_it() throws Exception {
    recorded = directory.resolve("configured");
    agent.record(
        recorded,
        RecorderOptions.defaults()
            .withCircumstances(Circumstances.none().withVersion("prompts", "7")));
    Circumstances now = Circumstances.none().withVersion("prompts", "8");

    assertThat(replay(ReplayMode.MOCK)
            .circumstances(now)
            .onCircumstance("model", OnCircumstance.REFUSE)
            .run(agent)
            .verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(replay(ReplayMode.MOCK)
            .circumstances(now)
            .onCircumstance("versions", OnCircumstance.UNVERIFIED)
            .run(agent)
            .verdict())
        .isEqualTo(ReplayVerdict.UNVERIFIED);
    assertThat(replay(ReplayMode.MOCK)
            .circumstances(now)
            .onCircumstance("versions", OnCircumstance.REFUSE)
            .onCircumstance("versions.prompts", OnCircumstance.REPORT)
            .run(agent)
            .verdict())
        .isEqualTo(ReplayVerdict.IDENTICAL);
    assertThatExceptionOfType(ReplayRefusedException.class)
        .isThrownBy(() -> replay(ReplayMode.VALIDATION)
            .circumstances(now)
            .onCircumstance("versions.prompts", OnCircumstance.REFUSE)
            .run())
        .withMessageEndingWith(
            "versions.prompts differs from the recording: recorded \"7\", now \"8\"")
        .satisfies(refused ->
            assertThat(refused.reason()).isEqualTo(ReplayRefusedException.Reason.CIRCUMSTANCES));
    assertThat(replay(ReplayMode.MOCK)
            .circumstances(now)
            .onCircumstance("versions.prompts", OnCircumstance.REFUSE)
            .force(true)
            .run(agent)
            .verdict())
        .isEqualTo(ReplayVerdict.UNVERIFIED);
  }

  private static List<String> names(ReplayReport report) {
    return report.circumstances().stream().map(Circumstance::name).toList();
  }

  @Test
  void settings_of_the_recording_are_those_of_the_replay() throws Exception {
    recorded = directory.resolve("configured");
    Circumstances before = Circumstances.defaults().withModel("gpt-5").withSeed(17);
    agent.record(recorded, RecorderOptions.defaults().withCircumstances(before));

    replay(ReplayMode.MOCK).directory(directory.resolve("replayed")).run(agent);

    assertThat(Files.readAllLines(directory.resolve("replayed/REPLAY.jsonl")))
        .anyMatch(line -> line.contains("\"event\":\"Settings\"")
            && line.contains("gpt-5")
            && line.contains("17"));
  }

  @Test
  void seed_and_start_of_the_recording_are_those_of_the_replay() throws Exception {
    recorded = directory.resolve("configured");
    Circumstances before = Circumstances.defaults().withSeed(17);
    Instant earlier = Instant.parse("2026-01-02T03:04:05Z");
    agent.record(
        recorded,
        RecorderOptions.defaults()
            .withCircumstances(before)
            .withWriter(WriterOptions.defaults().withClock(Clock.fixed(earlier, ZoneOffset.UTC))));
    List<Long> seeds = new ArrayList<>();

    replay(ReplayMode.NODE)
        .model((call, pieces) -> {
          seeds.add(call.parameters().seed());
          return ModelResult.of(call.id(), "other");
        })
        .run();
    List<Object> values = values(null);

    assertThat(seeds).hasSize(TURNS).containsOnly(17L);
    assertThat(values.get(0)).isEqualTo(earlier);
    assertThat(values(null)).isEqualTo(values);
    assertThat(values(17L)).isEqualTo(values);
    assertThat(values(18L)).isNotEqualTo(values);
  }

  /** The values that an agent gets from its context. */
  private List<Object> values(@Nullable Long seed) throws Exception {
    List<Object> values = new ArrayList<>();
    replay(ReplayMode.MOCK).seed(seed).run(scope -> {
      values.add(scope.context().clock().instant());
      values.add(scope.context().random().nextLong());
      values.add(scope.context().uuidV4());
    });
    return values;
  }

  @Test
  void recorded_prompts_are_sent_again_in_full_and_in_order() throws Exception {
    List<String> recordedPrompts = new ArrayList<>();
    try (ReplayReader reader = Session.open(recorded).readerWithFullPrompts()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ModelCall call) {
          recordedPrompts.add(String.valueOf(call.prompt().value()));
        }
      }
    }
    assertThat(recordedPrompts).hasSize(TURNS);
    assertThat(Files.readString(log())).doesNotContain(recordedPrompts.get(TURNS - 1));
    for (ReplayMode mode : List.of(ReplayMode.FULL, ReplayMode.NODE)) {
      List<String> sent = new ArrayList<>();

      replay(mode)
          .model((call, pieces) -> {
            sent.add(String.valueOf(call.prompt().value()));
            return ModelResult.of(call.id(), "other");
          })
          .run();

      assertThat(sent).isEqualTo(recordedPrompts);
    }
  }
}

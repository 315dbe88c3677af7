package dev.agentreplay.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnCircumstance;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.UnknownCircumstanceException;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Circumstances: what is compared, what cannot be, and what the caller requires to be the same. */
@Timeout(60)
class CircumstancesTest {

  private static final JsonObject SCHEMA = JsonObject.of("required", List.of("path"));

  @TempDir
  private Path directory;

  private Replay recorded(Circumstances circumstances) throws Exception {
    Path path = directory.resolve("recorded");
    RecorderOptions options = RecorderOptions.defaults().withCircumstances(circumstances);
    return Replay.of(new SampleAgent(1).record(path, options));
  }

  private static Circumstances configured() {
    return Circumstances.defaults()
        .withModel("gpt-5")
        .withTool(ToolDescription.of("read_file").withReadOnly(false).withSchema(SCHEMA))
        .withVersion("app", "1")
        .withSeed(7)
        .with("retries", 3, null)
        .with(Settings.WORKSPACE, JsonObject.of("hash", "sha256:" + "0".repeat(64)), null);
  }

  private static List<String> texts(ReplayReport report) {
    return report.circumstances().stream().map(Circumstance::text).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model",
        "tools",
        "tools.read_file",
        "versions.app",
        "versions",
        "retries",
        "workspace"
      })
  void required_circumstance_that_is_recorded_and_not_stated_now_refuses(String name)
      throws Exception {
    Replay replay = recorded(configured());

    assertThat(texts(replay.run())).isEmpty();
    replay.onCircumstance(name, OnCircumstance.REFUSE);
    assertThatExceptionOfType(ReplayRefusedException.class)
        .isThrownBy(replay::run)
        .withMessageContaining(name)
        .withMessageContaining(" is recorded, and not stated now")
        .returns(ReplayRefusedException.Reason.CIRCUMSTANCES, ReplayRefusedException::reason);
    ReplayReport forced = replay.force(true).run();
    assertThat(forced.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"model", "tools", "versions", "seed", "retries", "workspace", "locale"})
  void required_circumstance_that_is_the_same_does_not_refuse(String name) throws Exception {
    Replay replay = recorded(configured())
        .circumstances(configured())
        .onCircumstance(name, OnCircumstance.REFUSE);

    assertThat(replay.run().isIdentical()).isTrue();
  }

  @Test
  void circumstance_that_the_recording_does_not_state_cannot_differ() throws Exception {
    Replay replay = recorded(Circumstances.none())
        .circumstances(configured())
        .onCircumstance("model", OnCircumstance.REFUSE)
        .onCircumstance("tools", OnCircumstance.REFUSE);

    assertThat(replay.run().isIdentical()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"modell", "nonsense", "version.runtime", "versions.apps", "tools.write_file", "mode"})
  void unknown_name_is_an_error_before_anything_runs(String name) throws Exception {
    Replay replay = recorded(configured()).onCircumstance(name, OnCircumstance.REFUSE);

    assertThatExceptionOfType(UnknownCircumstanceException.class)
        .isThrownBy(replay::run)
        .withMessageStartingWith("unknown circumstance \"" + name + "\"; known are ")
        .returns(name, UnknownCircumstanceException::name)
        .satisfies(e -> assertThat(e.known()).contains("model", "tools.read_file", "retries"));
    assertThat(replay.onCircumstance(name, OnCircumstance.REPORT).run().isIdentical())
        .isTrue();
  }

  @Test
  void seed_that_is_given_is_compared_with_the_recorded_one() throws Exception {
    Replay replay = recorded(configured());

    assertThat(texts(replay.seed(7L).run())).isEmpty();
    assertThat(texts(replay.seed(8L).run()))
        .containsExactly("seed differs from the recording: recorded 7, now 8");
  }

  @Test
  void executors_are_compared_with_the_recorded_tools() throws Exception {
    ToolExecutor none = ToolExecutor.of(params -> "");
    Replay replay = recorded(configured())
        .mode(ReplayMode.NODE)
        .tool("read_file", Effect.WRITES_WORKSPACE, none)
        .check("read_file", schema(SCHEMA))
        .onCircumstance("tools", OnCircumstance.REFUSE);
    assertThat(texts(replay.mode(ReplayMode.VALIDATION).run())).isEmpty();

    replay
        .tool("read_file", Effect.PURE, none)
        .tool("pay", Effect.EXTERNAL, none)
        .check("read_file", schema(JsonObject.EMPTY))
        .onCircumstance("tools", OnCircumstance.REPORT);
    assertThat(texts(replay.run()))
        .containsExactly(
            "tool read_file has a different schema: recorded {\"required\":[\"path\"]}, now {}",
            "tool read_file has a greater effect in the recording: recorded \"writes_workspace\","
                + " now \"pure\"",
            "tool pay is not among the recorded tools");
  }

  private static ParameterCheck schema(JsonValue schema) {
    return new ParameterCheck() {
      @Override
      public List<Fault> check(JsonValue params) {
        return List.of();
      }

      @Override
      public JsonValue schema() {
        return schema;
      }
    };
  }

  @Test
  void location_of_a_workspace_is_not_compared() throws Exception {
    JsonObject moved = JsonObject.of("hash", "sha256:" + "0".repeat(64), "location", "elsewhere");
    Replay replay = recorded(configured())
        .circumstances(Circumstances.none().with(Settings.WORKSPACE, moved, null));
    assertThat(texts(replay.run())).isEmpty();

    JsonObject other = JsonObject.of("hash", "sha256:" + "1".repeat(64));
    replay.circumstances(Circumstances.none().with(Settings.WORKSPACE, other, null));
    assertThat(texts(replay.run()))
        .singleElement()
        .asString()
        .startsWith("workspace differs from the recording: recorded ");
  }

  @Test
  void later_minor_version_is_a_circumstance() throws Exception {
    Replay replay = ofVersion("1.7");

    assertThat(replay.run().verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(texts(replay.run()))
        .contains("the log is of version 1.7, later than 1: its additions are kept, but not"
            + " interpreted");
    assertThatExceptionOfType(ReplayRefusedException.class)
        .isThrownBy(
            () -> replay.onCircumstance("version", OnCircumstance.REFUSE).run())
        .withMessageContaining("version 1.7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.9", "2", "99"})
  void version_before_or_after_the_supported_ones_is_refused_unless_forced(String version)
      throws Exception {
    Replay replay = ofVersion(version);

    assertThatExceptionOfType(ReplayRefusedException.class)
        .isThrownBy(() -> replay.mode(ReplayMode.MOCK).run(new SampleAgent(1)))
        .withMessageContaining("version " + version + ": only versions 1 and 1.x")
        .returns(ReplayRefusedException.Reason.VERSION, ReplayRefusedException::reason);
    ReplayReport validation = replay.mode(ReplayMode.VALIDATION).run();
    assertThat(validation.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(replay.force(true).mode(ReplayMode.MOCK).run(new SampleAgent(1)).circumstances())
        .filteredOn(each -> each.name().equals("version"))
        .singleElement()
        .satisfies(each -> assertThat(each.message()).contains("version " + version));
  }

  @Test
  void recording_without_a_header_is_a_circumstance() throws Exception {
    Replay replay = recorded(Circumstances.none());
    Path log = replay.session.log();
    List<String> lines = Files.readAllLines(log);
    Files.write(log, lines.subList(1, lines.size()));
    Files.delete(log.resolveSibling("RECEIPT.json"));

    assertThat(texts(Replay.of(Session.open(log)).force(true).run()))
        .contains("the recording has no header");
  }

  @Test
  void recording_of_a_different_library_version_is_a_circumstance() throws Exception {
    Replay replay = recorded(Circumstances.none().withVersion("library", "0.0.1"))
        .circumstances(Circumstances.none().withVersion("library", "9.9.9"));

    assertThat(texts(replay.run()))
        .containsExactly(
            "versions.library differs from the recording: recorded \"0.0.1\", now" + " \"9.9.9\"");
  }

  private Replay ofVersion(String version) throws Exception {
    Path log = recorded(Circumstances.none()).session.log();
    String text = Files.readString(log);
    assertThat(text).contains("\"replay_version\":1,");
    Files.writeString(
        log, text.replace("\"replay_version\":1,", "\"replay_version\":%s,".formatted(version)));
    Files.delete(log.resolveSibling("RECEIPT.json"));
    return Replay.of(Session.open(log));
  }
}

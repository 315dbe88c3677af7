package dev.agentreplay.engine.replay;

import static dev.agentreplay.engine.replay.TestRecordings.path;
import static dev.agentreplay.engine.replay.TestRecordings.requireClosedCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.ReplayRefusedException.Reason;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings that are incomplete, changed, packed, or have hashes in place of values. */
class UnusualRecordingsTest {

  private static final String CONTENT = "fn login() {}";

  @TempDir
  Path directory;

  private final ReplayAgent agent = scope -> scope.call("read_file", path(1));

  private final ToolExecutor tool = ToolExecutor.of(params -> CONTENT);

  private Session record() throws Exception {
    return record(RecorderOptions.defaults());
  }

  private Session record(RecorderOptions options) throws Exception {
    return TestRecordings.record(
        directory.resolve("recorded"),
        agent,
        Executors.none().withTool("read_file", tool),
        options);
  }

  /** Records a call of which the log has only hashes. */
  private Session recordHashes(Content params, Content output) throws Exception {
    Path recorded = directory.resolve("hashes");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "hashes")) {
      recorder.call(ToolCall.of("call-1", "read_file", path(1)).withParams(params));
      recorder.emit(ToolResult.of("call-1", null)
          .withOutput(output)
          .withOutcome(Outcome.OK)
          .withLatencyMillis(1L));
      recorder.end(Status.SUCCESS);
    }
    return Session.open(recorded);
  }

  private static Content hash(JsonValue value) {
    return Content.ofHash(CanonicalJson.SERDE.hash(value));
  }

  private static Replay mock(Session session) {
    return Replay.of(session).mode(ReplayMode.MOCK);
  }

  private Replay live(Session session) {
    return Replay.of(session).mode(ReplayMode.TOOLS_LIVE).tool("read_file", Effect.PURE, tool);
  }

  private static void isRefused(Replay replay, ReplayAgent agent, Reason reason) {
    assertThatThrownBy(() -> replay.run(agent))
        .isInstanceOfSatisfying(
            ReplayRefusedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  @Test
  void a_request_is_matched_with_the_hash_of_the_recorded_one() throws Exception {
    Session session = recordHashes(hash(path(1)), Content.of(JsonString.of(CONTENT)));

    ReplayReport report = mock(session).run(agent);
    ReplayReport other = mock(session).run(scope -> scope.call("read_file", path(2)));

    assertThat(report.divergences()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.matched()).containsEntry(MatchRung.EXACT, 1L);
    assertThat(report.circumstances()).extracting(Circumstance::name).contains("hashes");
    assertThat(other.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(other.root().miss().kind()).isEqualTo(MissKind.DIVERGED);
  }

  @Test
  void a_result_of_which_only_the_hash_was_recorded_is_compared_but_not_served() throws Exception {
    Session session = recordHashes(hash(path(1)), hash(JsonString.of(CONTENT)));

    ReplayReport mock = mock(session).run(agent);
    ReplayReport same = live(session).run(agent);
    ReplayReport changed = live(session)
        .tool("read_file", Effect.PURE, ToolExecutor.of(params -> "changed"))
        .run(agent);
    ReplayReport validation = Replay.of(session).run();

    assertThat(mock.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(mock.root().miss().kind()).isEqualTo(MissKind.NOT_SERVABLE);
    requireClosedCounts(mock);
    assertThat(same.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(changed.divergencesByKind()).containsOnlyKeys("OUTPUT");
    assertThat(validation.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void requests_of_which_only_hashes_were_recorded_are_not_issued_again() throws Exception {
    Session session = recordHashes(hash(path(1)), hash(JsonString.of(CONTENT)));

    for (ReplayMode mode : List.of(ReplayMode.FULL, ReplayMode.NODE)) {
      assertThatThrownBy(() -> Replay.of(session).mode(mode).force(true).run())
          .isInstanceOfSatisfying(
              ReplayRefusedException.class,
              refused -> assertThat(refused.reason()).isEqualTo(Reason.HASH_ONLY));
    }
  }

  @Test
  void a_call_whose_blob_is_missing_or_damaged_is_not_executed() throws Exception {
    Session session = record(RecorderOptions.defaults().withBlobThreshold(4));
    Session missing = new Session(session.log(), null);
    List<ToolCall> executed = new ArrayList<>();
    ToolExecutor counting = call -> {
      executed.add(call);
      return tool.execute(call);
    };
    Path blob = session.blobs().resolve(fileName(path(1)));
    Files.writeString(blob, Files.readString(blob).replace("file-1", "file-2"));

    for (Session broken : List.of(missing, session)) {
      for (ReplayMode mode : List.of(ReplayMode.FULL, ReplayMode.NODE)) {
        Replay replay = Replay.of(broken).mode(mode).tool("read_file", Effect.PURE, counting);
        assertThatThrownBy(() -> replay.force(true).run())
            .isInstanceOfSatisfying(
                ReplayRefusedException.class,
                refused -> assertThat(refused.reason()).isEqualTo(Reason.HASH_ONLY))
            .hasMessageContaining("1 of 1 calls");
      }
    }
    assertThat(executed).isEmpty();
    assertThat(mock(missing).run(agent).circumstances())
        .extracting(Circumstance::name)
        .contains("hashes");
  }

  private static String fileName(JsonValue value) {
    return "sha256-" + CanonicalJson.SERDE.hash(value).hex() + ".json";
  }

  @Test
  void a_call_of_which_the_agent_has_only_the_hash_is_refused() throws Exception {
    ToolCall call = ToolCall.of("call-1", "read_file", path(1)).withParams(hash(path(1)));

    ReplayReport report = live(record()).run(scope -> scope.execute(call));

    assertThat(report.root().kind()).isEqualTo("REFUSED");
    assertThat(report.root().message()).contains("only the hash of its parameters is known");
    assertThat(report.exchanges().executed()).isZero();
    requireClosedCounts(report);
  }

  @Test
  void values_in_blobs_are_matched_and_served() throws Exception {
    Session session = record(RecorderOptions.defaults().withBlobThreshold(4));
    List<JsonValue> seen = new ArrayList<>();

    ReplayReport report = mock(session).run(scope -> seen.add(scope.call("read_file", path(1))));
    ReplayReport executed = live(session).run(agent);
    ReplayReport missed = mock(session).run(scope -> scope.call("read_file", path(2)));

    assertThat(missed.root().miss().nearest().pointer()).isEqualTo("/params/path");
    assertThat(session.blobs()).isNotNull();
    assertThat(seen).containsExactly(JsonString.of(CONTENT));
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(executed.verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void a_missing_blob_is_not_servable() throws Exception {
    Session session = record(RecorderOptions.defaults().withBlobThreshold(4));
    Session copied = new Session(session.log(), null);

    ReplayReport report = mock(copied).run(agent);

    assertThat(report.root().miss().kind()).isEqualTo(MissKind.NOT_SERVABLE);
    assertThat(report.matched()).containsEntry(MatchRung.EXACT, 0L);
    requireClosedCounts(report);
  }

  @Test
  void a_changed_recording_is_refused_unless_it_is_forced() throws Exception {
    Session session = record();
    String log = Files.readString(session.log());
    Files.writeString(session.log(), log.replace(CONTENT, "fn logout() {}"));

    isRefused(mock(session), agent, Reason.INVALID);
    ReplayReport forced = mock(session).force(true).run(agent);
    ReplayReport validation = Replay.of(session).run();

    assertThat(forced.circumstances()).extracting(Circumstance::name).contains("verification");
    assertThat(forced.exchanges().served()).isOne();
    assertThat(validation.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(TestRecordings.temporaryDirectories(session)).isEmpty();
  }

  @Test
  void a_recording_of_a_later_version_is_refused_unless_it_is_forced() throws Exception {
    Session session = record();
    String log = Files.readString(session.log());
    String later = log.replaceFirst("\"replay_version\":(\"1\"|1)", "\"replay_version\":\"2\"");
    assertThat(later).isNotEqualTo(log);
    Files.writeString(session.log(), later);
    Session alone = new Session(session.log(), null);

    isRefused(mock(alone), agent, Reason.VERSION);
    ReplayReport forced = mock(alone).force(true).run(agent);

    assertThat(forced.circumstances()).extracting(Circumstance::name).contains("version");
  }

  @Test
  void unmet_requirements_are_refused_unless_the_replay_is_forced() throws Exception {
    Session session = new Session(record().log(), null);
    VerifyPolicy policy = VerifyPolicy.defaults().requiring(Requirement.RECEIPT);

    isRefused(mock(session).verification(policy), agent, Reason.INVALID);
    assertThat(mock(session)
            .verification(policy)
            .force(true)
            .run(agent)
            .exchanges()
            .served())
        .isOne();
  }

  @Test
  void a_recording_without_its_end_is_incomplete() throws Exception {
    Path recorded = directory.resolve("open");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "open")) {
      agent.run(AgentScope.recording(recorder, Executors.none().withTool("read_file", tool)));
    }

    ReplayReport report = mock(Session.open(recorded)).run(agent);
    ReplayReport validation = Replay.of(Session.open(recorded)).run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.incomplete()).containsExactly("the recording has no end");
    assertThat(report.divergences()).isEmpty();
    assertThat(validation.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
  }

  @Test
  void a_recorded_call_without_a_result_is_undecided() throws Exception {
    Path recorded = directory.resolve("undecided");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "undecided")) {
      recorder.call("read_file", path(1));
    }
    Session session = Session.open(recorded);

    ReplayReport report = mock(session).onUnmatched(OnUnmatched.ERROR).run(agent);
    ReplayReport executed = live(session).run(agent);

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.INCOMPLETE);
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("UNDECIDED", 1L));
    requireClosedCounts(report);
    assertThat(executed.isIdentical()).isFalse();
    requireClosedCounts(executed);
  }

  @Test
  void a_second_result_of_a_call_is_not_served() throws Exception {
    Session session = record();
    List<String> lines = new ArrayList<>(Files.readAllLines(session.log()));
    int result = lines.indexOf(lines.stream()
        .filter(line -> line.contains("\"ToolResult\""))
        .findFirst()
        .orElseThrow());
    lines.add(result + 1, lines.get(result).replace(CONTENT, "second"));
    Files.writeString(session.log(), String.join("\n", lines) + "\n");
    List<JsonValue> seen = new ArrayList<>();

    ReplayReport report =
        mock(session).force(true).run(scope -> seen.add(scope.call("read_file", path(1))));

    assertThat(seen).containsExactly(JsonString.of(CONTENT));
    assertThat(report.exchanges().recorded()).isOne();
    requireClosedCounts(report);
  }

  @Test
  void a_log_without_a_receipt_is_replayed() throws Exception {
    Session session = new Session(record().log(), null);

    assertThat(mock(session).run(agent).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void a_compressed_log_is_replayed() throws Exception {
    Session session = record();
    Path compressed = directory.resolve(Session.COMPRESSED_LOG_NAME);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      Files.copy(session.log(), out);
    }
    Session gzip = Session.open(compressed);

    assertThat(mock(gzip).run(agent).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(live(gzip).run(agent).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
  }

  @Test
  void a_packed_session_is_replayed() throws Exception {
    Session session = record();
    Path packed = directory.resolve("packed.tar.gz");
    PackedSession.pack(directory.resolve("recorded"), packed);

    try (OpenSession open = PackedSession.open(packed)) {
      assertThat(mock(open.session()).run(agent).verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
      assertThat(Replay.of(open.session()).against(session).run().verdict())
          .isEqualTo(ReplayVerdict.IDENTICAL);
    }
  }

  @Test
  void a_validation_against_a_different_recording_has_its_divergences() throws Exception {
    Session session = record();
    Session other = TestRecordings.record(
        directory.resolve("other"),
        scope -> scope.call("read_file", path(2)),
        Executors.none().withTool("read_file", tool));

    ReplayReport report = Replay.of(session).against(other).run();

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergencesByKind()).containsOnlyKeys("PARAMS");
    requireClosedCounts(report);
  }
}

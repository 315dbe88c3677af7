package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of a log with every kind of event, in each dialect. */
class ReplayWriterGoldenTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-13T10:00:00.5Z"), ZoneOffset.UTC);

  private static final ContentHash HASH = ContentHash.parse("sha256:" + "ab".repeat(32));

  /** The digests were computed with sha256sum. */
  private static final String EVENT_LOG =
      """
      {"created_at":"2026-01-13T10:00:00.500Z","event":"ReplayHeader","producer":"p@1","replay_version":1}
      {"event":"SessionStart","issue_number":7,"policy_version":"v1","session_id":"s-1","t":"2026-01-13T10:00:00.500Z"}
      {"event":"PlanStart","plan_hash":"sha256:abababababababababababababababababababababababababababababababab","step_count":1,"t":"2026-01-13T10:00:00.500Z"}
      {"event":"ToolCall","id":"c-1","params":{"limit":20,"path":"src/auth.rs"},"params_hash":"sha256:@PARAMS@","step_id":"c-1","t":"2026-01-13T10:00:00.500Z","tool":"file_read"}
      {"event":"ToolResult","exit_code":0,"id":"c-1","latency_ms":12,"ok":true,"output":"caf\u00e9\\n","output_hash":"sha256:@OUTPUT@","side_effects":[{"path":"a","type":"file_write"}],"step_utility":0.5,"t":"2026-01-13T10:00:00.500Z"}
      {"event":"StepComplete","iterations":1,"status":"Success","step_id":"c-1","t":"2026-01-13T10:00:00.500Z"}
      {"commands":["mvn test"],"event":"Verification","exit_codes":[0],"t":"2026-01-13T10:00:00.500Z","verification_delta":2}
      {"amount_msats":1000,"event":"Payment","rail":"lightning","status":"Success","t":"2026-01-13T10:00:00.500Z"}
      {"event":"RuntimeEvent","payload":{"n":1.0},"payload_hash":"sha256:@PAYLOAD@","runtime_event_type":"tick","seq":3,"t":"2026-01-13T10:00:00.500Z"}
      {"event":"Note","t":"2026-01-12T00:00:00+01:00","text":"kept"}
      {"confidence":0.9,"event":"SessionEnd","status":"Success","t":"2026-01-13T10:00:00.500Z","total_latency_ms":12,"total_tool_calls":1}
      """;

  private static final String TYPE_LOG =
      """
      {"created_at":"2026-01-13T10:00:00.500Z","producer":"p@1","replay_version":1,"type":"ReplayHeader"}
      {"issue_number":7,"policy_bundle_id":"v1","session_id":"s-1","ts":"2026-01-13T10:00:00.500Z","type":"SessionStart"}
      {"plan_hash":"sha256:abababababababababababababababababababababababababababababababab","step_count":1,"ts":"2026-01-13T10:00:00.500Z","type":"PlanStart"}
      {"params":{"limit":20,"path":"src/auth.rs"},"params_hash":"sha256:@PARAMS@","step_id":"c-1","tool":"file_read","ts":"2026-01-13T10:00:00.500Z","type":"ToolCall"}
      {"exit_code":0,"latency_ms":12,"ok":true,"output":"caf\u00e9\\n","output_hash":"sha256:@OUTPUT@","side_effects":[{"path":"a","type":"file_write"}],"step_id":"c-1","step_utility":0.5,"ts":"2026-01-13T10:00:00.500Z","type":"ToolResult"}
      {"iterations":1,"status":"success","step_id":"c-1","ts":"2026-01-13T10:00:00.500Z","type":"StepComplete"}
      {"command":"mvn test","exit_code":0,"ts":"2026-01-13T10:00:00.500Z","type":"Verification","verification_delta":2}
      {"amount_msats":1000,"rail":"lightning","status":"success","ts":"2026-01-13T10:00:00.500Z","type":"Payment"}
      {"payload":{"n":1.0},"payload_hash":"sha256:@PAYLOAD@","runtime_event_type":"tick","seq":3,"ts":"2026-01-13T10:00:00.500Z","type":"RuntimeEvent"}
      {"text":"kept","ts":"2026-01-12T00:00:00+01:00","type":"Note"}
      {"confidence":0.9,"status":"success","total_latency_ms":12,"total_tool_calls":1,"ts":"2026-01-13T10:00:00.500Z","type":"SessionEnd"}
      """;

  @TempDir
  private Path directory;

  @Test
  void log_of_the_dialect_event_has_these_bytes() throws IOException {
    assertThat(write(Dialect.EVENT)).isEqualTo(golden(EVENT_LOG));
  }

  @Test
  void log_of_the_dialect_type_has_these_bytes() throws IOException {
    assertThat(write(Dialect.TYPE)).isEqualTo(golden(TYPE_LOG));
  }

  @Test
  void written_event_says_what_was_filled_in_and_where() throws IOException {
    Path file = directory.resolve("log");
    WriterOptions options = WriterOptions.defaults().withClock(CLOCK);
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p@1"), options)) {
      long headerLength = Files.size(file);
      WrittenEvent call = writer.emit(ToolCall.of("c", "t", JsonObject.EMPTY));
      long callEnd = Files.size(file);
      WrittenEvent step = writer.emit(StepComplete.of("s", Status.SUCCESS, 1));

      assertThat(writer.file()).isEqualTo(file);
      assertThat(call.position()).isEqualTo(new Position(2, headerLength));
      assertThat(call.time().text()).isEqualTo("2026-01-13T10:00:00.500Z");
      assertThat(call.contentHash()).isEqualTo(ContentHash.sha256(TestLogs.bytes("{}")));
      assertThat(step.position()).isEqualTo(new Position(3, callEnd));
      assertThat(step.contentHash()).isNull();
    }
  }

  @Test
  void time_of_the_event_is_kept() throws IOException {
    Timestamp time = Timestamp.parse("2020-02-29T23:59:59.123456789-08:00");
    try (ReplayWriter writer =
        ReplayWriter.create(directory.resolve("log"), ReplayHeader.of("p"))) {
      WrittenEvent written =
          writer.emit(ToolCall.of("c", "t", JsonObject.EMPTY).withMeta(Meta.at(time)));
      assertThat(written.time()).isEqualTo(time);
    }
    assertThat(Files.readString(directory.resolve("log")))
        .contains("\"t\":\"2020-02-29T23:59:59.123456789-08:00\"");
  }

  @Test
  void defaults_are_the_dialect_event_and_the_system_clock() {
    assertThat(WriterOptions.defaults())
        .isEqualTo(
            WriterOptions.defaults().withDialect(Dialect.EVENT).withClock(Clock.systemUTC()));
  }

  @Test
  void totals_are_filled_in_over_all_calls_and_results() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      writer.emit(ToolCall.of("a", "t", JsonObject.EMPTY));
      writer.emit(ToolCall.of("b", "t", JsonObject.EMPTY));
      writer.emit(ToolCall.of("a", "t", JsonObject.EMPTY));
      writer.emit(ToolResult.of("a", 1).withLatencyMillis(30L));
      writer.emit(ToolResult.of("nobody", 1).withLatencyMillis(12L));
      SessionEnd end = (SessionEnd) writer.emit(SessionEnd.of(Status.FAILED)).event();

      assertThat(end.totalToolCalls()).isEqualTo(3);
      assertThat(end.totalLatencyMillis()).isEqualTo(42);
    }
    assertThat(Files.readString(file))
        .endsWith("\"total_latency_ms\":42,\"total_tool_calls\":3}\n");
  }

  @Test
  void half_of_the_totals_is_completed() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      writer.emit(ToolCall.of("a", "t", JsonObject.EMPTY));
      writer.emit(ToolResult.of("a", 1).withLatencyMillis(30L));
      writer.emit(new SessionEnd(Status.SUCCESS, null, 1L, null, null, null, Meta.NONE));
    }
    assertThat(Files.readString(file))
        .endsWith("\"total_latency_ms\":30,\"total_tool_calls\":1}\n");
  }

  @Test
  void totals_that_the_caller_gives_are_checked() throws IOException {
    Path file = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p"))) {
      writer.emit(ToolCall.of("a", "t", JsonObject.EMPTY));
      writer.emit(ToolResult.of("a", 1).withLatencyMillis(6L));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> writer.emit(SessionEnd.of(Status.SUCCESS).withTotals(5, 6)))
          .withMessageContaining("total_tool_calls is 5, but the events that were written make 1");
      writer.emit(SessionEnd.of(Status.SUCCESS).withTotals(1, 6));
    }
    assertThat(Files.readString(file)).endsWith("\"total_latency_ms\":6,\"total_tool_calls\":1}\n");
  }

  private String write(Dialect dialect) throws IOException {
    Path file = directory.resolve(dialect.id());
    WriterOptions options = WriterOptions.defaults().withDialect(dialect).withClock(CLOCK);
    List<Long> offsets = new ArrayList<>();
    try (ReplayWriter writer = ReplayWriter.create(file, ReplayHeader.of("p@1"), options)) {
      for (ReplayEvent event : events()) {
        offsets.add(writer.emit(event).position().offset());
      }
    }
    List<Long> lineOffsets = new ArrayList<>();
    try (ReplayReader reader = ReplayReader.open(file)) {
      assertThat(reader.read().event()).isInstanceOf(ReplayHeader.class);
      for (ReplayLine line : reader) {
        assertThat(line.findings()).isEmpty();
        lineOffsets.add(line.position().offset());
      }
    }
    assertThat(offsets).isEqualTo(lineOffsets);
    return Files.readString(file);
  }

  private static List<ReplayEvent> events() {
    return List.of(
        SessionStart.of("s-1").withPolicy(PolicyId.version("v1")).withIssueNumber(7L),
        PlanStart.of(HASH, 1),
        ToolCall.of("c-1", "file_read", JsonObject.of("path", "src/auth.rs", "limit", 20)),
        ToolResult.of("c-1", "caf\u00e9\n")
            .withOutcome(Outcome.exit(0))
            .withStepUtility(0.5)
            .withLatencyMillis(12L)
            .withSideEffects(List.of(SideEffect.of("file_write", "a"))),
        StepComplete.of("c-1", Status.SUCCESS, 1),
        Verification.of(CommandRun.of("mvn test", 0)).withDelta(2L),
        new Payment("lightning", null, 1_000L, null, null, Status.SUCCESS, Meta.NONE),
        new RuntimeEvent(3L, "tick", Content.of(JsonObject.of("n", 1.0)), null, Meta.NONE),
        new UnknownEvent(
            "Note",
            Meta.at(Timestamp.parse("2026-01-12T00:00:00+01:00"))
                .withExtra(JsonObject.of("text", "kept"))),
        SessionEnd.of(Status.SUCCESS).withConfidence(0.9));
  }

  private static String golden(String log) {
    return log.replace(
            "@PARAMS@", "616eab46ca266c969a4739cf418061ad1ce31c21834cbeced65f7aa0cb9d110c")
        .replace("@OUTPUT@", "4a636a403c7953b29eb3a89eab2c40ca9c169af489fd8a6c3a548b8f741dff1f")
        .replace("@PAYLOAD@", "3b6b06ecd1c968c8e738e0f11c4bb361fca80a9a694de22fe66a05286afbd081");
  }
}

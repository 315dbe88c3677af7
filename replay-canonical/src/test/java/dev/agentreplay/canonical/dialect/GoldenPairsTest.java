package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.Lines.AT;
import static dev.agentreplay.canonical.dialect.Lines.NULL_HASH;
import static dev.agentreplay.canonical.dialect.Lines.OTHER_HASH;
import static dev.agentreplay.canonical.dialect.Lines.OUTPUT_HASH;
import static dev.agentreplay.canonical.dialect.Lines.PARAMS_HASH;
import static dev.agentreplay.canonical.dialect.Lines.hash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
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
import dev.agentreplay.model.TestCounts;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An event and its line, which are read and written as each other. */
class GoldenPairsTest {

  private static final JsonObject PARAMS = JsonObject.of("path", "src/auth.rs");
  private static final Content OUTPUT =
      new Content(JsonString.of("fn main() {}"), hash(OUTPUT_HASH), null, null);
  private static final Meta SESSION = AT.withSessionId("sess");
  private static final JsonObject REPO =
      JsonObject.of("remote", "r", "branch", "main", "commit", "c0ffee");
  private static final JsonObject ERROR = JsonObject.of("message", "no", "name", "IO");

  private static Arguments event(ReplayEvent event, String line) {
    return Arguments.of(Dialect.EVENT, event, line.strip());
  }

  private static Arguments type(ReplayEvent event, String line) {
    return Arguments.of(Dialect.TYPE, event, line.strip());
  }

  static Stream<Arguments> pairs() {
    return Stream.concat(eventPairs(), typePairs());
  }

  private static Stream<Arguments> eventPairs() {
    return Stream.of(
        event(
            new ReplayHeader("1", "adjutant@1.2.3", null, null, AT),
            """
            {"created_at":"2026-01-13T10:00:00Z","event":"ReplayHeader","producer":"adjutant@1.2.3","replay_version":1}
            """),
        event(
            new ReplayHeader("2", "x", PolicyId.bundle("p"), "serde", SESSION),
            """
            {"canonicalization":"serde","created_at":"2026-01-13T10:00:00Z","event":"ReplayHeader","policy_bundle_id":"p","producer":"x","replay_version":2,"session_id":"sess"}
            """),
        event(
            new SessionStart(PolicyId.version("v1.2.3"), 42L, null, null, null, SESSION),
            """
            {"event":"SessionStart","issue_number":42,"policy_version":"v1.2.3","session_id":"sess","t":"2026-01-13T10:00:00Z"}
            """),
        event(
            new SessionStart(PolicyId.bundle("b"), null, REPO, "fast", "fix", SESSION),
            """
            {"event":"SessionStart","issue_number":null,"lane":"fast","policy_bundle_id":"b","repo":{"branch":"main","commit":"c0ffee","remote":"r"},"session_id":"sess","t":"2026-01-13T10:00:00Z","task":"fix"}
            """),
        event(
            new PlanStart(hash(OTHER_HASH), 3L, AT),
            """
            {"event":"PlanStart","plan_hash":"%s","step_count":3,"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(OTHER_HASH)),
        event(
            new ToolCall("tc_001", "file_read", PARAMS, hash(PARAMS_HASH), "step-1", AT),
            """
            {"event":"ToolCall","id":"tc_001","params":{"path":"src/auth.rs"},"params_hash":"%s","step_id":"step-1","t":"2026-01-13T10:00:00Z","tool":"file_read"}
            """
                .formatted(PARAMS_HASH)),
        event(
            new ToolCall("tc", "t", null, hash(OTHER_HASH), "s", SESSION),
            """
            {"event":"ToolCall","id":"tc","params_hash":"%s","session_id":"sess","step_id":"s","t":"2026-01-13T10:00:00Z","tool":"t"}
            """
                .formatted(OTHER_HASH)),
        event(
            new ToolResult(
                "tc_001",
                Content.ofHash(hash(OTHER_HASH)),
                Outcome.UNSTATED,
                0.8,
                45L,
                List.of(),
                AT),
            """
            {"event":"ToolResult","exit_code":null,"id":"tc_001","latency_ms":45,"output_hash":"%s","step_utility":0.8,"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(OTHER_HASH)),
        event(
            new ToolResult(
                "tc",
                OUTPUT,
                new Outcome(false, 1, ERROR),
                -1.0,
                0L,
                List.of(SideEffect.of("fs_read"), SideEffect.of("fs_write", "a")),
                SESSION),
            """
            {"error":{"message":"no","name":"IO"},"event":"ToolResult","exit_code":1,"id":"tc","latency_ms":0,"ok":false,"output":"fn main() {}","output_hash":"%s","session_id":"sess","side_effects":["fs_read",{"path":"a","type":"fs_write"}],"step_utility":-1.0,"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(OUTPUT_HASH)),
        event(
            new ToolResult(
                "tc",
                new Content(
                    null, hash(OTHER_HASH), new BlobRef(hash(OTHER_HASH), 2_000_000), "fn..."),
                Outcome.UNSTATED,
                0.0,
                1L,
                List.of(),
                AT),
            """
            {"event":"ToolResult","exit_code":null,"id":"tc","latency_ms":1,"output_hash":"%1$s","output_preview":"fn...","output_ref":{"blob":"%1$s","bytes":2000000},"step_utility":0.0,"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(OTHER_HASH)),
        event(
            new ToolResult(
                "tc",
                new Content(JsonNull.NULL, hash(NULL_HASH), null, null),
                Outcome.UNSTATED,
                0.0,
                1L,
                List.of(),
                AT),
            """
            {"event":"ToolResult","exit_code":null,"id":"tc","latency_ms":1,"output":null,"output_hash":"%s","step_utility":0.0,"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(NULL_HASH)),
        event(
            new StepComplete("step-1", Status.MAX_ITERATIONS_REACHED, 255L, AT),
            """
            {"event":"StepComplete","iterations":255,"status":"MaxIterationsReached","step_id":"step-1","t":"2026-01-13T10:00:00Z"}
            """),
        event(
            new Verification(
                List.of(CommandRun.of("cargo check", 0), CommandRun.of("cargo test", 101)),
                null,
                3L,
                null,
                AT),
            """
            {"commands":["cargo check","cargo test"],"event":"Verification","exit_codes":[0,101],"t":"2026-01-13T10:00:00Z","verification_delta":3}
            """),
        event(
            new Verification(
                List.of(new CommandRun("lint", -1, "app", 12L)),
                new TestCounts(3, 5),
                -2L,
                "ok",
                AT),
            """
            {"ci_status":"ok","commands":["lint"],"cwd":"app","duration_ms":12,"event":"Verification","exit_codes":[-1],"t":"2026-01-13T10:00:00Z","tests_after":5,"tests_before":3,"verification_delta":-2}
            """),
        event(
            new Verification(List.of(), null, 0L, null, AT),
            """
            {"commands":[],"event":"Verification","exit_codes":[],"t":"2026-01-13T10:00:00Z","verification_delta":0}
            """),
        event(
            new Payment("lightning", "BTC", 21_000L, "pre", "job", Status.SUCCESS, AT),
            """
            {"amount_msats":21000,"asset_id":"BTC","event":"Payment","job_hash":"job","payment_proof":"pre","rail":"lightning","status":"Success","t":"2026-01-13T10:00:00Z"}
            """),
        event(
            new RuntimeEvent(
                7L, "tick", new Content(PARAMS, hash(PARAMS_HASH), null, null), "key", SESSION),
            """
            {"event":"RuntimeEvent","idempotency_key":"key","payload":{"path":"src/auth.rs"},"payload_hash":"%s","runtime_event_type":"tick","seq":7,"session_id":"sess","t":"2026-01-13T10:00:00Z"}
            """
                .formatted(PARAMS_HASH)),
        event(
            new RuntimeEvent(null, null, Content.NONE, null, AT),
            """
            {"event":"RuntimeEvent","t":"2026-01-13T10:00:00Z"}
            """),
        event(
            new SessionEnd(Status.SUCCESS, 0.92, 5L, 5320L, null, null, AT),
            """
            {"confidence":0.92,"event":"SessionEnd","status":"Success","t":"2026-01-13T10:00:00Z","total_latency_ms":5320,"total_tool_calls":5}
            """),
        event(
            new SessionEnd(Status.TIMEOUT, 0.5, 0L, 0L, "sum", "err", SESSION),
            """
            {"confidence":0.5,"error_message":"err","event":"SessionEnd","session_id":"sess","status":"Timeout","summary":"sum","t":"2026-01-13T10:00:00Z","total_latency_ms":0,"total_tool_calls":0}
            """),
        event(
            new UnknownEvent("Reflection", SESSION.withExtra(JsonObject.of("a", 1, "z", PARAMS))),
            """
            {"a":1,"event":"Reflection","session_id":"sess","t":"2026-01-13T10:00:00Z","z":{"path":"src/auth.rs"}}
            """));
  }

  private static Stream<Arguments> typePairs() {
    return Stream.of(
        type(
            new ReplayHeader("1", "openagents", null, null, AT),
            """
            {"created_at":"2026-01-13T10:00:00Z","producer":"openagents","replay_version":1,"type":"ReplayHeader"}
            """),
        type(
            new SessionStart(PolicyId.bundle("b"), null, null, null, null, SESSION),
            """
            {"policy_bundle_id":"b","session_id":"sess","ts":"2026-01-13T10:00:00Z","type":"SessionStart"}
            """),
        type(
            new SessionStart(PolicyId.bundle("b"), 42L, REPO, "fast", "fix", SESSION),
            """
            {"issue_number":42,"lane":"fast","policy_bundle_id":"b","repo":{"branch":"main","commit":"c0ffee","remote":"r"},"session_id":"sess","task":"fix","ts":"2026-01-13T10:00:00Z","type":"SessionStart"}
            """),
        type(
            new PlanStart(hash(OTHER_HASH), 0L, AT),
            """
            {"plan_hash":"%s","step_count":0,"ts":"2026-01-13T10:00:00Z","type":"PlanStart"}
            """
                .formatted(OTHER_HASH)),
        type(
            new ToolCall("call-1", "file_read", PARAMS, hash(PARAMS_HASH), null, SESSION),
            """
            {"params":{"path":"src/auth.rs"},"params_hash":"%s","session_id":"sess","step_id":"call-1","tool":"file_read","ts":"2026-01-13T10:00:00Z","type":"ToolCall"}
            """
                .formatted(PARAMS_HASH)),
        type(
            new ToolResult(
                "call-1", Content.ofHash(hash(OTHER_HASH)), Outcome.OK, null, 123L, List.of(), AT),
            """
            {"latency_ms":123,"ok":true,"output_hash":"%s","side_effects":[],"step_id":"call-1","ts":"2026-01-13T10:00:00Z","type":"ToolResult"}
            """
                .formatted(OTHER_HASH)),
        type(
            new ToolResult(
                "call-1",
                OUTPUT,
                new Outcome(false, 2, ERROR),
                0.25,
                9L,
                List.of(SideEffect.of("fs_read")),
                SESSION),
            """
            {"error":{"message":"no","name":"IO"},"exit_code":2,"latency_ms":9,"ok":false,"output":"fn main() {}","output_hash":"%s","session_id":"sess","side_effects":["fs_read"],"step_id":"call-1","step_utility":0.25,"ts":"2026-01-13T10:00:00Z","type":"ToolResult"}
            """
                .formatted(OUTPUT_HASH)),
        type(
            new StepComplete("s", new Status(Status.Kind.SKIPPED, "skipped"), 1L, AT),
            """
            {"iterations":1,"status":"skipped","step_id":"s","ts":"2026-01-13T10:00:00Z","type":"StepComplete"}
            """),
        type(
            new Verification(
                List.of(new CommandRun("composer lint", 0, "apps", 12_345L)),
                null,
                0L,
                null,
                SESSION),
            """
            {"command":"composer lint","cwd":"apps","duration_ms":12345,"exit_code":0,"session_id":"sess","ts":"2026-01-13T10:00:00Z","type":"Verification","verification_delta":0}
            """),
        type(
            new Verification(
                List.of(CommandRun.of("true", 0)), new TestCounts(1, 2), null, "red", AT),
            """
            {"ci_status":"red","command":"true","exit_code":0,"tests_after":2,"tests_before":1,"ts":"2026-01-13T10:00:00Z","type":"Verification"}
            """),
        type(
            new Payment("r", null, 0L, null, null, Status.parse("pending"), AT),
            """
            {"amount_msats":0,"rail":"r","status":"pending","ts":"2026-01-13T10:00:00Z","type":"Payment"}
            """),
        type(
            new RuntimeEvent(1L, "tick", Content.ofHash(hash(OTHER_HASH)), null, AT),
            """
            {"payload_hash":"%s","runtime_event_type":"tick","seq":1,"ts":"2026-01-13T10:00:00Z","type":"RuntimeEvent"}
            """
                .formatted(OTHER_HASH)),
        type(
            new SessionEnd(Status.parse("failure"), 0.0, null, null, null, null, SESSION),
            """
            {"confidence":0.0,"session_id":"sess","status":"failure","ts":"2026-01-13T10:00:00Z","type":"SessionEnd"}
            """),
        type(
            new SessionEnd(Status.parse("cancelled"), 1.0, 2L, 3L, "sum", "err", AT),
            """
            {"confidence":1.0,"error_message":"err","status":"cancelled","summary":"sum","total_latency_ms":3,"total_tool_calls":2,"ts":"2026-01-13T10:00:00Z","type":"SessionEnd"}
            """),
        type(
            new UnknownEvent("Reflection", AT.withExtra(JsonObject.of("t", "x", "event", 1))),
            """
            {"event":1,"t":"x","ts":"2026-01-13T10:00:00Z","type":"Reflection"}
            """));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void line_is_read_as_the_event(Dialect dialect, ReplayEvent event, String line) {
    Decoded decoded = Lines.decode(dialect, line);

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event()).isEqualTo(event);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void event_is_written_as_the_line(Dialect dialect, ReplayEvent event, String line) {
    assertThat(Lines.encode(dialect, event)).isEqualTo(line);
    assertThat(Lines.canonical(Lines.object(line))).isEqualTo(line);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void members_that_are_not_known_are_kept(Dialect dialect, ReplayEvent event, String line) {
    JsonObject more = Lines.object(line)
        .with("", 1)
        .with("a0", JsonObject.of("b", 2, "a", "\ud83d\ude02"))
        .with("new_field", null)
        .with("zz", List.of(1.0, "x"))
        .with("\ud83d\ude02", true);

    Decoded decoded = dialect.decode(more);

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event().kind()).isEqualTo(event.kind());
    assertThat(decoded.event().meta().extra().names())
        .contains("", "a0", "new_field", "zz", "\ud83d\ude02");
    assertThat(Lines.encode(dialect, decoded.event())).isEqualTo(Lines.canonical(more));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void additional_member_with_a_known_name_is_refused(
      Dialect dialect, ReplayEvent event, String line) {
    for (String name : Lines.object(line).names()) {
      boolean known = !event.meta().extra().has(name);
      boolean empty =
          line.contains("\"" + name + "\":[]") || line.contains("\"" + name + "\":null");
      // what says nothing leaves room
      if (!known || (empty && !name.equals("output"))) {
        continue;
      }
      ReplayEvent twice = event.withMeta(event.meta().withExtra(JsonObject.of(name, "x")));

      assertThat(catchThrowable(() -> Lines.encode(dialect, twice)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has the member " + name + " twice: known and additional");
    }
  }

  @Test
  void every_kind_is_covered_in_both_dialects() {
    for (Dialect dialect : Dialect.values()) {
      assertThat(pairs()
              .filter(pair -> pair.get()[0] == dialect)
              .map(pair -> ((ReplayEvent) pair.get()[1]).kind()))
          .contains(EventKind.values());
    }
  }
}

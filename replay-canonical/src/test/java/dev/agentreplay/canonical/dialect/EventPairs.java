package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.GoldenPair.ERROR;
import static dev.agentreplay.canonical.dialect.GoldenPair.ORIGIN;
import static dev.agentreplay.canonical.dialect.GoldenPair.OUTPUT;
import static dev.agentreplay.canonical.dialect.GoldenPair.PARAMS;
import static dev.agentreplay.canonical.dialect.GoldenPair.REPO;
import static dev.agentreplay.canonical.dialect.GoldenPair.SALT;
import static dev.agentreplay.canonical.dialect.GoldenPair.SESSION;
import static dev.agentreplay.canonical.dialect.Lines.AT;
import static dev.agentreplay.canonical.dialect.Lines.NULL_HASH;
import static dev.agentreplay.canonical.dialect.Lines.OTHER_HASH;
import static dev.agentreplay.canonical.dialect.Lines.OUTPUT_HASH;
import static dev.agentreplay.canonical.dialect.Lines.PARAMS_HASH;
import static dev.agentreplay.canonical.dialect.Lines.hash;

import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.StreamPreviews;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.Verification.TestCounts;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import java.util.stream.Stream;

/** Events and their lines in the dialect of specification 000. */
final class EventPairs {

  private EventPairs() {}

  static Stream<GoldenPair> pairs() {
    return Stream.of(
        event(
            new ReplayHeader("1", "adjutant@1.2.3", null, null, null, null, AT),
            """
            {"created_at":"2026-01-13T10:00:00Z","event":"ReplayHeader","producer":"adjutant@1.2.3","replay_version":1}
            """),
        event(
            new ReplayHeader("2", "x", PolicyId.bundle("p"), "serde", SALT, ORIGIN, SESSION),
            """
            {"canonicalization":"serde","created_at":"2026-01-13T10:00:00Z","event":"ReplayHeader","policy_bundle_id":"p","producer":"x","replay_of":{"mode":"mock","session_id":"first","tree_root":"sha256:e287c4962f0fd1c2228c1cdc51085f5a8b526e148fd22a5a5dd8683d11f0a13d","tree_size":4},"replay_version":2,"salt":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","session_id":"sess"}
            """),
        event(
            new SessionStart(
                PolicyId.version("v1.2.3"), 42L, null, null, Task.NONE, Labels.NONE, SESSION),
            """
            {"event":"SessionStart","issue_number":42,"policy_version":"v1.2.3","session_id":"sess","t":"2026-01-13T10:00:00Z"}
            """),
        event(
            new SessionStart(
                PolicyId.bundle("b"),
                null,
                REPO,
                "fast",
                new Task("fix", PARAMS, "be brief"),
                new Labels(List.of("nightly", "b"), "kim", "ci"),
                SESSION),
            """
            {"context":{"path":"src/auth.rs"},"environment":"ci","event":"SessionStart","instructions":"be brief","issue_number":null,"lane":"fast","policy_bundle_id":"b","repo":{"branch":"main","commit":"c0ffee","remote":"r"},"session_id":"sess","t":"2026-01-13T10:00:00Z","tags":["nightly","b"],"task":"fix","user":"kim"}
            """),
        event(
            new PlanStart(hash(OTHER_HASH), 3L, SESSION),
            """
            {"event":"PlanStart","plan_hash":"%s","session_id":"sess","step_count":3,"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(OTHER_HASH)),
        event(
            new ToolCall(
                "tc_001",
                "file_read",
                new Content(PARAMS, hash(PARAMS_HASH), null, null),
                "step-1",
                Attempt.NONE,
                AT),
            """
            {"event":"ToolCall","id":"tc_001","params":{"path":"src/auth.rs"},"params_hash":"%s","step_id":"step-1","t":"2026-01-13T10:00:00Z","tool":"file_read"}
            """
                .formatted(PARAMS_HASH)),
        event(
            new ToolCall("tc", "t", Content.ofHash(hash(OTHER_HASH)), "s", Attempt.NONE, SESSION),
            """
            {"event":"ToolCall","id":"tc","params_hash":"%s","session_id":"sess","step_id":"s","t":"2026-01-13T10:00:00Z","tool":"t"}
            """
                .formatted(OTHER_HASH)),
        event(
            new ToolCall(
                "tc",
                "t",
                new Content(
                    null, hash(OTHER_HASH), BlobRef.of(hash(OTHER_HASH), 2_000_000), "{..."),
                "s",
                Attempt.first("e-1").next(),
                AT),
            """
            {"attempt":2,"effect_id":"e-1","event":"ToolCall","id":"tc","params_hash":"%1$s","params_preview":"{...","params_ref":{"blob":"%1$s","bytes":2000000},"step_id":"s","t":"2026-01-13T10:00:00Z","tool":"t"}
            """
                .formatted(OTHER_HASH)),
        event(
            new ToolResult(
                "tc_001",
                Content.ofHash(hash(OTHER_HASH)),
                Outcome.NONE,
                0.8,
                Timing.of(45L),
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
                Outcome.of(false, 1, new Failure(ERROR)).withKnown(false),
                -1.0,
                new Timing(0L, Chunks.builder().add(0, 3).add(7, 9).build().withPlace("")),
                List.of(SideEffect.of("fs_read"), SideEffect.of("fs_write", "a")),
                SESSION),
            """
            {"chunks":[[0,3],[7,9]],"chunks_text":"","error":{"message":"no","name":"IO"},"event":"ToolResult","exit_code":1,"id":"tc","latency_ms":0,"ok":false,"outcome_known":false,"output":"fn main() {}","output_hash":"%s","session_id":"sess","side_effects":["fs_read",{"path":"a","type":"fs_write"}],"step_utility":-1.0,"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(OUTPUT_HASH)),
        event(
            new ToolResult(
                "tc",
                new Content(
                    null, hash(OTHER_HASH), BlobRef.of(hash(OTHER_HASH), 2_000_000), "fn..."),
                Outcome.NONE.withStreams(new StreamPreviews("out", "err")),
                0.0,
                Timing.of(1L),
                List.of(),
                AT),
            """
            {"event":"ToolResult","exit_code":null,"id":"tc","latency_ms":1,"output_hash":"%1$s","output_preview":"fn...","output_ref":{"blob":"%1$s","bytes":2000000},"stderr_preview":"err","stdout_preview":"out","step_utility":0.0,"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(OTHER_HASH)),
        event(
            new ToolResult(
                "tc",
                new Content(JsonNull.NULL, hash(NULL_HASH), null, null),
                Outcome.NONE,
                0.0,
                Timing.of(1L),
                List.of(),
                AT),
            """
            {"event":"ToolResult","exit_code":null,"id":"tc","latency_ms":1,"output":null,"output_hash":"%s","step_utility":0.0,"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(NULL_HASH)),
        event(
            new StepComplete("step-1", Status.MAX_ITERATIONS_REACHED, 255L, SESSION),
            """
            {"event":"StepComplete","iterations":255,"session_id":"sess","status":"MaxIterationsReached","step_id":"step-1","t":"2026-01-13T10:00:00Z"}
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
                SESSION),
            """
            {"ci_status":"ok","commands":["lint"],"cwd":"app","duration_ms":12,"event":"Verification","exit_codes":[-1],"session_id":"sess","t":"2026-01-13T10:00:00Z","tests_after":5,"tests_before":3,"verification_delta":-2}
            """),
        event(
            new Verification(List.of(), null, 0L, null, AT),
            """
            {"commands":[],"event":"Verification","exit_codes":[],"t":"2026-01-13T10:00:00Z","verification_delta":0}
            """),
        event(
            new Payment(
                "lightning", "BTC", 21_000L, JsonString.of("pre"), "job", Status.SUCCESS, SESSION),
            """
            {"amount_msats":21000,"asset_id":"BTC","event":"Payment","job_hash":"job","payment_proof":"pre","rail":"lightning","session_id":"sess","status":"Success","t":"2026-01-13T10:00:00Z"}
            """),
        event(
            new RuntimeEvent(
                7L, "tick", new Content(PARAMS, hash(PARAMS_HASH), null, null), "key", SESSION),
            """
            {"event":"RuntimeEvent","idempotency_key":"key","payload":{"path":"src/auth.rs"},"payload_hash":"%s","runtime_event_type":"tick","seq":7,"session_id":"sess","t":"2026-01-13T10:00:00Z"}
            """
                .formatted(PARAMS_HASH)),
        event(
            new RuntimeEvent(
                null,
                null,
                new Content(null, hash(OTHER_HASH), BlobRef.of(hash(OTHER_HASH), 3), "p..."),
                null,
                AT),
            """
            {"event":"RuntimeEvent","payload_hash":"%1$s","payload_preview":"p...","payload_ref":{"blob":"%1$s","bytes":3},"t":"2026-01-13T10:00:00Z"}
            """
                .formatted(OTHER_HASH)),
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

  private static GoldenPair event(ReplayEvent event, String line) {
    return GoldenPair.of(Dialect.EVENT, event, line);
  }
}

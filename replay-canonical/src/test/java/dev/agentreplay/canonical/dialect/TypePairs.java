package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.GoldenPair.ERROR;
import static dev.agentreplay.canonical.dialect.GoldenPair.ORIGIN;
import static dev.agentreplay.canonical.dialect.GoldenPair.OUTPUT;
import static dev.agentreplay.canonical.dialect.GoldenPair.PARAMS;
import static dev.agentreplay.canonical.dialect.GoldenPair.REPO;
import static dev.agentreplay.canonical.dialect.GoldenPair.SALT;
import static dev.agentreplay.canonical.dialect.GoldenPair.SESSION;
import static dev.agentreplay.canonical.dialect.Lines.AT;
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
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;
import java.util.stream.Stream;

/** Events and their lines in the dialect of specification 001. */
final class TypePairs {

  private TypePairs() {}

  static Stream<GoldenPair> pairs() {
    return Stream.of(
        type(
            new ReplayHeader("1", "openagents", null, null, null, null, AT),
            """
            {"created_at":"2026-01-13T10:00:00Z","producer":"openagents","replay_version":1,"type":"ReplayHeader"}
            """),
        type(
            new ReplayHeader("1", "x", PolicyId.bundle("p"), "jcs", SALT, ORIGIN, SESSION),
            """
            {"canonicalization":"jcs","created_at":"2026-01-13T10:00:00Z","policy_bundle_id":"p","producer":"x","replay_of":{"mode":"mock","session_id":"first","tree_root":"sha256:e287c4962f0fd1c2228c1cdc51085f5a8b526e148fd22a5a5dd8683d11f0a13d","tree_size":4},"replay_version":1,"salt":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","session_id":"sess","type":"ReplayHeader"}
            """),
        type(
            new SessionStart(
                PolicyId.bundle("b"), null, null, null, Task.NONE, Labels.NONE, SESSION),
            """
            {"policy_bundle_id":"b","session_id":"sess","ts":"2026-01-13T10:00:00Z","type":"SessionStart"}
            """),
        type(
            new SessionStart(
                PolicyId.bundle("b"),
                42L,
                REPO,
                "fast",
                new Task("fix", PARAMS, "be brief"),
                new Labels(List.of("nightly", "b"), "kim", "ci"),
                SESSION),
            """
            {"context":{"path":"src/auth.rs"},"environment":"ci","instructions":"be brief","issue_number":42,"lane":"fast","policy_bundle_id":"b","repo":{"branch":"main","commit":"c0ffee","remote":"r"},"session_id":"sess","tags":["nightly","b"],"task":"fix","ts":"2026-01-13T10:00:00Z","type":"SessionStart","user":"kim"}
            """),
        type(
            new PlanStart(hash(OTHER_HASH), 0L, SESSION),
            """
            {"plan_hash":"%s","session_id":"sess","step_count":0,"ts":"2026-01-13T10:00:00Z","type":"PlanStart"}
            """
                .formatted(OTHER_HASH)),
        type(
            new ToolCall(
                "call-1",
                "file_read",
                new Content(PARAMS, hash(PARAMS_HASH), null, null),
                null,
                Attempt.NONE,
                SESSION),
            """
            {"params":{"path":"src/auth.rs"},"params_hash":"%s","session_id":"sess","step_id":"call-1","tool":"file_read","ts":"2026-01-13T10:00:00Z","type":"ToolCall"}
            """
                .formatted(PARAMS_HASH)),
        type(
            new ToolCall(
                "call-1", "t", Content.ofHash(hash(OTHER_HASH)), "step-1", Attempt.NONE, AT),
            """
            {"params_hash":"%s","plan_step_id":"step-1","step_id":"call-1","tool":"t","ts":"2026-01-13T10:00:00Z","type":"ToolCall"}
            """
                .formatted(OTHER_HASH)),
        type(
            new ToolCall(
                "call-1",
                "t",
                new Content(null, hash(OTHER_HASH), BlobRef.of(hash(OTHER_HASH), 3), "{..."),
                null,
                Attempt.first("e-1"),
                AT),
            """
            {"attempt":1,"effect_id":"e-1","params_hash":"%1$s","params_preview":"{...","params_ref":{"blob":"%1$s","bytes":3},"step_id":"call-1","tool":"t","ts":"2026-01-13T10:00:00Z","type":"ToolCall"}
            """
                .formatted(OTHER_HASH)),
        type(
            new ToolResult(
                "call-1",
                new Content(null, hash(OTHER_HASH), BlobRef.of(hash(OTHER_HASH), 3), "fn..."),
                Outcome.OK,
                null,
                Timing.of(1L),
                List.of(),
                AT),
            """
            {"latency_ms":1,"ok":true,"output_hash":"%1$s","output_preview":"fn...","output_ref":{"blob":"%1$s","bytes":3},"side_effects":[],"step_id":"call-1","ts":"2026-01-13T10:00:00Z","type":"ToolResult"}
            """
                .formatted(OTHER_HASH)),
        type(
            new ToolResult(
                "call-1",
                Content.ofHash(hash(OTHER_HASH)),
                Outcome.OK,
                null,
                Timing.of(123L),
                List.of(),
                AT),
            """
            {"latency_ms":123,"ok":true,"output_hash":"%s","side_effects":[],"step_id":"call-1","ts":"2026-01-13T10:00:00Z","type":"ToolResult"}
            """
                .formatted(OTHER_HASH)),
        type(
            new ToolResult(
                "call-1",
                OUTPUT,
                Outcome.of(false, 2, new Failure(ERROR))
                    .withKnown(false)
                    .withStreams(new StreamPreviews("out", "err")),
                0.25,
                new Timing(9L, Chunks.builder().add(1, 12).build().withPlace("/a")),
                List.of(SideEffect.of("fs_read")),
                SESSION),
            """
            {"chunks":[[1,12]],"chunks_text":"/a","error":{"message":"no","name":"IO"},"exit_code":2,"latency_ms":9,"ok":false,"outcome_known":false,"output":"fn main() {}","output_hash":"%s","session_id":"sess","side_effects":["fs_read"],"stderr_preview":"err","stdout_preview":"out","step_id":"call-1","step_utility":0.25,"ts":"2026-01-13T10:00:00Z","type":"ToolResult"}
            """
                .formatted(OUTPUT_HASH)),
        type(
            new StepComplete("s", new Status(Status.Kind.SKIPPED, "skipped"), 1L, SESSION),
            """
            {"iterations":1,"session_id":"sess","status":"skipped","step_id":"s","ts":"2026-01-13T10:00:00Z","type":"StepComplete"}
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
            new Payment(
                "r", "BTC", 1L, JsonString.of("pre"), "job", Status.parse("success"), SESSION),
            """
            {"amount_msats":1,"asset_id":"BTC","job_hash":"job","payment_proof":"pre","rail":"r","session_id":"sess","status":"success","ts":"2026-01-13T10:00:00Z","type":"Payment"}
            """),
        type(
            new Payment("r", null, 0L, null, null, Status.parse("pending"), AT),
            """
            {"amount_msats":0,"rail":"r","status":"pending","ts":"2026-01-13T10:00:00Z","type":"Payment"}
            """),
        type(
            new RuntimeEvent(
                1L,
                "tick",
                new Content(PARAMS, hash(PARAMS_HASH), BlobRef.of(hash(OTHER_HASH), 3), "p..."),
                "key",
                SESSION),
            """
            {"idempotency_key":"key","payload":{"path":"src/auth.rs"},"payload_hash":"%s","payload_preview":"p...","payload_ref":{"blob":"%s","bytes":3},"runtime_event_type":"tick","seq":1,"session_id":"sess","ts":"2026-01-13T10:00:00Z","type":"RuntimeEvent"}
            """
                .formatted(PARAMS_HASH, OTHER_HASH)),
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
            new SessionEnd(Status.parse("timeout"), 0.5, null, null, null, null, AT),
            """
            {"confidence":0.5,"exact_status":"timeout","status":"failure","ts":"2026-01-13T10:00:00Z","type":"SessionEnd"}
            """),
        type(
            new SessionEnd(Status.parse("cancelled"), 1.0, 2L, 3L, "sum", "err", AT),
            """
            {"confidence":1.0,"error_message":"err","status":"cancelled","summary":"sum","total_latency_ms":3,"total_tool_calls":2,"ts":"2026-01-13T10:00:00Z","type":"SessionEnd"}
            """),
        type(
            new UnknownEvent("Reflection", SESSION.withExtra(JsonObject.of("t", "x", "event", 1))),
            """
            {"event":1,"session_id":"sess","t":"x","ts":"2026-01-13T10:00:00Z","type":"Reflection"}
            """));
  }

  private static GoldenPair type(ReplayEvent event, String line) {
    return GoldenPair.of(Dialect.TYPE, event, line);
  }
}

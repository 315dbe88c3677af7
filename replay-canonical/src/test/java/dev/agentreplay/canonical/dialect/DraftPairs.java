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

/** Events and their lines in the dialect of specification 002. */
final class DraftPairs {

  private DraftPairs() {}

  static Stream<GoldenPair> pairs() {
    return Stream.of(
        draft(
            new ReplayHeader("1.0.0", null, PolicyId.bundle("p"), null, null, null, SESSION),
            """
            {"policy_bundle_id":"p","session_id":"sess","started_at":"2026-01-13T10:00:00Z","type":"ReplayHeader","version":"1.0.0"}
            """),
        draft(
            new ReplayHeader("1.2.0", "x", null, "serde", SALT, ORIGIN, SESSION),
            """
            {"canonicalization":"serde","producer":"x","replay_of":{"mode":"mock","session_id":"first","tree_root":"sha256:e287c4962f0fd1c2228c1cdc51085f5a8b526e148fd22a5a5dd8683d11f0a13d","tree_size":4},"salt":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","session_id":"sess","started_at":"2026-01-13T10:00:00Z","type":"ReplayHeader","version":"1.2.0"}
            """),
        draft(
            new SessionStart(
                null,
                null,
                null,
                null,
                new Task("fix", JsonObject.of("branch", "main"), null),
                Labels.NONE,
                Meta.NONE),
            """
            {"context":{"branch":"main"},"task":"fix","type":"SessionStart"}
            """),
        draft(
            new SessionStart(
                PolicyId.bundle("b"),
                42L,
                REPO,
                "fast",
                new Task("", JsonNull.NULL, "be brief"),
                new Labels(List.of("nightly", "b"), "kim", "ci"),
                SESSION),
            """
            {"context":null,"environment":"ci","instructions":"be brief","issue_number":42,"lane":"fast","policy_bundle_id":"b","repo":{"branch":"main","commit":"c0ffee","remote":"r"},"session_id":"sess","tags":["nightly","b"],"task":"","ts":"2026-01-13T10:00:00Z","type":"SessionStart","user":"kim"}
            """),
        draft(
            new PlanStart(hash(OTHER_HASH), 3L, Meta.NONE),
            """
            {"plan_hash":"%s","step_count":3,"type":"PlanStart"}
            """
                .formatted(OTHER_HASH)),
        draft(
            new ToolCall("c", "file_read", Content.of(PARAMS), null, Attempt.NONE, Meta.NONE),
            """
            {"id":"c","params":{"path":"src/auth.rs"},"tool":"file_read","type":"ToolCall"}
            """),
        draft(
            new ToolCall(
                "c",
                "file_read",
                new Content(PARAMS, hash(PARAMS_HASH), null, null),
                "step-1",
                Attempt.NONE,
                SESSION),
            """
            {"id":"c","params":{"path":"src/auth.rs"},"params_hash":"%s","session_id":"sess","step_id":"step-1","tool":"file_read","ts":"2026-01-13T10:00:00Z","type":"ToolCall"}
            """
                .formatted(PARAMS_HASH)),
        draft(
            new ToolCall(
                "c",
                "t",
                new Content(PARAMS, null, BlobRef.of(hash(OTHER_HASH), 3), "{..."),
                null,
                new Attempt(7L, "e-1"),
                Meta.NONE),
            """
            {"attempt":7,"effect_id":"e-1","id":"c","params":{"path":"src/auth.rs"},"params_preview":"{...","params_ref":{"blob":"%s","bytes":3},"tool":"t","type":"ToolCall"}
            """
                .formatted(OTHER_HASH)),
        draft(
            new ToolResult(
                "c",
                Content.of(JsonString.of("fn main() {}")),
                Outcome.NONE,
                0.5,
                Timing.of(100L),
                List.of(SideEffect.of("fs_read")),
                Meta.NONE),
            """
            {"id":"c","latency_ms":100,"output":"fn main() {}","side_effects":["fs_read"],"step_utility":0.5,"type":"ToolResult"}
            """),
        draft(
            new ToolResult(
                "c",
                Content.of(JsonNull.NULL),
                Outcome.NONE,
                null,
                Timing.NONE,
                List.of(),
                Meta.NONE),
            """
            {"id":"c","output":null,"type":"ToolResult"}
            """),
        draft(
            new ToolResult(
                "c",
                new Content(
                    OUTPUT.value(),
                    hash(OUTPUT_HASH),
                    BlobRef.of(hash(OTHER_HASH), 2_000_000),
                    "fn..."),
                new Outcome(false, 2, new Failure(ERROR), true, new StreamPreviews("out", "err")),
                -1.0,
                new Timing(0L, Chunks.builder().add(5, 12).build().withPlace("/a")),
                List.of(SideEffect.of("fs_write", "a")),
                SESSION),
            """
            {"chunks":[[5,12]],"chunks_text":"/a","error":{"message":"no","name":"IO"},"exit_code":2,"id":"c","latency_ms":0,"ok":false,"outcome_known":true,"output":"fn main() {}","output_hash":"%s","output_preview":"fn...","output_ref":{"blob":"%s","bytes":2000000},"session_id":"sess","side_effects":[{"path":"a","type":"fs_write"}],"stderr_preview":"err","stdout_preview":"out","step_utility":-1.0,"ts":"2026-01-13T10:00:00Z","type":"ToolResult"}
            """
                .formatted(OUTPUT_HASH, OTHER_HASH)),
        draft(
            new PlanStart(hash(OTHER_HASH), 0L, SESSION),
            """
            {"plan_hash":"%s","session_id":"sess","step_count":0,"ts":"2026-01-13T10:00:00Z","type":"PlanStart"}
            """
                .formatted(OTHER_HASH)),
        draft(
            new StepComplete("s", Status.parse("success"), 1L, SESSION),
            """
            {"iterations":1,"session_id":"sess","status":"success","step_id":"s","ts":"2026-01-13T10:00:00Z","type":"StepComplete"}
            """),
        draft(
            new Verification(List.of(), new TestCounts(3, 5), 2L, "green", Meta.NONE),
            """
            {"ci_status":"green","delta":2,"tests_after":5,"tests_before":3,"type":"Verification"}
            """),
        draft(
            new Verification(
                List.of(new CommandRun("lint", 1, "app", 12L)),
                new TestCounts(0, 0),
                0L,
                null,
                SESSION),
            """
            {"commands":["lint"],"cwd":"app","delta":0,"duration_ms":12,"exit_codes":[1],"session_id":"sess","tests_after":0,"tests_before":0,"ts":"2026-01-13T10:00:00Z","type":"Verification"}
            """),
        draft(
            new Payment(
                "lightning",
                "BTC",
                21L,
                JsonString.of("pre"),
                "job",
                Status.parse("success"),
                Meta.NONE),
            """
            {"amount_msats":21,"asset_id":"BTC","job_hash":"job","payment_proof":"pre","rail":"lightning","status":"success","type":"Payment"}
            """),
        draft(
            new Payment(null, null, 0L, null, null, null, SESSION),
            """
            {"amount_msats":0,"session_id":"sess","ts":"2026-01-13T10:00:00Z","type":"Payment"}
            """),
        draft(
            new RuntimeEvent(7L, "tick", Content.of(PARAMS), "key", Meta.NONE),
            """
            {"idempotency_key":"key","payload":{"path":"src/auth.rs"},"runtime_event_type":"tick","seq":7,"type":"RuntimeEvent"}
            """),
        draft(
            new RuntimeEvent(
                null,
                null,
                new Content(PARAMS, hash(PARAMS_HASH), BlobRef.of(hash(OTHER_HASH), 3), "p..."),
                null,
                SESSION),
            """
            {"payload":{"path":"src/auth.rs"},"payload_hash":"%s","payload_preview":"p...","payload_ref":{"blob":"%s","bytes":3},"session_id":"sess","ts":"2026-01-13T10:00:00Z","type":"RuntimeEvent"}
            """
                .formatted(PARAMS_HASH, OTHER_HASH)),
        draft(
            new SessionEnd(Status.parse("failure"), null, null, null, null, "no", AT),
            """
            {"ended_at":"2026-01-13T10:00:00Z","error_message":"no","outcome":"failure","type":"SessionEnd"}
            """),
        draft(
            new SessionEnd(Status.parse("cancelled"), null, null, null, null, null, AT),
            """
            {"ended_at":"2026-01-13T10:00:00Z","exact_status":"cancelled","outcome":"failure","type":"SessionEnd"}
            """),
        draft(
            new SessionEnd(Status.parse("timeout"), 0.5, 2L, 3L, "sum", null, SESSION),
            """
            {"confidence":0.5,"ended_at":"2026-01-13T10:00:00Z","outcome":"timeout","session_id":"sess","summary":"sum","total_latency_ms":3,"total_tool_calls":2,"type":"SessionEnd"}
            """),
        draft(
            new UnknownEvent("Reflection", SESSION),
            """
            {"session_id":"sess","ts":"2026-01-13T10:00:00Z","type":"Reflection"}
            """),
        draft(
            new UnknownEvent("Reflection", Meta.NONE.withExtra(JsonObject.of("t", "x", "a", 1))),
            """
            {"a":1,"t":"x","type":"Reflection"}
            """));
  }

  private static GoldenPair draft(ReplayEvent event, String line) {
    return GoldenPair.of(Dialect.DRAFT, event, line);
  }
}

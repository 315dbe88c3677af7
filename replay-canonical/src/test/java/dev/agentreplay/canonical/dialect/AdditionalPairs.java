package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.GoldenPair.ERROR;
import static dev.agentreplay.canonical.dialect.GoldenPair.PARAMS;
import static dev.agentreplay.canonical.dialect.GoldenPair.SESSION;
import static dev.agentreplay.canonical.dialect.Lines.AT;
import static dev.agentreplay.canonical.dialect.Lines.OTHER_HASH;
import static dev.agentreplay.canonical.dialect.Lines.OUTPUT_HASH;
import static dev.agentreplay.canonical.dialect.Lines.PARAMS_HASH;
import static dev.agentreplay.canonical.dialect.Lines.hash;

import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import java.util.Arrays;
import java.util.stream.Stream;

/** Events that no specification names, whose lines differ in tag and time alone. */
final class AdditionalPairs {

  private AdditionalPairs() {}

  static Stream<GoldenPair> pairs() {
    return Stream.of(
            pair(
                new ModelCall(
                    "m",
                    "sonnet",
                    new Content(PARAMS, hash(PARAMS_HASH), null, null),
                    Parameters.NONE.withTemperature(0.5).withMaxTokens(9).withSeed(7),
                    SESSION),
                """
                {"id":"m","model":"sonnet","parameters":{"max_tokens":9,"seed":7,"temperature":0.5},"prompt":{"path":"src/auth.rs"},"prompt_hash":"%s","session_id":"sess"}
                """
                    .formatted(PARAMS_HASH)),
            pair(
                new ModelCall(
                    "m",
                    null,
                    new Content(null, hash(OTHER_HASH), BlobRef.of(hash(OTHER_HASH), 3), "p..."),
                    Parameters.NONE,
                    AT),
                """
                {"id":"m","prompt_hash":"%1$s","prompt_preview":"p...","prompt_ref":{"blob":"%1$s","bytes":3}}
                """
                    .formatted(OTHER_HASH)),
            pair(
                new ModelCall(
                    "m",
                    null,
                    Content.ofHash(hash(OTHER_HASH)),
                    PromptDelta.from("l")
                        .remove(JsonPointer.parse("/tools"))
                        .set(JsonPointer.parse("/system"), JsonString.of("s"))
                        .build(),
                    Parameters.NONE,
                    AT),
                """
                {"id":"m","prompt_delta":{"base":"l","removed":["/tools"],"set":{"/system":"s"}},"prompt_hash":"%s"}
                """
                    .formatted(OTHER_HASH)),
            pair(
                new ModelResult(
                    "m",
                    new Content(JsonString.of("fn main() {}"), hash(OUTPUT_HASH), null, null),
                    new Completion("stop", false, new Failure(ERROR)),
                    TokenCounts.of(10, 20),
                    new Timing(30L, Chunks.builder().add(2, 5).add(2, 7).build().withPlace("/0")),
                    SESSION),
                """
                {"answer":"fn main() {}","answer_hash":"%s","chunks":[[2,5],[2,7]],"chunks_text":"/0","error":{"message":"no","name":"IO"},"finish_reason":"stop","id":"m","latency_ms":30,"partial":false,"session_id":"sess","tokens_in":10,"tokens_out":20}
                """
                    .formatted(OUTPUT_HASH)),
            pair(
                new ModelResult(
                    "m", Content.NONE, Completion.NONE, TokenCounts.NONE, Timing.NONE, AT),
                """
                {"id":"m"}
                """),
            pair(
                new ModelResult(
                    "m",
                    new Content(null, hash(OTHER_HASH), BlobRef.of(hash(OTHER_HASH), 3), "a..."),
                    Completion.NONE,
                    TokenCounts.NONE,
                    Timing.NONE,
                    AT),
                """
                {"answer_hash":"%1$s","answer_preview":"a...","answer_ref":{"blob":"%1$s","bytes":3},"id":"m"}
                """
                    .formatted(OTHER_HASH)),
            pair(
                new Settings(
                    JsonObject.of("limit", JsonObject.of("value", 3, "was", null), "odd", 1),
                    SESSION),
                """
                {"session_id":"sess","values":{"limit":{"value":3,"was":null},"odd":1}}
                """),
            pair(
                new FileState("a/b", hash(OTHER_HASH), null, 5L, null, AT),
                """
                {"bytes":5,"hash_after":null,"hash_before":"%s","path":"a/b"}
                """
                    .formatted(OTHER_HASH)),
            pair(
                new FileState("a/b", null, hash(OTHER_HASH), null, "100644", SESSION),
                """
                {"hash_after":"%s","hash_before":null,"mode":"100644","path":"a/b","session_id":"sess"}
                """
                    .formatted(OTHER_HASH)),
            pair(
                new RecordedValue("clock", 0, JsonNumber.of("18446744073709551615"), AT),
                """
                {"ordinal":0,"source":"clock","value":18446744073709551615}
                """),
            pair(
                new RecordedValue("id", 3, JsonNull.NULL, SESSION),
                """
                {"ordinal":3,"session_id":"sess","source":"id","value":null}
                """),
            pair(
                new Checkpoint(new TreeHead(128, hash(OTHER_HASH)), null, SESSION),
                """
                {"session_id":"sess","tree_root":"%s","tree_size":128}
                """
                    .formatted(OTHER_HASH)),
            pair(
                new Checkpoint(new TreeHead(1, hash(OTHER_HASH)), "ed25519:k:AAAA", SESSION),
                """
                {"session_id":"sess","signature":"ed25519:k:AAAA","tree_root":"%s","tree_size":1}
                """
                    .formatted(OTHER_HASH)),
            pair(
                new RecordingGap(
                    3,
                    Timestamp.parse("2026-01-13T09:59:58.5+01:00"),
                    "no space left on device",
                    SESSION),
                """
                {"reason":"no space left on device","session_id":"sess","since":"2026-01-13T09:59:58.5+01:00","unrecorded_events":3}
                """),
            pair(
                new RecordingGap(1, null, null, AT),
                """
                {"unrecorded_events":1}
                """),
            pair(
                new LogSegment(2, 128, 65536, hash(OTHER_HASH), SESSION),
                """
                {"bytes_before":65536,"hash_before":"%s","lines_before":128,"segment":2,"session_id":"sess"}
                """
                    .formatted(OTHER_HASH)))
        .flatMap(pairs -> pairs);
  }

  /** The event in every dialect; its line has the tag and the time next to the members. */
  private static Stream<GoldenPair> pair(ReplayEvent event, String members) {
    return Arrays.stream(Dialect.values()).map(dialect -> {
      JsonObject line = Lines.object(members)
          .with(Lines.tagName(dialect), event.kind().id())
          .with(dialect == Dialect.EVENT ? "t" : "ts", Lines.TIME.text());
      return GoldenPair.of(dialect, event, Lines.canonical(line));
    });
  }
}

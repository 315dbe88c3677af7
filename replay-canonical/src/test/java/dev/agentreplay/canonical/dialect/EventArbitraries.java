package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.StreamPreviews;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.Verification.TestCounts;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/** Generates events of every kind, most of which every dialect can write. */
class EventArbitraries extends DomainContextBase {

  private static final double RARELY = 0.1;
  private static final double OFTEN = 0.5;

  @Provide
  Arbitrary<ReplayEvent> events() {
    return Arbitraries.of(EventKind.values()).flatMap(kind -> event(kind).map(event -> event));
  }

  static Arbitrary<? extends ReplayEvent> event(EventKind kind) {
    return switch (kind) {
      case REPLAY_HEADER -> headers();
      case SESSION_START -> starts();
      case PLAN_START -> Combinators.combine(hashes(), counts(), metas()).as(PlanStart::new);
      case TOOL_CALL -> calls();
      case TOOL_RESULT -> results();
      case STEP_COMPLETE ->
        Combinators.combine(texts(), statuses(), counts(), metas()).as(StepComplete::new);
      case VERIFICATION -> verifications();
      case PAYMENT -> payments();
      case RUNTIME_EVENT -> runtimeEvents();
      case MODEL_CALL -> modelCalls();
      case MODEL_RESULT -> modelResults();
      case SETTINGS -> Combinators.combine(objects(), metas()).as(Settings::new);
      case FILE_STATE -> fileStates();
      case RECORDED_VALUE ->
        Combinators.combine(texts(), counts(), values(), metas()).as(RecordedValue::new);
      case CHECKPOINT ->
        Combinators.combine(counts(), hashes(), rarely(texts()), metas())
            .as((size, root, signature, meta) ->
                new Checkpoint(new TreeHead(size, root), signature, meta));
      case RECORDING_GAP ->
        Combinators.combine(counts(), often(times()), often(texts()), metas())
            .as(RecordingGap::new);
      case LOG_SEGMENT ->
        Combinators.combine(counts(), counts(), counts(), hashes(), metas()).as(LogSegment::new);
      case SESSION_END -> ends();
      case UNKNOWN -> Combinators.combine(texts(), metas()).as(EventArbitraries::unknown);
    };
  }

  private static Arbitrary<ReplayHeader> headers() {
    return Combinators.combine(
            rarely(texts()),
            rarely(policies()),
            often(texts()),
            often(salts()),
            often(origins()),
            metas())
        .as((producer, policy, canonicalization, salt, origin, meta) ->
            new ReplayHeader("1", producer, policy, canonicalization, salt, origin, meta));
  }

  private static Arbitrary<Salt> salts() {
    return Arbitraries.bytes().array(byte[].class).ofSize(Salt.BYTES).map(Salt::of);
  }

  private static Arbitrary<ReplayOrigin> origins() {
    return Combinators.combine(often(texts()), counts(), hashes(), texts())
        .as((session, size, root, mode) ->
            new ReplayOrigin(session, new TreeHead(size, root), mode));
  }

  private static Arbitrary<SessionStart> starts() {
    Arbitrary<Task> tasks =
        Combinators.combine(often(texts()), often(values()), often(texts())).as(Task::new);
    Arbitrary<Labels> labels = Combinators.combine(
            texts().list().ofMaxSize(2), often(texts()), often(texts()))
        .as(Labels::new);
    return Combinators.combine(
            rarely(policies()),
            often(counts()),
            often(objects()),
            often(texts()),
            tasks,
            labels,
            metas())
        .as(SessionStart::new);
  }

  private static Arbitrary<ToolCall> calls() {
    Arbitrary<Attempt> attempts =
        Combinators.combine(often(counts()), often(texts())).as(Attempt::new);
    return Combinators.combine(texts(), texts(), contents(), often(texts()), attempts, metas())
        .as(ToolCall::new);
  }

  private static Arbitrary<ToolResult> results() {
    Arbitrary<Outcome> outcomes = Combinators.combine(
            often(Arbitraries.of(true, false)),
            often(Arbitraries.integers()),
            often(objects().map(Failure::new)),
            often(Arbitraries.of(true, false)),
            Combinators.combine(often(texts()), often(texts())).as(StreamPreviews::new))
        .as(Outcome::new);
    Arbitrary<List<SideEffect>> effects = Arbitraries.oneOf(
            texts().map(SideEffect::of), objects().map(SideEffect::new))
        .list()
        .ofMaxSize(3);
    return Combinators.combine(
            texts(), contents(), outcomes, often(doubles()), timings(true), effects, metas())
        .as(ToolResult::new);
  }

  private static Arbitrary<Verification> verifications() {
    Arbitrary<CommandRun> runs = Combinators.combine(
            texts(), rarely(Arbitraries.integers()), often(texts()), often(counts()))
        .as(CommandRun::new);
    Arbitrary<TestCounts> tests = Combinators.combine(counts(), counts()).as(TestCounts::new);
    return Combinators.combine(
            Arbitraries.frequencyOf(
                Tuple.of(4, runs.list().ofSize(1)), Tuple.of(1, runs.list().ofMaxSize(3))),
            often(tests),
            often(counts()),
            often(texts()),
            metas())
        .as(Verification::new);
  }

  private static Arbitrary<Payment> payments() {
    return Combinators.combine(
            often(texts()),
            often(texts()),
            counts(),
            often(values()),
            often(texts()),
            often(statuses()),
            metas())
        .as(Payment::new);
  }

  private static Arbitrary<RuntimeEvent> runtimeEvents() {
    return Combinators.combine(often(counts()), often(texts()), contents(), often(texts()), metas())
        .as(RuntimeEvent::new);
  }

  private static Arbitrary<ModelCall> modelCalls() {
    Arbitrary<PromptDelta> deltas = Combinators.combine(texts(), texts(), objects())
        .as((base, name, value) ->
            PromptDelta.from(base).set(JsonPointer.ROOT.append(name), value).build());
    return Combinators.combine(
            texts(),
            often(texts()),
            contents(),
            often(deltas),
            objects().map(Parameters::new),
            metas())
        .as(ModelCall::new);
  }

  private static Arbitrary<ModelResult> modelResults() {
    Arbitrary<Completion> finishes = Combinators.combine(
            often(texts()), often(Arbitraries.of(true, false)), often(objects().map(Failure::new)))
        .as(Completion::new);
    Arbitrary<TokenCounts> tokens =
        Combinators.combine(often(counts()), often(counts())).as(TokenCounts::new);
    return Combinators.combine(texts(), contents(), finishes, tokens, timings(false), metas())
        .as(ModelResult::new);
  }

  private static Arbitrary<Timing> timings(boolean isRequired) {
    Arbitrary<Chunks> chunks = Combinators.combine(counts(), Arbitraries.integers())
        .as((offset, length) -> Map.entry(offset, length))
        .list()
        .ofMaxSize(3)
        .map(pairs -> {
          Chunks.Builder builder = Chunks.builder();
          pairs.forEach(pair -> builder.add(pair.getKey(), pair.getValue()));
          return builder.build();
        });
    Arbitrary<Chunks> placed = Combinators.combine(chunks, rarely(texts())).as(Chunks::withPlace);
    return Combinators.combine(isRequired ? rarely(counts()) : often(counts()), placed)
        .as(Timing::new);
  }

  private static Arbitrary<FileState> fileStates() {
    Arbitrary<String> modes = Arbitraries.of("100644", "100755", "040755", "120777", "104750");
    return Combinators.combine(
            texts(), often(hashes()), often(hashes()), often(counts()), often(modes), metas())
        .as(FileState::new);
  }

  private static Arbitrary<SessionEnd> ends() {
    return Combinators.combine(
            statuses(),
            often(doubles()),
            rarely(counts()),
            rarely(counts()),
            often(texts()),
            often(texts()),
            metas())
        .as(SessionEnd::new);
  }

  private static UnknownEvent unknown(String type, Meta meta) {
    return new UnknownEvent("x" + type, meta);
  }

  /** A value with its hash or without, a hash alone, or nothing. */
  private static Arbitrary<Content> contents() {
    Arbitrary<BlobRef> blobs = Combinators.combine(hashes(), counts(), objects())
        .as((hash, bytes, extra) -> new BlobRef(hash, bytes, extra.without("blob", "bytes")));
    return Combinators.combine(
            rarely(values()), hashes(), Arbitraries.of(true, false), often(blobs), often(texts()))
        .as((value, other, hashed, blob, preview) -> {
          ContentHash hash = value == null ? other : CanonicalJson.SERDE.hash(value);
          return new Content(value, hashed || value == null ? hash : null, blob, preview);
        });
  }

  /** Additional members have names that no dialect knows. */
  static Arbitrary<Meta> metas() {
    Arbitrary<JsonObject> extras = objects().map(object -> {
      JsonObject.Builder extra = JsonObject.builder();
      object.forEach((name, value) -> extra.add("+" + name, value));
      return extra.build();
    });
    Arbitrary<String> names = texts().filter(text -> !text.isEmpty()).injectNull(OFTEN);
    return Combinators.combine(often(times()), rarely(texts()), names, names, extras)
        .as(Meta::new);
  }

  private static Arbitrary<Timestamp> times() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 59),
            Arbitraries.strings().numeric().ofMaxLength(9),
            Arbitraries.of("Z", "+00:00", "-05:30"))
        .as((second, digits, zone) -> Timestamp.parse("2026-01-13T10:00:%02d%s%s"
            .formatted(second, digits.isEmpty() ? "" : "." + digits, zone)));
  }

  private static Arbitrary<PolicyId> policies() {
    return Combinators.combine(texts(), Arbitraries.of(PolicyId.Form.values())).as(PolicyId::new);
  }

  private static Arbitrary<Status> statuses() {
    return Arbitraries.oneOf(
            Arbitraries.of(
                "Success",
                "failed",
                "failure",
                "canceled",
                "TIMEOUT",
                "Skipped",
                "max_iterations_reached"),
            texts())
        .map(Status::parse);
  }

  private static Arbitrary<ContentHash> hashes() {
    return Arbitraries.strings()
        .withChars("0123456789abcdef")
        .ofLength(64)
        .map(hex -> ContentHash.parse("sha256:" + hex));
  }

  private static Arbitrary<Long> counts() {
    return Arbitraries.longs();
  }

  private static Arbitrary<Double> doubles() {
    return Arbitraries.doubles();
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("ab/_\"\\\n\u007f\u00e9\u20ac").ofMaxLength(4);
  }

  /** In canonical form, since that is what is read back. */
  static Arbitrary<JsonValue> values() {
    Arbitrary<Object> leaves = Arbitraries.oneOf(
        texts().map(text -> (Object) text),
        Arbitraries.longs().map(number -> (Object) number),
        Arbitraries.doubles().map(number -> (Object) number),
        Arbitraries.of(true, false).injectNull(RARELY).map(value -> (Object) JsonValue.of(value)));
    Arbitrary<Object> values = Arbitraries.lazyOf(
        () -> leaves,
        () -> leaves,
        () -> leaves.list().ofMaxSize(3).map(list -> (Object) list),
        () -> Arbitraries.maps(texts(), leaves).ofMaxSize(3).map(map -> (Object) map));
    return values.map(
        value -> Lines.object(Lines.canonical(JsonObject.of("value", value))).at("/value"));
  }

  static Arbitrary<JsonObject> objects() {
    return Arbitraries.maps(texts(), values()).ofMaxSize(3).map(map -> {
      JsonObject.Builder builder = JsonObject.builder();
      map.forEach(builder::add);
      return builder.build();
    });
  }

  private static <T> Arbitrary<T> rarely(Arbitrary<T> arbitrary) {
    return arbitrary.injectNull(RARELY);
  }

  private static <T> Arbitrary<T> often(Arbitrary<T> arbitrary) {
    return arbitrary.injectNull(OFTEN);
  }
}

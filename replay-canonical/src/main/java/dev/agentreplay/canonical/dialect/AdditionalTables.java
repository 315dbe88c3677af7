package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.FieldType.BOOLEAN;
import static dev.agentreplay.canonical.dialect.FieldType.HASH;
import static dev.agentreplay.canonical.dialect.FieldType.LONG;
import static dev.agentreplay.canonical.dialect.FieldType.OBJECT;
import static dev.agentreplay.canonical.dialect.FieldType.PROMPT_DELTA;
import static dev.agentreplay.canonical.dialect.FieldType.STRING;
import static dev.agentreplay.canonical.dialect.FieldType.TIME;
import static dev.agentreplay.canonical.dialect.FieldType.VALUE;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Events that replay requires and that no specification of a log names: the extensions of this
 * library, the same in every dialect.
 */
final class AdditionalTables {

  private AdditionalTables() {}

  /** Creates the table of one of these events. */
  static Table<? extends ReplayEvent> table(EventKind kind, Spelling spelling) {
    return switch (kind) {
      case MODEL_CALL -> table(spelling, AdditionalTables::modelCall);
      case MODEL_RESULT -> table(spelling, AdditionalTables::modelResult);
      case SETTINGS -> table(spelling, AdditionalTables::settings);
      case FILE_STATE -> table(spelling, AdditionalTables::fileState);
      case RECORDED_VALUE -> table(spelling, AdditionalTables::recordedValue);
      case CHECKPOINT -> table(spelling, AdditionalTables::checkpoint);
      case RECORDING_GAP -> table(spelling, AdditionalTables::recordingGap);
      case LOG_SEGMENT -> table(spelling, AdditionalTables::logSegment);
      default -> throw new IllegalStateException("no table for " + kind);
    };
  }

  private static <E extends ReplayEvent> Table<E> table(
      Spelling spelling, BiFunction<Layout<E>, Envelope<E>, Function<Members, E>> rows) {
    return Table.of(t -> rows.apply(t.additionalEvent(), spelling.envelope(t)));
  }

  private static Function<Members, ModelCall> modelCall(
      Layout<ModelCall> t, Envelope<ModelCall> envelope) {
    var id = t.identity("id", STRING, ModelCall::id).role(EventMember.Role.IDENTITY);
    var model = t.optional("model", STRING, ModelCall::model);
    var prompt =
        ContentRows.add(t, "prompt", Presence.OPTIONAL, Presence.OPTIONAL, ModelCall::prompt);
    var delta = t.optional(Names.PROMPT_DELTA, PROMPT_DELTA, ModelCall::promptDelta)
        .role(EventMember.Role.NONE); // the prompt is compared
    var parameters = t.optional(
            "parameters", OBJECT, call -> unlessEmpty(call.parameters().json()))
        .emptySaysNothing();
    return m -> new ModelCall(
        m.identity(id),
        m.get(model),
        prompt.read(m),
        m.get(delta),
        new Parameters(m.getOr(parameters, JsonObject.EMPTY)),
        envelope.meta(m));
  }

  private static Function<Members, ModelResult> modelResult(
      Layout<ModelResult> t, Envelope<ModelResult> envelope) {
    var id = t.identity("id", STRING, ModelResult::id).role(EventMember.Role.IDENTITY);
    var answer =
        ContentRows.add(t, "answer", Presence.OPTIONAL, Presence.OPTIONAL, ModelResult::answer);
    answer.value().role(EventMember.Role.OUTPUT);
    var reason = t.optional(
            Names.FINISH_REASON, STRING, result -> result.finish().reason())
        .role(EventMember.Role.OUTPUT);
    var partial = t.optional("partial", BOOLEAN, result -> result.finish().partial())
        .role(EventMember.Role.OUTPUT);
    var error = t.optional("error", FieldType.FAILURE, result -> result.finish().error())
        .role(EventMember.Role.OUTCOME)
        .restrict(Restriction.ERROR);
    var input = t.optional(Names.TOKENS_IN, LONG, result -> result.tokens().input())
        .role(EventMember.Role.ASSESSMENT);
    var output = t.optional(Names.TOKENS_OUT, LONG, result -> result.tokens().output())
        .role(EventMember.Role.ASSESSMENT);
    var latency =
        t.optional(Names.LATENCY_MS, LONG, ModelResult::latencyMillis).role(EventMember.Role.CLOCK);
    var chunks = t.optional(
            "chunks", FieldType.CHUNKS, r -> FieldType.unlessEmpty(r.timing().chunks()))
        .role(EventMember.Role.CLOCK)
        .emptySaysNothing();
    var chunksText = t.optional(
            Names.CHUNKS_TEXT, STRING, r -> r.timing().chunks().place())
        .role(EventMember.Role.CLOCK);
    return m -> new ModelResult(
        m.identity(id),
        answer.read(m),
        new Completion(m.get(reason), m.get(partial), m.get(error)),
        new TokenCounts(m.get(input), m.get(output)),
        new Timing(m.get(latency), m.getOr(chunks, Chunks.NONE).withPlace(m.get(chunksText))),
        envelope.meta(m));
  }

  private static Function<Members, Settings> settings(
      Layout<Settings> t, Envelope<Settings> envelope) {
    var values = t.identity("values", OBJECT, Settings::values);
    return m -> new Settings(m.identity(values), envelope.meta(m));
  }

  private static Function<Members, FileState> fileState(
      Layout<FileState> t, Envelope<FileState> envelope) {
    var path = t.identity("path", STRING, FileState::path);
    var before = t.nullable(Names.HASH_BEFORE, HASH, FileState::before);
    var after = t.nullable(Names.HASH_AFTER, HASH, FileState::after);
    var bytes = t.optional("bytes", LONG, FileState::bytes);
    var mode = t.optional("mode", STRING, FileState::mode)
        .comparedIfBoth() // a file system without permissions has none
        .restrict(Restriction.FILE_MODE);
    return m -> new FileState(
        m.identity(path), m.get(before), m.get(after), m.get(bytes), m.get(mode), envelope.meta(m));
  }

  private static Function<Members, RecordedValue> recordedValue(
      Layout<RecordedValue> t, Envelope<RecordedValue> envelope) {
    var source = t.identity("source", STRING, RecordedValue::source);
    var ordinal = t.identity("ordinal", LONG, RecordedValue::ordinal);
    var value = t.identity("value", VALUE, RecordedValue::value).role(EventMember.Role.IDENTITY);
    return m -> new RecordedValue(
        m.identity(source), m.identity(ordinal), m.identity(value), envelope.meta(m));
  }

  private static Function<Members, Checkpoint> checkpoint(
      Layout<Checkpoint> t, Envelope<Checkpoint> envelope) {
    var size = t.identity(Names.TREE_SIZE, LONG, checkpoint -> checkpoint.tree().size());
    var root = t.identity(Names.TREE_ROOT, HASH, checkpoint -> checkpoint.tree().root());
    var signature = t.optional("signature", STRING, Checkpoint::signature);
    return m -> new Checkpoint(
        new TreeHead(m.identity(size), m.identity(root)), m.get(signature), envelope.meta(m));
  }

  private static Function<Members, RecordingGap> recordingGap(
      Layout<RecordingGap> t, Envelope<RecordingGap> envelope) {
    var events = t.identity(Names.UNRECORDED_EVENTS, LONG, RecordingGap::events);
    var since = t.optional("since", TIME, RecordingGap::since).role(EventMember.Role.NONE);
    var reason = t.optional("reason", STRING, RecordingGap::reason);
    return m -> new RecordingGap(m.identity(events), m.get(since), m.get(reason), envelope.meta(m));
  }

  private static Function<Members, LogSegment> logSegment(
      Layout<LogSegment> t, Envelope<LogSegment> envelope) {
    var segment = t.identity("segment", LONG, LogSegment::segment);
    var lines = t.identity(Names.LINES_BEFORE, LONG, LogSegment::linesBefore);
    var bytes = t.identity(Names.BYTES_BEFORE, LONG, LogSegment::bytesBefore);
    var hash = t.identity(Names.HASH_BEFORE, HASH, LogSegment::hashBefore);
    return m -> new LogSegment(
        m.identity(segment),
        m.identity(lines),
        m.identity(bytes),
        m.identity(hash),
        envelope.meta(m));
  }

  private static @Nullable JsonObject unlessEmpty(JsonObject object) {
    return object.isEmpty() ? null : object;
  }
}

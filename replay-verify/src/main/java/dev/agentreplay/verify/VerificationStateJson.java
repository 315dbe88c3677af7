package dev.agentreplay.verify;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.internal.StrictObject;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** States of verification to JSON and back. */
final class VerificationStateJson {

  private static final String SCHEMA = "replay.verified/1";

  private VerificationStateJson() {}

  static JsonObject write(VerificationState state) {
    LogProgress log = state.log();
    return JsonObject.builder()
        .add("schema", JsonValue.of(SCHEMA))
        .add("line", JsonValue.of(state.next().line()))
        .add("offset", JsonValue.of(state.next().offset()))
        .add(
            "last_offset",
            JsonValue.of(state.last() == null ? null : state.last().at().offset()))
        .add(
            "last_leaf",
            JsonValue.of(state.last() == null ? null : state.last().leaf().toString()))
        .add("tree_size", JsonValue.of(state.tree().size()))
        .add("tree_root", JsonValue.of(state.tree().root().toString()))
        .add("tree_edge", hashes(state.edge()))
        .add("lines_in_tree", JsonValue.of(state.statements().sound()))
        .add("signed_checkpoint", JsonValue.of(state.statements().signed()))
        .add("tree_differs", JsonValue.of(state.statements().differs()))
        .add(
            "dialect",
            JsonValue.of(state.dialect() == null ? null : state.dialect().id()))
        .add(
            "canonicalization",
            JsonValue.of(
                state.canonicalization() == null
                    ? null
                    : state.canonicalization().id()))
        .add("header_seen", JsonValue.of(log.headerSeen()))
        .add("event_seen", JsonValue.of(log.otherSeen()))
        .add(
            "last_time",
            JsonValue.of(log.lastTime() == null ? null : log.lastTime().text()))
        .add("latency_ms", JsonValue.of(log.latencyMillis()))
        .add("latency_is_fraction", JsonValue.of(log.latencyIsFraction()))
        .add("part", JsonValue.of(log.part()))
        .add(
            "open_calls",
            JsonArray.copyOf(
                log.open().stream().map(VerificationStateJson::call).toList()))
        .add("call_ids", JsonValue.of(fingerprints(log.callIds())))
        .add("counts", counts(state.counts(), Counter::id))
        .add("finding_counts", counts(state.findingCounts(), FindingCode::name))
        .build();
  }

  static VerificationState read(JsonObject json) {
    StrictObject in = StrictObject.of(json);
    in.constant("schema", SCHEMA);
    long size = in.integer("tree_size", 0);
    List<ContentHash> edge = in.hashes("tree_edge");
    MerkleTree tree = MerkleTree.of(size, edge);
    if (!tree.head().root().equals(in.hash("tree_root"))) {
      throw new IllegalArgumentException("/tree_root: is not that of tree_edge");
    }
    Position next = new Position(in.integer("line", 1), in.integer("offset", 0));
    if (next.line() != size + 1) {
      throw new IllegalArgumentException(
          "/line: %d lines were verified, so that the next one is not %d"
              .formatted(size, next.line()));
    }
    LogProgress log = new LogProgress(
        bool(in, "header_seen"),
        bool(in, "event_seen"),
        optional(in, "last_time", "a time", Timestamp::tryParse),
        in.integer("latency_ms", Long.MIN_VALUE),
        bool(in, "latency_is_fraction"),
        in.integer("part", 1),
        in.objects("open_calls").stream().map(VerificationStateJson::call).toList(),
        fingerprints(in));
    TreeVerifier.Progress statements = new TreeVerifier.Progress(
        in.integer("lines_in_tree", 0), signedCheckpoint(in), bool(in, "tree_differs"));
    if (statements.sound() > size) {
      throw new IllegalArgumentException(
          "/lines_in_tree: %d of %d lines".formatted(statements.sound(), size));
    }
    Map<Counter, Long> counts =
        counts(in.object("counts"), Counter.class, Counter.values(), Counter::id);
    if (counts.getOrDefault(Counter.EVENTS, 0L) != size) {
      throw new IllegalArgumentException("/counts/events: is not /tree_size");
    }
    return new VerificationState(
        next,
        size == 0 ? null : last(in, size),
        tree.head(),
        edge,
        optional(in, "dialect", "a dialect", Dialect::tryParse),
        optional(in, "canonicalization", "a profile", Canonicalization::of),
        statements,
        log,
        counts,
        counts(
            in.object("finding_counts"),
            FindingCode.class,
            FindingCode.values(),
            FindingCode::name));
  }

  private static VerificationState.LastLine last(StrictObject in, long line) {
    return new VerificationState.LastLine(
        new Position(line, in.integer("last_offset", 0)), in.hash("last_leaf"));
  }

  private static @Nullable JsonObject signedCheckpoint(StrictObject in) {
    if (in.json().get("signed_checkpoint") == JsonNull.NULL) {
      return null;
    }
    StrictObject checkpoint = in.object("signed_checkpoint");
    if (checkpoint.integer("tree_size", 0) >= in.integer("tree_size", 0)) {
      throw new IllegalArgumentException("/signed_checkpoint/tree_size: is not before the state");
    }
    return checkpoint.json();
  }

  private static JsonObject call(LogProgress.OpenCall open) {
    AnsweredCall.Called call = open.call();
    return JsonObject.of(
        "key", open.key(),
        "id", call.id(),
        "tool", call.tool(),
        "params_hash", call.paramsHash() == null ? null : call.paramsHash().toString(),
        "is_sound", call.isSound(),
        "line", call.at().line(),
        "offset", call.at().offset());
  }

  private static LogProgress.OpenCall call(StrictObject in) {
    return new LogProgress.OpenCall(
        in.string("key"),
        new AnsweredCall.Called(
            in.string("id"),
            in.string("tool"),
            optional(in, "params_hash", "a hash", ContentHash::tryParse),
            bool(in, "is_sound"),
            new Position(in.integer("line", 1), in.integer("offset", 0))));
  }

  private static JsonArray hashes(List<ContentHash> hashes) {
    return JsonArray.of(hashes.stream().map(ContentHash::toString).toArray());
  }

  private static String fingerprints(List<Long> fingerprints) {
    ByteBuffer bytes = ByteBuffer.allocate(fingerprints.size() * Long.BYTES);
    fingerprints.forEach(bytes::putLong);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  private static List<Long> fingerprints(StrictObject in) {
    byte[] bytes = Base64.getDecoder().decode(in.string("call_ids"));
    if (bytes.length % Long.BYTES != 0) {
      throw new IllegalArgumentException("/call_ids: has %d bytes".formatted(bytes.length));
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<Long> fingerprints = new ArrayList<>(bytes.length / Long.BYTES);
    while (buffer.hasRemaining()) {
      fingerprints.add(buffer.getLong());
    }
    return fingerprints;
  }

  private static <K extends Enum<K>> JsonObject counts(
      Map<K, Long> counts, Function<K, String> name) {
    JsonObject.Builder builder = JsonObject.builder();
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> builder.add(name.apply(entry.getKey()), JsonValue.of(entry.getValue())));
    return builder.build();
  }

  private static <K extends Enum<K>> Map<K, Long> counts(
      StrictObject in, Class<K> type, K[] keys, Function<K, String> name) {
    Map<K, Long> counts = new EnumMap<>(type);
    for (K key : keys) {
      if (in.json().has(name.apply(key))) {
        counts.put(key, in.integer(name.apply(key), 0));
      }
    }
    if (counts.size() != in.json().size()) {
      throw new IllegalArgumentException(
          in.pointer() + ": has a name that is not known, as those of a later version are");
    }
    return counts;
  }

  private static boolean bool(StrictObject in, String name) {
    if (in.json().get(name) instanceof JsonBoolean value) {
      return value.value();
    }
    throw in.mustBe("true or false", name, in.json().get(name));
  }

  private static <T> @Nullable T optional(
      StrictObject in, String name, String what, Function<String, @Nullable T> parse) {
    if (in.json().get(name) == JsonNull.NULL) {
      return null;
    }
    T value = parse.apply(in.string(name));
    if (value == null) {
      throw in.mustBe(what, name, in.json().get(name));
    }
    return value;
  }
}

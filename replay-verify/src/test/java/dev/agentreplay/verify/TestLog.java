package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A small log that is well, to be altered. Lines count from 1. Immutable. */
public final class TestLog {

  static final int PLAN = 3;
  static final int CALL_1 = 4;
  static final int RESULT_1 = 5;
  static final int CALL_2 = 6;
  static final int RESULT_2 = 7;
  static final int VERIFICATION = 8;
  static final int RUNTIME = 9;
  static final int END = 10;

  static final String PLAN_HASH = "sha256:" + "ab".repeat(32);

  private final List<String> lines;

  /** Bytes that are cut off the end. */
  private final int cut;

  private TestLog(List<String> lines, int cut) {
    this.lines = List.copyOf(lines);
    this.cut = cut;
  }

  public static TestLog small() {
    return new TestLog(
        List.of(
            "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\","
                + "\"producer\":\"p@1\",\"replay_version\":1}",
            "{\"event\":\"SessionStart\",\"issue_number\":7,\"policy_version\":\"v1\","
                + "\"session_id\":\"s-1\",\"t\":\"2026-01-13T10:00:01Z\"}",
            "{\"event\":\"PlanStart\",\"plan_hash\":\"%s\",\"step_count\":1,".formatted(PLAN_HASH)
                + "\"t\":\"2026-01-13T10:00:02Z\"}",
            call("c-1", "read", JsonObject.of("path", "a"), 3),
            result("c-1", JsonValue.of("text"), "0.5", 10, 4),
            call("c-2", "write", JsonObject.of("path", "b"), 5),
            result("c-2", JsonValue.of("done"), "0.25", 5, 6),
            "{\"commands\":[\"make\"],\"event\":\"Verification\",\"exit_codes\":[0],"
                + "\"t\":\"2026-01-13T10:00:07Z\",\"verification_delta\":1}",
            "{\"event\":\"RuntimeEvent\",\"payload\":{\"n\":1},\"payload_hash\":\"%s\","
                    .formatted(CanonicalJson.SERDE.hash(JsonObject.of("n", 1)))
                + "\"runtime_event_type\":\"tick\",\"seq\":1,\"t\":\"2026-01-13T10:00:08Z\"}",
            "{\"confidence\":0.9,\"event\":\"SessionEnd\",\"status\":\"Success\","
                + "\"t\":\"2026-01-13T10:00:09Z\",\"total_latency_ms\":15,"
                + "\"total_tool_calls\":2}"),
        0);
  }

  static String call(String id, String tool, JsonValue params, int second) {
    return CanonicalJson.SERDE.text(JsonObject.of(
        "event",
        "ToolCall",
        "id",
        id,
        "params",
        params,
        "params_hash",
        CanonicalJson.SERDE.hash(params).toString(),
        "step_id",
        "step-1",
        "t",
        "2026-01-13T10:00:%02dZ".formatted(second),
        "tool",
        tool));
  }

  static String result(String id, JsonValue output, String utility, int latency, int second) {
    return CanonicalJson.SERDE.text(JsonObject.of(
        "event",
        "ToolResult",
        "exit_code",
        null,
        "id",
        id,
        "latency_ms",
        latency,
        "output",
        output,
        "output_hash",
        CanonicalJson.SERDE.hash(output).toString(),
        "step_utility",
        JsonText.parse(utility),
        "t",
        "2026-01-13T10:00:%02dZ".formatted(second)));
  }

  String line(int number) {
    return lines.get(number - 1);
  }

  JsonObject json(int number) {
    return JsonText.parse(line(number)).asObject();
  }

  int size() {
    return lines.size();
  }

  /** With some text of a line replaced. */
  TestLog edit(int number, String from, String to) {
    assertThat(line(number)).contains(from);
    return replace(number, line(number).replace(from, to));
  }

  TestLog replace(int number, String line) {
    List<String> copy = new ArrayList<>(lines);
    copy.set(number - 1, line);
    return new TestLog(copy, cut);
  }

  TestLog insert(int number, String line) {
    List<String> copy = new ArrayList<>(lines);
    copy.add(number - 1, line);
    return new TestLog(copy, cut);
  }

  TestLog append(String line) {
    return insert(size() + 1, line);
  }

  TestLog remove(int number) {
    List<String> copy = new ArrayList<>(lines);
    copy.remove(number - 1);
    return new TestLog(copy, cut);
  }

  /** Without its last bytes; the line feed at the end is one. */
  TestLog cut(int bytes) {
    return new TestLog(lines, bytes);
  }

  /** The head of the tree over the first lines. */
  TreeHead tree(int size) {
    MerkleTree tree = new MerkleTree();
    lines.subList(0, size).forEach(line -> tree.add(line.getBytes(StandardCharsets.UTF_8)));
    return tree.head();
  }

  /** With a checkpoint before a line that states the tree over the lines before it. */
  TestLog checkpoint(int number) {
    String time = json(number - 1).at("/t").asString();
    return insert(
        number,
        checkpoint(tree(number - 1))
            .replace(",\"tree_root\"", ",\"t\":\"" + time + "\",\"tree_root\""));
  }

  static String checkpoint(TreeHead tree) {
    return CanonicalJson.SERDE.text(JsonObject.of(
        "event", "Checkpoint", "tree_root", tree.root().toString(), "tree_size", tree.size()));
  }

  byte[] bytes() {
    byte[] whole = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    return Arrays.copyOf(whole, whole.length - cut);
  }

  long offset(int number) {
    return lines.subList(0, number - 1).stream()
        .mapToLong(line -> line.getBytes(StandardCharsets.UTF_8).length + 1)
        .sum();
  }

  /** Writes the log, and the receipt unless it is null. */
  public Session write(Path directory, String receipt) throws IOException {
    Path log = Files.write(directory.resolve(Session.LOG_NAME), bytes());
    Path file = directory.resolve(Session.RECEIPT_NAME);
    return new Session(log, receipt == null ? null : Files.writeString(file, receipt));
  }

  /** The log with a receipt next to it; null for none. */
  Exhibit exhibit(JsonObject receipt) {
    Exhibit log = new Exhibit(lines, null, null, Map.of());
    return receipt == null ? log : log.withReceipt(receipt);
  }

  public VerificationReport verify(Path directory, JsonValue receipt) throws IOException {
    return verify(directory, receipt, VerifyPolicy.defaults());
  }

  public VerificationReport verify(Path directory, JsonValue receipt, VerifyPolicy policy)
      throws IOException {
    return SessionVerifier.of(policy)
        .verify(write(directory, receipt == null ? null : JsonText.pretty(receipt)));
  }

  /** The receipt of specification 000 that fits the small log. */
  JsonObject sessionReceipt() {
    return JsonObject.of(
        "session_id",
        "s-1",
        "started_at",
        "2026-01-13T10:00:01+00:00",
        "completed_at",
        "2026-01-13T11:00:09+01:00",
        "issue_number",
        7,
        "plan_hash",
        PLAN_HASH,
        "tool_calls",
        JsonArray.of(entry(CALL_1, RESULT_1, true), entry(CALL_2, RESULT_2, true)),
        "verification",
        JsonObject.of(
            "commands_run", JsonArray.of("make"),
            "exit_codes", JsonArray.of(0),
            "verification_delta", 1),
        "final_confidence",
        0.9,
        "policy_bundle_id",
        "v1",
        "signature",
        null);
  }

  /** The receipt of specification 001 that fits the log. */
  JsonObject trajectoryReceipt() {
    int events = size() - 1;
    return digested(JsonObject.of(
        "schema",
        "openagents.receipt.v1",
        "session_id",
        "s-1",
        "trajectory_hash",
        trajectoryHash(),
        "policy_bundle_id",
        "v1",
        "canonical_json_sha256",
        "",
        "created_at",
        "2026-01-13T10:00:10Z",
        "event_count",
        events,
        "first_seq",
        1,
        "last_seq",
        events,
        "tool_calls",
        JsonArray.of(entry(CALL_1, RESULT_1, false), entry(CALL_2, RESULT_2, false)),
        "verification",
        JsonArray.of(JsonObject.of("command", "make", "exit_code", 0)),
        "payments",
        JsonArray.EMPTY));
  }

  /** With the digest that fits. */
  static JsonObject digested(JsonObject receipt) {
    JsonObject rest = receipt.without("canonical_json_sha256", "signature");
    return receipt.with("canonical_json_sha256", CanonicalJson.SERDE.hash(rest).hex());
  }

  String trajectoryHash() {
    return trajectoryHash(
        lines.stream().skip(1).map(line -> JsonText.parse(line).asObject()).toList());
  }

  /** The hash that a receipt of specification 001 states of events. */
  static String trajectoryHash(List<JsonObject> payloads) {
    List<JsonValue> events = new ArrayList<>();
    for (JsonObject payload : payloads) {
      events.add(JsonObject.of(
          "seq",
          events.size() + 1,
          "event_type",
          payload.get("event"),
          "payload",
          payload,
          "idempotency_key",
          null,
          "recorded_at",
          payload.get("t")));
    }
    return CanonicalJson.SERDE.hash(JsonArray.copyOf(events)).toString();
  }

  private JsonObject entry(int call, int result, boolean withIds) {
    JsonObject entry = JsonObject.of(
        "tool", json(call).get("tool"),
        "params_hash", json(call).get("params_hash"),
        "output_hash", json(result).get("output_hash"),
        "latency_ms", json(result).get("latency_ms"),
        "side_effects", JsonArray.EMPTY);
    return withIds
        ? entry
            .with("id", json(call).get("id"))
            .with("step_utility", json(result).get("step_utility"))
        : entry;
  }
}

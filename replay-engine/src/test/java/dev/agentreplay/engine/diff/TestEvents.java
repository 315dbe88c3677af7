package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A log with one event of every type, every member of it stated, to change one of them. */
final class TestEvents {

  private static final String HASH = "sha256:" + "a".repeat(64);

  /** In the dialect {@code event}. */
  static final TestEvents EVERY = of(
      """
      {"event":"ReplayHeader","replay_version":1,"producer":"p@1","created_at":"2026-01-13T10:00:00Z","policy_bundle_id":"b1"}
      {"event":"SessionStart","t":"2026-01-13T10:00:01Z","session_id":"s1","policy_version":"v1","issue_number":7,"repo":{"name":"r1"},"lane":"fast","task":"mend","context":{"branch":"main"},"instructions":"be brief"}
      {"event":"Settings","t":"2026-01-13T10:00:02Z","values":{"depth":{"value":3,"source":"file"}}}
      {"event":"PlanStart","t":"2026-01-13T10:00:03Z","plan_hash":"HASH","step_count":2}
      {"event":"ModelCall","t":"2026-01-13T10:00:04Z","id":"m1","model":"opus","prompt":{"text":"hello"},"parameters":{"temperature":0}}
      {"event":"ModelResult","t":"2026-01-13T10:00:05Z","id":"m1","answer":"hi","finish_reason":"stop","partial":false,"error":{"name":"E1"},"tokens_in":10,"tokens_out":20,"latency_ms":30}
      {"event":"ToolCall","t":"2026-01-13T10:00:06Z","id":"c1","step_id":"p1","tool":"read","params":{"path":"a"}}
      {"event":"ToolResult","t":"2026-01-13T10:00:07Z","id":"c1","ok":false,"exit_code":1,"error":{"name":"E1"},"output":{"text":"out"},"side_effects":[{"type":"write","path":"a"}],"step_utility":0.5,"latency_ms":40}
      {"event":"FileState","t":"2026-01-13T10:00:08Z","path":"a.txt","hash_before":"HASH","hash_after":"HASH","bytes":10,"mode":"100644"}
      {"event":"Verification","t":"2026-01-13T10:00:09Z","commands":["mvn test"],"exit_codes":[0],"verification_delta":1,"tests_before":5,"tests_after":6,"ci_status":"green"}
      {"event":"StepComplete","t":"2026-01-13T10:00:10Z","step_id":"p1","status":"Success","iterations":1}
      {"event":"Payment","t":"2026-01-13T10:00:11Z","rail":"lightning","asset_id":"btc","amount_msats":100,"payment_proof":"pp1","job_hash":"j1","status":"success"}
      {"event":"RuntimeEvent","t":"2026-01-13T10:00:12Z","seq":1,"runtime_event_type":"tick","payload":{"n":1},"idempotency_key":"k1"}
      {"event":"RecordingGap","t":"2026-01-13T10:00:13Z","unrecorded_events":3,"reason":"disk full"}
      {"event":"Weather","t":"2026-01-13T10:00:14Z","sky":"blue"}
      {"event":"RecordedValue","t":"2026-01-13T10:00:15Z","source":"random","ordinal":0,"value":17}
      {"event":"Checkpoint","t":"2026-01-13T10:00:16Z","tree_size":16,"tree_root":"HASH"}
      {"event":"SessionEnd","t":"2026-01-13T10:00:17Z","status":"Success","confidence":0.5,"summary":"done","error_message":"none","total_tool_calls":1,"total_latency_ms":40}
      """);

  /** In the dialect {@code type}, whose verifications have a folder. */
  static final TestEvents OF_TYPE = of(
      """
      {"type":"ReplayHeader","replay_version":1,"producer":"p@1","created_at":"2026-01-13T10:00:00Z"}
      {"type":"Verification","ts":"2026-01-13T10:00:01Z","session_id":"s1","command":"mvn test","exit_code":0,"cwd":"/w","duration_ms":10}
      """);

  private final List<JsonObject> events;

  private TestEvents(List<JsonObject> events) {
    this.events = List.copyOf(events);
  }

  private static TestEvents of(String lines) {
    return new TestEvents(lines
        .lines()
        .map(line -> JsonText.parse(line.replace("HASH", HASH)).asObject())
        .toList());
  }

  /** The names of all types. */
  List<String> types() {
    return events.stream().map(TestEvents::type).toList();
  }

  JsonObject event(String type) {
    return events.stream()
        .filter(event -> type(event).equals(type))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("type " + type));
  }

  /** With another value of a member, which need not have been there. */
  TestEvents with(String type, String member, JsonValue value) {
    event(type);
    return each(event -> type(event).equals(type) ? event.with(member, value) : event);
  }

  /** Without a member of an event. */
  TestEvents without(String type, String member) {
    event(type);
    return each(event -> type(event).equals(type) ? event.without(member) : event);
  }

  /** Without the event. */
  TestEvents without(String type) {
    return new TestEvents(
        events.stream().filter(event -> !type(event).equals(type)).toList());
  }

  private TestEvents each(UnaryOperator<JsonObject> edit) {
    return new TestEvents(events.stream().map(edit).toList());
  }

  Session write(Path file) throws IOException {
    Files.writeString(
        file, events.stream().map(event -> event + "\n").collect(Collectors.joining()));
    return new Session(file, null);
  }

  private static String type(JsonObject event) {
    JsonValue type = event.get("event");
    return (type == null ? event.at("/type") : type).asString();
  }
}

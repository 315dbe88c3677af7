package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A line of a dialect, and how it demands one of its members. */
record PresenceCase(Dialect dialect, JsonObject line, String member, String presence) {

  /**
   * For every kind a line with all its members, then those that identify the event, those that are
   * required and those that may be null.
   */
  private static final String EVENT_TABLE =
      """
      {"event":"ReplayHeader","created_at":"T","producer":"p","replay_version":1,"policy_bundle_id":"b","canonicalization":"serde","salt":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","replay_of":{"mode":"mock","tree_root":"H","tree_size":1},"session_id":"s","agent":"a","parent":"c"} | | created_at,producer,replay_version |
      {"event":"SessionStart","t":"T","session_id":"s","agent":"a","parent":"c","issue_number":1,"policy_version":"v","repo":{},"lane":"l","task":"k","context":{},"instructions":"i","tags":["a"],"user":"u","environment":"e"} | | session_id,policy_version | issue_number
      {"event":"PlanStart","t":"T","session_id":"s","agent":"a","parent":"c","plan_hash":"H","step_count":1} | | plan_hash,step_count |
      {"event":"ToolCall","t":"T","session_id":"s","agent":"a","parent":"c","id":"c","tool":"x","params":{"path":"src/auth.rs"},"params_hash":"P","params_ref":{"blob":"H","bytes":1},"params_preview":"f","attempt":2,"effect_id":"e","step_id":"s"} | id,tool | params_hash,step_id |
      {"event":"ToolResult","t":"T","session_id":"s","agent":"a","parent":"c","id":"c","ok":true,"exit_code":0,"output":"fn main() {}","output_hash":"O","output_ref":{"blob":"H","bytes":1},"output_preview":"f","stdout_preview":"o","stderr_preview":"e","outcome_known":false,"chunks":[[1,12]],"chunks_text":"x","error":{},"step_utility":0.5,"latency_ms":1,"side_effects":["x"]} | id | output_hash,step_utility,latency_ms | exit_code
      {"event":"StepComplete","t":"T","session_id":"s","agent":"a","parent":"c","step_id":"s","status":"Success","iterations":1} | step_id | status,iterations |
      {"event":"Verification","t":"T","session_id":"s","agent":"a","parent":"c","commands":["a"],"exit_codes":[0],"verification_delta":1,"cwd":"d","duration_ms":1,"tests_before":1,"tests_after":2,"ci_status":"x"} | | commands,exit_codes,verification_delta |
      {"event":"Payment","t":"T","session_id":"s","agent":"a","parent":"c","rail":"r","asset_id":"a","amount_msats":1,"payment_proof":"p","job_hash":"j","status":"Success"} | | amount_msats |
      {"event":"RuntimeEvent","t":"T","session_id":"s","agent":"a","parent":"c","seq":1,"runtime_event_type":"x","payload":{"path":"src/auth.rs"},"payload_hash":"P","idempotency_key":"k"} | | |
      {"event":"SessionEnd","t":"T","session_id":"s","agent":"a","parent":"c","status":"Success","confidence":0.5,"total_tool_calls":1,"total_latency_ms":1,"summary":"x","error_message":"e"} | status | confidence,total_tool_calls,total_latency_ms |
      {"event":"Reflection","t":"T","session_id":"s","agent":"a","parent":"c"} | | |
      """;

  private static final String TYPE_TABLE =
      """
      {"type":"ReplayHeader","created_at":"T","producer":"p","replay_version":1,"policy_bundle_id":"b","canonicalization":"serde","salt":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","replay_of":{"mode":"mock","tree_root":"H","tree_size":1},"session_id":"s","agent":"a","parent":"c"} | | created_at,producer,replay_version |
      {"type":"SessionStart","ts":"T","session_id":"s","agent":"a","parent":"c","issue_number":1,"policy_bundle_id":"v","repo":{},"lane":"l","task":"k","context":{},"instructions":"i","tags":["a"],"user":"u","environment":"e"} | | session_id,policy_bundle_id |
      {"type":"PlanStart","ts":"T","session_id":"s","agent":"a","parent":"c","plan_hash":"H","step_count":1} | | plan_hash,step_count |
      {"type":"ToolCall","ts":"T","session_id":"s","agent":"a","parent":"c","tool":"x","params":{"path":"src/auth.rs"},"params_hash":"P","params_ref":{"blob":"H","bytes":1},"params_preview":"f","attempt":2,"effect_id":"e","step_id":"s","plan_step_id":"p"} | step_id,tool | params_hash |
      {"type":"ToolResult","ts":"T","session_id":"s","agent":"a","parent":"c","step_id":"c","ok":true,"exit_code":0,"output":"fn main() {}","output_hash":"O","output_ref":{"blob":"H","bytes":1},"output_preview":"f","stdout_preview":"o","stderr_preview":"e","outcome_known":false,"chunks":[[1,12]],"chunks_text":"x","error":{},"step_utility":0.5,"latency_ms":1,"side_effects":["x"]} | step_id | ok,output_hash,latency_ms,side_effects |
      {"type":"StepComplete","ts":"T","session_id":"s","agent":"a","parent":"c","step_id":"s","status":"success","iterations":1} | step_id | status,iterations |
      {"type":"Verification","ts":"T","session_id":"s","agent":"a","parent":"c","command":"a","exit_code":0,"verification_delta":1,"cwd":"d","duration_ms":1,"tests_before":1,"tests_after":2,"ci_status":"x"} | | command,exit_code |
      {"type":"Payment","ts":"T","session_id":"s","agent":"a","parent":"c","rail":"r","asset_id":"a","amount_msats":1,"payment_proof":"p","job_hash":"j","status":"success"} | | amount_msats |
      {"type":"RuntimeEvent","ts":"T","session_id":"s","agent":"a","parent":"c","seq":1,"runtime_event_type":"x","payload":{"path":"src/auth.rs"},"payload_hash":"P","idempotency_key":"k"} | | |
      {"type":"SessionEnd","ts":"T","session_id":"s","agent":"a","parent":"c","status":"success","confidence":0.5,"total_tool_calls":1,"total_latency_ms":1,"summary":"x","error_message":"e"} | status | confidence |
      {"type":"Reflection","ts":"T","session_id":"s","agent":"a","parent":"c"} | | |
      """;

  private static final String DRAFT_TABLE =
      """
      {"type":"ReplayHeader","version":"1.0.0","session_id":"s","agent":"a","parent":"c","started_at":"T","producer":"p","policy_bundle_id":"b","canonicalization":"serde","salt":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","replay_of":{"mode":"mock","tree_root":"H","tree_size":1}} | | version,session_id,started_at |
      {"type":"SessionStart","ts":"T","session_id":"s","agent":"a","parent":"c","task":"k","context":{},"instructions":"i","issue_number":1,"policy_bundle_id":"v","repo":{},"lane":"l","tags":["a"],"user":"u","environment":"e"} | | task |
      {"type":"PlanStart","ts":"T","session_id":"s","agent":"a","parent":"c","plan_hash":"H","step_count":1} | | plan_hash,step_count |
      {"type":"ToolCall","ts":"T","session_id":"s","agent":"a","parent":"c","id":"c","tool":"x","params":{"path":"src/auth.rs"},"params_hash":"P","params_ref":{"blob":"H","bytes":1},"params_preview":"f","attempt":2,"effect_id":"e","step_id":"s"} | id,tool | params |
      {"type":"ToolResult","ts":"T","session_id":"s","agent":"a","parent":"c","id":"c","ok":true,"exit_code":0,"output":"fn main() {}","output_hash":"O","output_ref":{"blob":"H","bytes":1},"output_preview":"f","stdout_preview":"o","stderr_preview":"e","outcome_known":false,"chunks":[[1,12]],"chunks_text":"x","error":{},"step_utility":0.5,"latency_ms":1,"side_effects":["x"]} | id | output |
      {"type":"StepComplete","ts":"T","session_id":"s","agent":"a","parent":"c","step_id":"s","status":"success","iterations":1} | step_id | status,iterations |
      {"type":"Verification","ts":"T","session_id":"s","agent":"a","parent":"c","tests_before":1,"tests_after":2,"delta":1,"ci_status":"x","commands":["a"],"exit_codes":[0],"cwd":"d","duration_ms":1} | | tests_before,tests_after,delta |
      {"type":"Payment","ts":"T","session_id":"s","agent":"a","parent":"c","rail":"r","asset_id":"a","amount_msats":1,"payment_proof":"p","job_hash":"j","status":"success"} | | amount_msats |
      {"type":"RuntimeEvent","ts":"T","session_id":"s","agent":"a","parent":"c","seq":1,"runtime_event_type":"x","payload":{"path":"src/auth.rs"},"payload_hash":"P","idempotency_key":"k"} | | |
      {"type":"SessionEnd","ended_at":"T","session_id":"s","agent":"a","parent":"c","outcome":"success","confidence":0.5,"total_tool_calls":1,"total_latency_ms":1,"summary":"x","error_message":"e"} | outcome | ended_at |
      {"type":"Reflection","ts":"T","session_id":"s","agent":"a","parent":"c"} | | |
      """;

  /** The events that no specification names, the same in every dialect. */
  private static final String ADDITIONAL_TABLE =
      """
      {"id":"m","model":"x","prompt":{"path":"src/auth.rs"},"prompt_hash":"P","prompt_ref":{"blob":"H","bytes":1},"prompt_preview":"p","prompt_delta":{"base":"l"},"parameters":{"seed":1},"agent":"a","parent":"c","event":"ModelCall"} | id | |
      {"id":"m","answer":"fn main() {}","answer_hash":"O","answer_ref":{"blob":"H","bytes":1},"answer_preview":"f","finish_reason":"stop","partial":false,"error":{},"tokens_in":1,"tokens_out":2,"latency_ms":1,"chunks":[[1,12]],"chunks_text":"x","agent":"a","parent":"c","event":"ModelResult"} | id | |
      {"values":{"limit":{"value":1}},"agent":"a","parent":"c","event":"Settings"} | values | |
      {"path":"a","hash_before":"H","hash_after":"H","bytes":1,"mode":"100644","agent":"a","parent":"c","event":"FileState"} | path | | hash_before,hash_after
      {"source":"clock","ordinal":1,"value":1,"agent":"a","parent":"c","event":"RecordedValue"} | source,ordinal,value | |
      {"tree_size":1,"tree_root":"H","signature":"s","agent":"a","parent":"c","event":"Checkpoint"} | tree_size,tree_root | |
      {"unrecorded_events":1,"since":"T","reason":"x","agent":"a","parent":"c","event":"RecordingGap"} | unrecorded_events | |
      {"segment":2,"lines_before":1,"bytes_before":1,"hash_before":"H","agent":"a","parent":"c","event":"LogSegment"} | segment,lines_before,bytes_before,hash_before | |
      """;

  static List<PresenceCase> all() {
    List<PresenceCase> cases = new ArrayList<>();
    addCases(cases, Dialect.EVENT, EVENT_TABLE);
    addCases(cases, Dialect.TYPE, TYPE_TABLE);
    addCases(cases, Dialect.DRAFT, DRAFT_TABLE);
    addCases(
        cases, Dialect.EVENT, ADDITIONAL_TABLE.replace(",\"event\":", ",\"t\":\"T\",\"event\":"));
    for (Dialect dialect : List.of(Dialect.TYPE, Dialect.DRAFT)) {
      addCases(cases, dialect, ADDITIONAL_TABLE.replace(",\"event\":", ",\"ts\":\"T\",\"type\":"));
    }
    return cases;
  }

  private static void addCases(List<PresenceCase> cases, Dialect dialect, String table) {
    for (String row : table.lines().toList()) {
      String[] columns = row.split(" \\|", -1);
      JsonObject line = Lines.object(columns[0]
          .replace("\"T\"", "\"2026-01-13T10:00:00Z\"")
          .replace("\"H\"", "\"" + Lines.OTHER_HASH + "\"")
          .replace("\"P\"", "\"" + Lines.PARAMS_HASH + "\"")
          .replace("\"O\"", "\"" + Lines.OUTPUT_HASH + "\""));
      for (String member : line.names()) {
        if (!member.equals(Lines.tagName(dialect))) {
          cases.add(new PresenceCase(dialect, line, member, presence(columns, member)));
        }
      }
    }
  }

  private static String presence(String[] columns, String member) {
    String[] presences = {"identity", "required", "nullable"};
    for (int i = 0; i < presences.length; i++) {
      if (Arrays.asList(columns[i + 1].strip().split(",")).contains(member)) {
        return presences[i];
      }
    }
    return "optional";
  }

  @Override
  public String toString() {
    return dialect.id() + " " + line.at("/" + Lines.tagName(dialect)) + " " + member + " "
        + presence;
  }
}

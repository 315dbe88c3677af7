package dev.agentreplay.verify.proof;

import java.nio.charset.StandardCharsets;

/** Lines of small logs. */
final class TestLogs {

  static final String HEADER =
      "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"p@1\","
          + "\"replay_version\":1}";

  static final String STEP =
      "{\"event\":\"StepComplete\",\"iterations\":1,\"status\":\"Success\",\"step_id\":\"s\","
          + "\"t\":\"2026-01-13T10:00:01Z\"}";

  private TestLogs() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

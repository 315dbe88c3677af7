package dev.agentreplay.testkit;

import java.nio.charset.StandardCharsets;

/** Lines of small logs. */
public final class LogLines {

  /** A header, without its line feed. */
  public static final String HEADER =
      "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"p@1\","
          + "\"replay_version\":1}";

  /** A step that succeeded, without its line feed. */
  public static final String STEP =
      "{\"event\":\"StepComplete\",\"iterations\":1,\"status\":\"Success\",\"step_id\":\"s\","
          + "\"t\":\"2026-01-13T10:00:01Z\"}";

  private LogLines() {}

  /** Returns the UTF-8 bytes of a text. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

package dev.agentreplay.convert.trace;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.json.JsonArray;
import java.util.List;
import java.util.regex.Matcher;

/** Lines of a transcript of Claude Code, session {@code s1}, in the directory {@code /w}. */
final class ClaudeLines {

  static final String ASK =
      """
      {"type":"user","sessionId":"s1","uuid":"u1","parentUuid":null,"cwd":"/w","version":"2.1.0",\
      "timestamp":"2026-01-01T10:00:00Z","message":{"role":"user","content":"Fix it"}}""";

  private ClaudeLines() {}

  static String user(String uuid, String text) {
    return """
        {"type":"user","sessionId":"s1","uuid":"%s","cwd":"/w","timestamp":"2026-01-01T10:00:03.5Z",\
        "message":{"role":"user","content":"%s"}}"""
        .formatted(uuid, text);
  }

  static String answer(String uuid, String id, String blocks) {
    return """
        {"type":"assistant","sessionId":"s1","uuid":"%s","requestId":"req_%s",\
        "timestamp":"2026-01-01T10:00:01Z","message":{"id":"%s","model":"m","role":"assistant",\
        "content":%s,"stop_reason":"tool_use","usage":{"input_tokens":1,\
        "cache_read_input_tokens":10,"cache_creation_input_tokens":100,"output_tokens":5}}}"""
        .formatted(uuid, id, id, blocks);
  }

  static String text(String text) {
    return "[{\"type\":\"text\",\"text\":\"" + text + "\"}]";
  }

  static String call(String id) {
    return "[{\"type\":\"tool_use\",\"id\":\"" + id + "\",\"name\":\"Bash\",\"input\":{\"n\":1}}]";
  }

  static String result(String uuid, String call, String more) {
    return """
        {"type":"user","sessionId":"s1","uuid":"%s","cwd":"/w","timestamp":"2026-01-01T10:00:03.5Z",\
        "message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s",\
        "content":"done"}]}%s}"""
        .formatted(uuid, call, more);
  }

  /** A line with a member before the others. */
  static String with(String line, String member) {
    return line.replaceFirst("\\{", Matcher.quoteReplacement("{" + member + ","));
  }

  /** A line that names the one before it. */
  static String after(String parent, String line) {
    return with(line, "\"parentUuid\":\"" + parent + "\"");
  }

  /** A line of a sub-agent. */
  static String side(String line, String agent) {
    return with(line, "\"isSidechain\":true,\"agentId\":\"" + agent + "\"");
  }

  static String progress(String call, String agent, String message) {
    return """
        {"type":"progress","sessionId":"s1","parentToolUseID":"%s",\
        "data":{"type":"agent_progress","agentId":"%s","message":%s}}"""
        .formatted(call, agent, message);
  }

  static JsonArray prompt(ModelCall call) {
    return call.prompt().value().asObject().get("messages").asArray();
  }

  /** The texts of the messages of a prompt; the type of the first block if it is not a text. */
  static List<String> texts(ModelCall call) {
    return prompt(call).stream()
        .map(message -> message.asObject().get("content"))
        .map(content -> content instanceof JsonArray blocks
            ? (blocks.get(0).asObject().has("text")
                ? blocks.get(0).asObject().get("text").asString()
                : blocks.get(0).asObject().get("type").asString())
            : content.asString())
        .toList();
  }
}

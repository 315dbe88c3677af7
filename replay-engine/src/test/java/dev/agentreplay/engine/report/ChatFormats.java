package dev.agentreplay.engine.report;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * One conversation in the formats of different providers: a user asks, a model thinks and reads a
 * file, and asks then for a change of it.
 */
enum ChatFormats {
  OWN(
      "{\"system\": \"Be brief.\", \"messages\": [{\"role\": \"user\", \"content\": \"Fix a.txt\"}]}",
      "{\"role\": \"assistant\", \"thinking\": \"Read first.\", \"content\": \"Reading.\", "
          + "\"tool_calls\": [{\"id\": \"c1\", \"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}]}",
      "{\"role\": \"tool\", \"tool_call_id\": \"c1\", \"content\": \"content of a\"}"),
  LANGCHAIN4J(
      "{\"messages\": [{\"type\": \"SYSTEM\", \"text\": \"Be brief.\"}, {\"type\": \"USER\", "
          + "\"contents\": [{\"type\": \"TEXT\", \"text\": \"Fix a.txt\"}]}]}",
      "{\"type\": \"AI\", \"thinking\": \"Read first.\", \"text\": \"Reading.\", \"toolExecutionRequests\": "
          + "[{\"id\": \"c1\", \"name\": \"read_file\", \"arguments\": \"{\\\"path\\\": \\\"a.txt\\\"}\"}]}",
      "{\"type\": \"TOOL_EXECUTION_RESULT\", \"id\": \"c1\", \"toolName\": \"read_file\", \"isError\": false, "
          + "\"contents\": [{\"type\": \"TEXT\", \"text\": \"content of a\"}]}"),
  OPENAI_CHAT(
      "{\"messages\": [{\"role\": \"developer\", \"content\": \"Be brief.\"}, {\"role\": \"user\", "
          + "\"content\": [{\"type\": \"text\", \"text\": \"Fix a.txt\"}]}]}",
      "{\"role\": \"assistant\", \"reasoning_content\": \"Read first.\", \"content\": \"Reading.\", "
          + "\"tool_calls\": [{\"id\": \"c1\", \"type\": \"function\", \"function\": "
          + "{\"name\": \"read_file\", \"arguments\": \"{\\\"path\\\":\\\"a.txt\\\"}\"}}]}",
      "{\"role\": \"tool\", \"tool_call_id\": \"c1\", \"content\": \"content of a\"}"),
  OPENAI_RESPONSES(
      "{\"instructions\": \"Be brief.\", \"input\": [{\"role\": \"user\", "
          + "\"content\": [{\"type\": \"input_text\", \"text\": \"Fix a.txt\"}]}]}",
      "[{\"type\": \"reasoning\", \"id\": \"r\", \"summary\": [{\"type\": \"summary_text\", \"text\": \"Read first.\"}]}, "
          + "{\"type\": \"message\", \"role\": \"assistant\", \"content\": [{\"type\": \"output_text\", \"text\": \"Reading.\"}]}, "
          + "{\"type\": \"function_call\", \"call_id\": \"c1\", \"name\": \"read_file\", \"arguments\": \"{\\\"path\\\":\\\"a.txt\\\"}\"}]",
      "{\"type\": \"function_call_output\", \"call_id\": \"c1\", \"output\": \"content of a\"}"),
  ANTHROPIC(
      "{\"system\": [{\"type\": \"text\", \"text\": \"Be brief.\"}], "
          + "\"messages\": [{\"role\": \"user\", \"content\": \"Fix a.txt\"}]}",
      "{\"role\": \"assistant\", \"content\": [{\"type\": \"thinking\", \"thinking\": \"Read first.\", \"signature\": \"s\"}, "
          + "{\"type\": \"text\", \"text\": \"Reading.\"}, "
          + "{\"type\": \"tool_use\", \"id\": \"c1\", \"name\": \"read_file\", \"input\": {\"path\": \"a.txt\"}}]}",
      "{\"role\": \"user\", \"content\": [{\"type\": \"tool_result\", \"tool_use_id\": \"c1\", "
          + "\"content\": [{\"type\": \"text\", \"text\": \"content of a\"}]}]}"),
  GEMINI(
      "{\"systemInstruction\": {\"parts\": [{\"text\": \"Be brief.\"}]}, "
          + "\"contents\": [{\"role\": \"user\", \"parts\": [{\"text\": \"Fix a.txt\"}]}]}",
      "{\"role\": \"model\", \"parts\": [{\"text\": \"Read first.\", \"thought\": true}, {\"text\": \"Reading.\"}, "
          + "{\"functionCall\": {\"name\": \"read_file\", \"args\": {\"path\": \"a.txt\"}}}]}",
      "{\"role\": \"user\", \"parts\": [{\"functionResponse\": {\"name\": \"read_file\", "
          + "\"response\": {\"result\": \"content of a\"}}}]}"),
  OPENTELEMETRY(
      "{\"system\": [{\"type\": \"text\", \"content\": \"Be brief.\"}], "
          + "\"messages\": [{\"role\": \"user\", \"parts\": [{\"type\": \"text\", \"content\": \"Fix a.txt\"}]}]}",
      "{\"role\": \"assistant\", \"finish_reason\": \"tool_call\", \"parts\": [{\"type\": \"reasoning\", \"content\": \"Read first.\"}, "
          + "{\"type\": \"text\", \"content\": \"Reading.\"}, "
          + "{\"type\": \"tool_call\", \"id\": \"c1\", \"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}]}",
      "{\"role\": \"tool\", \"parts\": [{\"type\": \"tool_call_response\", \"id\": \"c1\", "
          + "\"response\": \"content of a\"}]}");

  private final JsonObject prompt;
  private final JsonValue answer;
  private final JsonValue result;

  ChatFormats(String prompt, String answer, String result) {
    this.prompt = JsonText.parse(prompt).asObject();
    this.answer = JsonText.parse(answer);
    this.result = JsonText.parse(result);
  }

  /** The prompt of the first call. */
  JsonObject first() {
    return prompt;
  }

  /** The answer to the first call, which asks for a tool. */
  JsonValue answer() {
    return answer;
  }

  /** The prompt of the second call: the first one, the answer, and the result of the tool. */
  JsonObject second() {
    String place = prompt.has("input") ? "input" : prompt.has("contents") ? "contents" : "messages";
    List<JsonValue> messages = new ArrayList<>(prompt.at("/" + place).asArray().values());
    if (answer instanceof JsonArray items) {
      messages.addAll(items.values());
    } else {
      messages.add(answer);
    }
    messages.add(result);
    return prompt.with(place, JsonArray.copyOf(messages));
  }
}

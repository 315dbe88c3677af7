package dev.agentreplay.engine.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelMessageTest {

  private static ModelMessage read(String json) {
    return ModelMessage.of(JsonText.parse(json.replace('\'', '"')));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // OpenAI, Chat Completions
        "{'choices': [{'index': 0, 'finish_reason': 'tool_calls', 'message': {'role': 'assistant',"
            + " 'content': 'Reading.', 'tool_calls': [{'id': 'c', 'type': 'function', 'function':"
            + " {'name': 'read_file', 'arguments': {'path': 'a'}}}]}}], 'usage': {}}",
        // OpenAI, Responses
        "{'output': [{'type': 'reasoning', 'summary': []}, {'type': 'message', 'role': 'assistant',"
            + " 'content': [{'type': 'output_text', 'text': 'Reading.'}]}, {'type':"
            + " 'function_call', 'call_id': 'c', 'name': 'read_file', 'arguments': {'path': 'a'}}]}",
        // Anthropic
        "{'type': 'message', 'role': 'assistant', 'content': [{'type': 'text', 'text': 'Reading.'},"
            + " {'type': 'tool_use', 'id': 'c', 'name': 'read_file', 'input': {'path': 'a'}}]}",
        // Gemini
        "{'candidates': [{'content': {'role': 'model', 'parts': [{'text': 'Reading.'},"
            + " {'functionCall': {'name': 'read_file', 'args': {'path': 'a'}}}]}}]}",
        // Amazon Bedrock, Converse
        "{'output': {'message': {'role': 'assistant', 'content': [{'text': 'Reading.'}, {'toolUse':"
            + " {'toolUseId': 'c', 'name': 'read_file', 'input': {'path': 'a'}}}]}}}",
        // Ollama
        "{'model': 'm', 'message': {'role': 'assistant', 'content': 'Reading.', 'tool_calls':"
            + " [{'function': {'name': 'read_file', 'arguments': {'path': 'a'}}}]}, 'done': true}",
        // the AI SDK
        "{'role': 'assistant', 'content': [{'type': 'text', 'text': 'Reading.'}, {'type':"
            + " 'tool-call', 'toolCallId': 'c', 'toolName': 'read_file', 'args': {'path': 'a'}}]}",
      })
  void answer_of_each_provider_has_its_text_and_its_tool_call(String json) {
    ModelMessage message = read(json);

    assertThat(message.texts()).containsExactly("Reading.");
    assertThat(message.toolCalls())
        .extracting(ToolRequest::name, ToolRequest::arguments)
        .containsExactly(tuple("read_file", JsonObject.of("path", "a")));
    assertThat(message.toolResults()).isEmpty();
    assertThat(message.thoughts()).isEmpty();
    assertThat(message.summary()).isEqualTo("Reading.  → read_file(path: \"a\")");
  }

  @Test
  void reasoning_is_not_said() {
    ModelMessage message = read("{'role': 'assistant', 'content': [{'type': 'thinking', 'thinking':"
        + " 'First.'}, {'type': 'text', 'text': 'Done.'}]}");
    assertThat(message.text()).isEqualTo("Done.");
    assertThat(message.thoughts()).containsExactly("First.");
    assertThat(message.summary()).isEqualTo("Done.");
    assertThat(read("{'role': 'assistant', 'thinking': 'Only this.', 'content': ''}")
            .summary())
        .isEqualTo("Only this.");
  }

  @Test
  void results_are_not_said_and_are_the_summary_if_nothing_is() {
    ModelMessage message = read("{'role': 'user', 'content': [{'type': 'tool_result',"
        + " 'tool_use_id': 'c', 'content': [{'type': 'text', 'text': 'content of a'}]}]}");
    assertThat(message.texts()).isEmpty();
    assertThat(message.toolResults()).hasSize(1);
    assertThat(message.summary()).isEqualTo("content of a");
    assertThat(read("{'role': 'tool', 'tool_call_id': 'c', 'content': '{}'}").summary())
        .isEqualTo("{}");
  }

  @Test
  void arguments_that_are_json_in_a_text_are_parsed() {
    ModelMessage message = read("{'tool_calls': [{'function': {'name': 'a', 'arguments': '{}'}},"
        + " {'function': {'name': 'b', 'arguments': 'no json'}}, {'name': 'c'}]}");
    assertThat(message.toolCalls())
        .extracting(ToolRequest::arguments)
        .containsExactly(JsonObject.EMPTY, JsonString.of("no json"), JsonObject.EMPTY);
    assertThat(message.summary()).isEqualTo("→ a(), b(no json), c()");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'role': 'assistant', 'content': 'Fixed.', 'output': {'x': 1}}",
        "{'content': 'Fixed.', 'choices': []}",
        "{'text': 'Fixed.', 'message': {'id': 'm'}, 'candidates': [{'content': 'other'}]}",
        "{'role': 'assistant', 'content': null, 'audio': {'id': 'a', 'transcript': 'Fixed.'}}",
        "{'model': 'm', 'response': 'Fixed.', 'done': true}",
        "{'content': [{'citationsContent': {'content': [{'text': 'Fixed.'}], 'citations': []}}]}",
        "{'output': [{'type': 'web_search_call', 'action': {'query': 'q'}}, {'type': 'message',"
            + " 'content': [{'type': 'output_text', 'text': 'Fixed.'}]}]}"
      })
  void texts_are_found_in_each_place(String json) {
    assertThat(read(json).texts()).containsExactly("Fixed.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'role': 'tool', 'content': [{'type': 'tool-result', 'toolCallId': '1', 'output': 'a'},"
            + " {'type': 'tool-result', 'toolCallId': '2', 'output': 'b'}]}",
        "{'role': 'function', 'parts': [{'functionResponse': {'name': 'x', 'response': 'a'}},"
            + " {'functionResponse': {'name': 'y', 'response': 'b'}}]}",
        "{'role': 'user', 'parts': [{'function_response': {'name': 'x', 'response': 'a'}},"
            + " {'codeExecutionResult': {'outcome': 'OK', 'output': 'b'}}]}",
        "{'role': 'function', 'parts': [{'function_response': {'name': 'x', 'response': 'a'}},"
            + " {'function_response': {'name': 'y', 'response': 'b'}}]}",
        "[{'type': 'local_shell_call_output', 'output': 'a'},"
            + " {'type': 'code_execution_tool_result', 'content': 'b'}]",
        "{'role': 'user', 'content': [{'toolResult': {'toolUseId': '1', 'content': 'a'}},"
            + " {'toolResult': {'toolUseId': '2', 'content': 'b'}}]}"
      })
  void results_of_several_tools_are_one_each(String json) {
    assertThat(read(json).toolResults()).containsExactly(JsonString.of("a"), JsonString.of("b"));
    assertThat(read(json).texts()).isEmpty();
  }

  @Test
  void calls_of_tools_of_the_provider_have_the_name_of_their_kind() {
    assertThat(read("[{'type': 'local_shell_call', 'action': {'command': ['ls']}},"
                + " {'executableCode': {'language': 'PYTHON', 'code': 'print(1)'}}]")
            .summary())
        .isEqualTo("→ local_shell(command: [\"ls\"]), executableCode(print(1))");
  }

  @Test
  void reasoning_of_bedrock_is_not_a_text() {
    ModelMessage message = read("{'content': [{'reasoningContent': {'reasoningText': {'text':"
        + " 'First.', 'signature': 's'}}}, {'text': 'Done.'}]}");
    assertThat(message.thoughts()).containsExactly("First.");
    assertThat(message.texts()).containsExactly("Done.");
  }

  @Test
  void texts_are_those_of_all_parts() {
    assertThat(read("['one', {'type': 'text', 'text': 'two'}, {'text': ' '}]").text())
        .isEqualTo("one\ntwo");
  }

  @Test
  void value_without_the_form_of_a_message_is_empty() {
    for (String json : new String[] {"{'temperature': 20}", "[]", "1", "null", "''", "{}"}) {
      assertThat(read(json).isEmpty()).as(json).isTrue();
    }
    assertThat(ModelMessage.of(JsonNumber.of(1)).summary()).isEmpty();
  }

  @Test
  void deeply_nested_values_are_read_to_the_depth_of_messages_only() {
    JsonValue value = JsonString.of("deep");
    for (int i = 0; i < 900; i++) {
      value = i % 2 == 0 ? JsonArray.of(value) : JsonObject.of("content", value);
    }
    assertThat(ModelMessage.of(value).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'role': 'user', 'content': 'Fix it.'}",
        "{'type': 'user', 'message': {'role': 'user', 'content': 'Fix it.'}, 'cwd': '/a'}",
        "{'payload': {'type': 'message', 'role': 'user', 'content': [{'type': 'input_text', 'text':"
            + " 'Fix it.'}]}}",
        "{'kind': 'MessageEvent', 'llm_message': {'role': 'user', 'content': [{'type': 'text',"
            + " 'text': 'Fix it.'}]}}",
        "{'content': {'role': 'user', 'parts': [{'text': 'Fix it.'}]}, 'author': 'user'}"
      })
  void message_in_a_record_of_a_different_tool_is_found(String json) {
    assertThat(ModelMessage.inRecord(JsonText.parse(json.replace('\'', '"'))).text())
        .isEqualTo("Fix it.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'x'", "{}", "{'content': 'x'}", "{'message': 'x'}", "[]", "{'role': 1}"})
  void record_without_a_message_has_none(String json) {
    assertThat(ModelMessage.inRecord(JsonText.parse(json.replace('\'', '"'))).isEmpty())
        .isTrue();
  }
}

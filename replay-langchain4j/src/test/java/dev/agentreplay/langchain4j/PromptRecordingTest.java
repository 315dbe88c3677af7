package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.service.tool.ToolExecutor;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The prompts of model calls. */
class PromptRecordingTest {

  private static final AiMessage DONE = AiMessage.from("done");

  @TempDir
  Path sessions;

  @Test
  void prompt_is_what_langchain4j_reads_back() {
    ToolSpecification tool =
        ToolSpecification.builder().name("tool").description("does").build();
    Recorded recorded = Recorded.chat(
        sessions, ScriptedModel.of(ScriptedModel.call("a1", "tool", "{}"), DONE), builder -> builder
            .systemMessage("Be brief.")
            .tools(Map.of(tool, (request, memoryId) -> "ok")));

    List<ModelCall> calls = recorded.modelCalls();
    List<ChatMessage> first = List.of(SystemMessage.from("Be brief."), UserMessage.from("go"));
    assertThat(Recorded.messages(calls.get(0))).isEqualTo(first);
    assertThat(Recorded.messages(calls.get(1)))
        .startsWith(first.toArray(new ChatMessage[0]))
        .hasSize(4);
    assertThat(Recorded.messages(calls.get(1)).get(3))
        .isInstanceOf(ToolExecutionResultMessage.class);
    JsonValue described =
        new Prompt(calls.get(0).prompt().value().asObject()).context().at("/tools/0");
    assertThat(ToolSpecification.fromJson(described.toString())).isEqualTo(tool);
    assertThat(calls.get(0).meta().extra()).isEqualTo(JsonObject.EMPTY);
    assertThat(calls).extracting(ModelCall::id).containsExactly("model-1", "model-2");
    assertThat(recorded.modelResults())
        .extracting(ModelResult::id)
        .containsExactly("model-1", "model-2");
  }

  @Test
  void tools_are_sorted_by_name_each_with_its_own_exact_text() {
    Map<ToolSpecification, ToolExecutor> tools = new LinkedHashMap<>();
    for (String name : List.of("write", "list", "read")) {
      tools.put(
          ToolSpecification.builder()
              .name(name)
              .description(name.equals("write") ? "writes\ud800" : "does")
              .build(),
          (request, memoryId) -> "ok");
    }
    ModelCall call = Recorded.chat(
            sessions, ScriptedModel.of(DONE), builder -> builder.tools(tools))
        .modelCalls()
        .get(0);

    JsonArray recorded =
        (JsonArray) new Prompt(call.prompt().value().asObject()).context().at("/tools");
    assertThat(recorded.values())
        .extracting(tool -> tool.at("/name").asString())
        .containsExactly("list", "read", "write");
    assertThat(ExactText.of(call, "/prompt/context/tools/2")).contains("writes\ud800");
  }

  @Test
  void message_without_a_json_form_is_its_text_and_the_others_are_as_ever() {
    UserMessage dated = UserMessage.builder()
        .contents(List.of(TextContent.from("now\ud800")))
        .attributes(Map.of("at", Instant.EPOCH))
        .build();
    AiMessage answer =
        AiMessage.builder().text("done").attributes(Map.of("at", Instant.EPOCH)).build();
    Recorded recorded = Recorded.chat(
        sessions,
        ScriptedModel.of(answer),
        builder -> builder.chatRequestTransformer(request ->
            request.toBuilder().messages(SystemMessage.from("Be brief."), dated).build()));

    ModelCall call = recorded.modelCalls().get(0);
    JsonArray messages = new Prompt(call.prompt().value().asObject()).messages();
    assertThat(ChatMessageDeserializer.messageFromJson(messages.at("/0").toString()))
        .isEqualTo(SystemMessage.from("Be brief."));
    assertThat(messages.at("/1/to_string").asString()).contains("now\ufffd", "1970-01-01");
    assertThat(messages.at("/1/error").asString()).contains("Instant");
    assertThat(ExactText.of(call, "/prompt/messages/1")).isEqualTo(dated.toString());
    assertThat(recorded.modelResults().get(0).answer().value().at("/to_string").asString())
        .contains("done", "1970-01-01");
  }

  @Test
  void members_of_messages_that_are_empty_are_left_out_and_read_back() {
    List<ChatMessage> messages = List.of(
        UserMessage.from("go"),
        AiMessage.builder().build(),
        AiMessage.builder().text("").attributes(Map.of("k", Map.of())).build(),
        ScriptedModel.call("a1", "tool", ""),
        ToolExecutionResultMessage.from("a1", "tool", "ok"),
        CustomMessage.from(Map.of("k", "v")));
    ChatRequest request = ChatRequest.builder().messages(messages).build();

    JsonArray recorded = new Prompt(
            ModelEvents.call("1", request, ModelDefaults.UNKNOWN, new MessageJson())
                .prompt()
                .value()
                .asObject())
        .messages();

    assertThat(recorded.toString()).doesNotContain("\"attributes\":{}", "[]");
    assertThat(recorded.at("/2/attributes")).isEqualTo(JsonObject.of("k", JsonObject.EMPTY));
    assertThat(recorded.at("/3/toolExecutionRequests/0/arguments")).isEqualTo(JsonString.of(""));
    assertThat(ChatMessageDeserializer.messagesFromJson(recorded.toString())).isEqualTo(messages);
  }

  /** A message of the caller's own class, which counts how often it is converted. */
  private static final class Counted implements ChatMessage {
    private int conversions;

    @Override
    public ChatMessageType type() {
      conversions++;
      return ChatMessageType.USER;
    }
  }

  @Test
  void message_is_converted_once_and_kept_until_a_request_is_without_it() {
    MessageJson json = new MessageJson();
    Counted message = new Counted();
    prompt(json, message);
    int once = message.conversions;
    assertThat(once).isPositive();

    prompt(json, UserMessage.from("more"), message);
    assertThat(message.conversions).isEqualTo(once);

    prompt(json, UserMessage.from("else"));
    prompt(json, message);
    assertThat(message.conversions).isEqualTo(2 * once);
  }

  private static void prompt(MessageJson json, ChatMessage... messages) {
    json.prompt(new EventTexts(), List.of(messages), null);
  }

  @Test
  void unpaired_surrogate_is_kept_next_to_every_prompt_that_has_it() {
    MessageJson json = new MessageJson();
    ChatRequest request =
        ChatRequest.builder().messages(UserMessage.from("x\ud800")).build();

    ModelCall first = ModelEvents.call("1", request, ModelDefaults.UNKNOWN, json);
    ModelCall again = ModelEvents.call("2", request, ModelDefaults.UNKNOWN, json);

    assertThat(ExactText.of(first, "/prompt/messages/0")).contains("x\ud800");
    assertThat(again.prompt()).isEqualTo(first.prompt());
    assertThat(again.meta()).isEqualTo(first.meta());
  }
}

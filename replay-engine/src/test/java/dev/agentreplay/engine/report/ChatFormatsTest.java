package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.engine.message.ModelMessage;
import dev.agentreplay.engine.message.ToolRequest;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages in Java have the parts that the page shows; see {@link ChatBrowserTest}. */
class ChatFormatsTest {

  @ParameterizedTest
  @EnumSource
  void messages_have_the_parts_that_the_page_shows(ChatFormats format) {
    ModelMessage answer = ModelMessage.of(format.answer());
    assertThat(answer.texts()).containsExactly("Reading.");
    assertThat(answer.thoughts()).containsExactly("Read first.");
    assertThat(answer.toolCalls())
        .extracting(ToolRequest::name, ToolRequest::arguments)
        .containsExactly(tuple("read_file", JsonObject.of("path", "a.txt")));

    JsonObject prompt = format.second();
    String place = prompt.has("input") ? "input" : prompt.has("contents") ? "contents" : "messages";
    List<JsonValue> messages = prompt.at("/" + place).asArray().values();
    ModelMessage result = ModelMessage.of(messages.get(messages.size() - 1));
    assertThat(result.texts()).isEmpty();
    assertThat(result.toolResults()).hasSize(1);
    assertThat(result.summary()).contains("content of a");
  }
}

package dev.agentreplay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.LogPart;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Prompt;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonValue;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventTextTest {

  static Stream<Arguments> event_is_said_in_one_line() {
    Timestamp time = Timestamp.parse("2026-01-13T10:00:00Z");
    return Stream.of(
        Arguments.of(RecordingGap.of(3), "gap, events not recorded: 3"),
        Arguments.of(
            RecordingGap.of(1).withSince(time).withReason("no space"),
            "gap, events not recorded: 1, since 2026-01-13T10:00:00Z: no space"),
        Arguments.of(
            LogPart.of(2, 7, 512, ContentHash.sha256(new byte[0])),
            "part 2, lines before: 7, bytes before: 512"),
        prompt(
            "{'messages':[{'content':'Hi','role':'system'},{'content':' Mend it. ','role':'user'}]}",
            "message 2, Mend it."),
        prompt(
            "{'messages':[{'content':[{'text':'Look','type':'text'}],'role':'user'}]}",
            "message 1, Look"),
        prompt(
            "{'messages':[{'contents':[{'text':'Look','type':'TEXT'}],'type':'USER'}]}",
            "message 1, Look"),
        prompt("{'messages':[{'content':null,'text':'Be brief.'}]}", "message 1, Be brief."),
        prompt("{'messages':[{'content':[],'x':1}]}", "message 1, {\"content\":[],\"x\":1}"),
        prompt("{'messages':[]}", "{\"messages\":[]}"),
        prompt("'Mend it.'", "Mend it."));
  }

  private static Arguments prompt(String json, String text) {
    JsonValue prompt;
    try {
      prompt = JsonText.parse(json.replace('\'', '"'));
    } catch (JsonSyntaxException e) {
      throw new IllegalArgumentException(json, e);
    }
    ModelCall call = ModelCall.of("m1", "gpt", Prompt.of("")).withPrompt(Content.of(prompt));
    return Arguments.of(call, "model m1 gpt: " + text);
  }

  @ParameterizedTest
  @MethodSource
  void event_is_said_in_one_line(ReplayEvent event, String text) {
    assertThat(new EventText(new Style(false), 100).render(event)).isEqualTo(text);
  }
}

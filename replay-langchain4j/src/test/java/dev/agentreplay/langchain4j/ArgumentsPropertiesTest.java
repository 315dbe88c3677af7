package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.langchain4j.data.message.AiMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class ArgumentsPropertiesTest {

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> units = Arbitraries.chars().all().array(char[].class).map(String::new);
    Arbitrary<String> json = Arbitraries.of(
            "{", "}", "[", "]", "\"a\"", "\"", ":", ",", "null", "1.0", "1e400", "\\ud800",
            "\ud800", "\udc00", " ", "true", "\u0000", "\ufeff")
        .list()
        .ofMaxSize(6)
        .map(parts -> String.join("", parts));
    Arbitrary<String> ambiguous = Arbitraries.of("null", "\"a\"", "a", " null");
    return Arbitraries.oneOf(units, json, ambiguous);
  }

  @Property(tries = 30)
  void any_text_is_recorded_as_arguments_and_as_result_without_loss(
      @ForAll @Size(min = 1, max = 20) List<@From("texts") String> arguments,
      @ForAll @Size(20) List<@From("texts") String> outputs)
      throws IOException {
    Path sessions = Files.createTempDirectory("replay-arguments");
    AiMessage calls = AiMessage.from(IntStream.range(0, arguments.size())
        .mapToObj(i -> ScriptedModel.request(Integer.toString(i), "tool", arguments.get(i)))
        .toList());
    try {
      Recorded recorded = Recorded.chat(
          sessions,
          ScriptedModel.of(calls, AiMessage.from("done")),
          builder -> builder.tools(
              Tools.tool(request -> Tools.text(outputs.get(Integer.parseInt(request.id()))))));
      assertThat(recorded.toolCalls()).hasSameSizeAs(arguments);
      for (int i = 0; i < arguments.size(); i++) {
        assertIsRecorded(arguments.get(i), recorded.toolCalls().get(i));
        ToolResult result = recorded.toolResults().get(i);
        assertThat(
                hasExact(result)
                    ? ExactText.of(result, "/output")
                    : result.output().value().asString())
            .isEqualTo(outputs.get(i));
      }
    } finally {
      delete(sessions);
    }
  }

  private static void assertIsRecorded(String arguments, ToolCall call) {
    assertThat(recordedArguments(call))
        .satisfiesAnyOf(
            exact -> assertThat(exact).isEqualTo(arguments),
            value -> assertThat(JsonText.parse(value)).isEqualTo(JsonText.parse(arguments)));
  }

  /** The text of the arguments, or one of the same value. */
  private static String recordedArguments(ToolCall call) {
    JsonObject extra = call.meta().extra();
    if (hasExact(call)) {
      return ExactText.of(call, "/params");
    } else if (extra.has("params_text")) {
      return extra.get("params_text").asString();
    }
    return call.params().value() instanceof JsonString text
        ? text.value()
        : call.params().value().toString();
  }

  private static boolean hasExact(ReplayEvent event) {
    return event.meta().extra().has("utf16");
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

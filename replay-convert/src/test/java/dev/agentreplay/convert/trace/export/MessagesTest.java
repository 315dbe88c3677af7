package dev.agentreplay.convert.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.JsonArbitraries;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages in the forms of providers, and in those of the formats. */
class MessagesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // OpenAI, Chat Completions
        "{'role':'user','content':'hi'} | {'role':'user','parts':[{'type':'text','content':'hi'}]}",
        "{'role':'assistant','content':null,'tool_calls':[{'id':'c','type':'function','function':{'name':'f','arguments':'{`a`:1}'}}]}"
            + " | {'role':'assistant','parts':[{'type':'tool_call','id':'c','name':'f','arguments':{'a':1}}]}",
        "{'role':'tool','tool_call_id':'c','content':'ok'}"
            + " | {'role':'tool','parts':[{'type':'tool_call_response','id':'c','response':'ok'}]}",
        // OpenAI, Responses
        "{'type':'function_call','id':'i','call_id':'c','name':'f','arguments':'{}'}"
            + " | {'role':'assistant','parts':[{'type':'tool_call','id':'c','name':'f','arguments':{},'agentreplay':{'id':'i'}}]}",
        "{'type':'function_call_output','call_id':'c','output':'ok'}"
            + " | {'role':'tool','parts':[{'type':'tool_call_response','id':'c','response':'ok'}]}",
        "{'type':'message','role':'assistant','content':[{'type':'output_text','text':'hi','annotations':[]}]}"
            + " | {'role':'assistant','parts':[{'type':'text','content':'hi','annotations':[]}],'type':'message'}",
        "{'type':'reasoning','summary':[{'text':'s'}]}"
            + " | {'role':'assistant','parts':[{'type':'reasoning','summary':[{'text':'s'}]}]}",
        // Anthropic
        "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c','content':[{'type':'text','text':'x'}]}]}"
            + " | {'role':'user','parts':[{'type':'tool_call_response','id':'c','response':[{'type':'text','text':'x'}]}]}",
        "{'role':'assistant','content':[{'type':'thinking','thinking':'t','signature':'s'}]}"
            + " | {'role':'assistant','parts':[{'type':'reasoning','content':'t','signature':'s'}]}",
        // Gemini
        "{'role':'model','parts':[{'text':'t','thought':true},{'functionCall':{'name':'f','args':{'a':1}}}]}"
            + " | {'role':'model','parts':[{'type':'reasoning','content':'t'},{'type':'tool_call','name':'f','arguments':{'a':1}}]}",
        "{'role':'user','parts':[{'functionResponse':{'name':'f','response':{'r':1}}}]}"
            + " | {'role':'user','parts':[{'type':'tool_call_response','name':'f','response':{'r':1}}]}",
        // LangChain4j
        "{'text':'hi','toolExecutionRequests':[{'id':'c','name':'f','arguments':'{}'}]}"
            + " | {'role':'assistant','parts':[{'type':'text','content':'hi'},{'type':'tool_call','id':'c','name':'f','arguments':{}}]}",
        // images of OpenAI and Anthropic; one with other members stays as it is
        "{'role':'user','content':[{'type':'image_url','image_url':{'url':'https://a/b.png'}}]}"
            + " | {'role':'user','parts':[{'type':'uri','modality':'image','uri':'https://a/b.png'}]}",
        "{'role':'user','content':[{'type':'input_image','image_url':'data:image/png;base64,iVBO'}]}"
            + " | {'role':'user','parts':[{'type':'blob','modality':'image','mime_type':'image/png','content':'iVBO'}]}",
        "{'role':'user','content':[{'type':'image','source':{'type':'base64','media_type':'image/png','data':'iVBO'}}]}"
            + " | {'role':'user','parts':[{'type':'blob','modality':'image','mime_type':'image/png','content':'iVBO'}]}",
        "{'role':'user','content':[{'type':'image','source':{'type':'url','url':'https://a/b.png'}}]}"
            + " | {'role':'user','parts':[{'type':'uri','modality':'image','uri':'https://a/b.png'}]}",
        "{'role':'user','content':[{'type':'image_url','image_url':{'url':'u','detail':'low'}}]}"
            + " | {'role':'user','parts':[{'type':'image_url','image_url':{'url':'u','detail':'low'}}]}",
        // OpenTelemetry itself, a text, and a value of no known form
        "{'role':'user','parts':[{'type':'text','content':'hi'}]} | {'role':'user','parts':[{'type':'text','content':'hi'}]}",
        "'hi' | {'role':'assistant','parts':[{'type':'text','content':'hi'}]}",
        "{'score':1} | {'role':'assistant','parts':[{'type':'agentreplay','value':{'score':1}}]}",
        "7 | {'role':'assistant','parts':[{'type':'agentreplay','value':7}]}",
      })
  void message_of_a_provider_has_the_parts_of_the_conventions(String message, String expected)
      throws IOException {
    JsonObject found =
        MessageJson.message(ChatMessage.of(json(message), "assistant")).build();

    assertThat(found).isEqualTo(json(expected));
    assertThat(ForeignSchemas.violations("gen-ai-input-messages", JsonArray.of(found)))
        .isEmpty();
  }

  private static JsonValue json(String text) {
    return JsonText.parse(text.replace("'{`a`:1}'", "\"{\\\"a\\\":1}\"").replace('\'', '"'));
  }

  @Provide
  Arbitrary<JsonValue> messages() {
    Arbitrary<JsonValue> values = JsonArbitraries.alike(1);
    Arbitrary<String> names = Arbitraries.of(
        "role",
        "content",
        "parts",
        "type",
        "text",
        "id",
        "name",
        "arguments",
        "tool_calls",
        "function",
        "function_call",
        "tool_call_id",
        "thinking",
        "thought",
        "functionCall",
        "other");
    Arbitrary<JsonValue> words = Arbitraries.of(
            "user",
            "tool",
            "text",
            "thinking",
            "tool_use",
            "tool_result",
            "function_call",
            "{\"a\":[1]}")
        .map(JsonString::of);
    Arbitrary<JsonValue> leaves = Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(3, words), net.jqwik.api.Tuple.of(2, values));
    Arbitrary<JsonValue> parts = object(names, leaves);
    Arbitrary<JsonValue> lists = parts.list().ofMaxSize(3).map(JsonArray::copyOf);
    return object(names, Arbitraries.oneOf(leaves, parts, lists));
  }

  private static Arbitrary<JsonValue> object(
      Arbitrary<String> names, Arbitrary<? extends JsonValue> values) {
    return Combinators.combine(names, values)
        .as((name, value) -> JsonObject.of(name, value))
        .list()
        .ofMaxSize(5)
        .map(members -> {
          JsonObject.Builder object = JsonObject.builder();
          members.forEach(member -> object.addIfAbsent(member.name(0), member.value(0)));
          return object.build();
        });
  }

  @Property(tries = 500)
  void no_value_of_a_message_is_lost_and_the_result_follows_the_schema(
      @ForAll("messages") JsonValue value) throws IOException {
    ChatMessage message = ChatMessage.of(value, "user");
    JsonObject found = MessageJson.message(message).build();

    assertThat(ForeignSchemas.violations("gen-ai-input-messages", JsonArray.of(found)))
        .isEmpty();
    requireLeaves(value, found);
    requireLeaves(value, JsonArray.copyOf(InspectMessages.of(message, "input")));
    Span span = new Span("1", null, Span.Kind.CLIENT, "chat", Instant.EPOCH, Instant.EPOCH);
    OpenInferenceConventions.putMessage(span, "message.", message);
    requireLeaves(value, span.json("1"));
  }

  /** Fails unless the values of a message are in a result, but for words that state its form. */
  private static void requireLeaves(JsonValue message, JsonValue found) {
    List<String> missing = new ArrayList<>(leaves(message));
    leaves(found).forEach(missing::remove);
    assertThat(missing)
        .isSubsetOf(
            "null",
            "true",
            "user",
            "tool",
            "text",
            "thinking",
            "tool_use",
            "tool_result",
            "function_call");
  }

  private static List<String> leaves(JsonValue value) {
    List<String> leaves = new ArrayList<>();
    if (value instanceof JsonObject object) {
      object.names().forEach(name -> leaves.addAll(leaves(object.get(name))));
    } else if (value instanceof JsonArray array) {
      array.forEach(element -> leaves.addAll(leaves(element)));
    } else if (value instanceof JsonString text) {
      JsonValue parsed = JsonText.parseContainer(text.value());
      leaves.addAll(parsed == null ? List.of(text.value()) : leaves(parsed));
    } else {
      leaves.add(value.toString());
    }
    return leaves;
  }
}

package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.agentreplay.testkit.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of the presets in the documents, and the schema of policies. */
class PolicyDocumentTest {

  private static final Path DOCUMENT = Path.of("../docs/privacy-policies.md");
  private static final Path SCHEMA = Path.of("../docs/schema/replay.policy-1.schema.json");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final Map<MemberForm, String> OF_FORMAT = Map.of(
      MemberForm.TAG,
      "The type of the event; that of an unknown event is `Withheld`",
      MemberForm.STRUCTURE,
      "Readers depend on it: shown unchanged",
      MemberForm.TREE,
      "Computed again over the published lines",
      MemberForm.NEVER,
      "Hidden by every policy",
      MemberForm.UNPUBLISHED,
      "Withheld by every policy",
      MemberForm.COMMITTED,
      "A commitment in every policy: an unsalted hash lets a reader test guesses",
      MemberForm.CONTENT_HASH,
      "That of what the line shows; a commitment if it does not show the value");

  private static final Map<MemberForm, String> ACTION_OF_FORMAT = Map.of(
      MemberForm.TAG, "show",
      MemberForm.STRUCTURE, "show",
      MemberForm.TREE, "recomputed",
      MemberForm.NEVER, "hide",
      MemberForm.UNPUBLISHED, "withhold",
      MemberForm.COMMITTED, "hash",
      MemberForm.CONTENT_HASH, "hash");

  @Test
  void the_table_lists_the_decisions_of_the_presets() throws IOException {
    Golden.compare(DOCUMENT, document());
  }

  private static String document() {
    Map<String, String> reasons = new HashMap<>();
    for (String line : TestData.lines("/policy/reasons.tsv")) {
      String[] cells = line.split("\t");
      reasons.put(cells[0] + " " + cells[1], cells[2]);
    }
    StringBuilder text = new StringBuilder(INTRODUCTION);
    for (String event : EventCatalog.eventNames()) {
      text.append(event.equals(EventCatalog.EVERY) ? "\n## Every event\n" : "\n## " + event + "\n")
          .append("\n| member | `open_source` | `private_repo` | `paranoid` | reason |\n")
          .append("|---|---|---|---|---|\n");
      rows(event, reasons).forEach((path, row) -> text.append(row));
    }
    return text.toString();
  }

  private static Map<String, String> rows(String event, Map<String, String> reasons) {
    Map<String, String> rows = new TreeMap<>(Comparator.naturalOrder());
    EventCatalog.paths(event).forEach((path, form) -> {
      if (form.actions().isEmpty() && !path.contains("/")) {
        String action = ACTION_OF_FORMAT.get(form);
        rows.put(path, row(path, action, action, action, OF_FORMAT.get(form)));
      }
    });
    List<PublicationPolicy> presets =
        PublicationPolicy.presets().stream().map(PublicationPolicy::preset).toList();
    presets.get(0).decisions().getOrDefault(event, Map.of()).forEach((path, action) -> {
      String reason = reasons.get(event + " " + path);
      assertThat(reason).as("the reason of %s %s in reasons.tsv", event, path).isNotBlank();
      rows.put(
          path,
          row(
              path,
              action.id(),
              presets.get(1).decision(event, path).id(),
              presets.get(2).decision(event, path).id(),
              reason));
    });
    return rows;
  }

  private static String row(String path, String first, String second, String third, String reason) {
    return "| `%s` | %s | %s | %s | %s |\n".formatted(path, first, second, third, reason);
  }

  @Test
  void the_presets_decide_on_the_same_members() {
    for (String preset : PublicationPolicy.presets()) {
      PublicationPolicy.preset(preset).decisions().forEach((event, members) -> assertThat(
              members.keySet())
          .isEqualTo(PublicationPolicy.OPEN_SOURCE.decisions().get(event).keySet()));
    }
  }

  private static JsonSchema schema() throws IOException {
    JsonNode json = MAPPER.readTree(Files.readString(SCHEMA));
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"open_source", "private_repo", "paranoid"})
  void a_preset_fits_the_schema(String preset) throws IOException {
    String resource = TestData.text("/dev/agentreplay/publish/policy/" + preset + ".json");
    String stated = PublicationPolicy.preset(preset).toJson().toString();

    assertThat(schema().validate(MAPPER.readTree(resource))).isEmpty();
    assertThat(schema().validate(MAPPER.readTree(stated))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"base\":\"paranoid\"",
        "\"unknown_members\":[\"a\"],\"unknown_events\":[\"B\"],\"texts\":{\"max_length\":16}",
        "\"rules\":[{\"id\":\"a\",\"pattern\":\"x\",\"action\":\"redact\"},{\"id\":\"b\",\"event\":\"ToolCall\",\"tool\":\"t\",\"pointer\":\"/params/**\",\"action\":\"show\"}]",
      })
  void a_policy_that_is_read_fits_the_schema(String members) throws IOException {
    String json = Lines.document(members);
    PublicationPolicy.parse(json);

    assertThat(schema().validate(MAPPER.readTree(json))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"a\":1",
        "\"base\":\"mine\"",
        "\"events\":{\"Foo\":{}}",
        "\"events\":{\"ToolCall\":{\"params\":\"remove\"}}",
        "\"texts\":{\"max_length\":15}",
        "\"texts\":{\"paths\":\"map\"}",
        "\"unknown_members\":[1]",
        "\"rules\":[{\"id\":\"a\",\"action\":\"redact\"}]",
        "\"rules\":[{\"id\":\"a\",\"pattern\":\"x\",\"action\":\"hide\"}]",
        "\"rules\":[{\"id\":\"a b\",\"pattern\":\"x\",\"action\":\"show\"}]",
      })
  void a_policy_that_is_refused_does_not_fit_the_schema(String members) throws IOException {
    assertThat(schema().validate(MAPPER.readTree(Lines.document(members)))).isNotEmpty();
  }

  private static final String INTRODUCTION =
      """
      # Policies of publication

      A policy decides on each member of each event of a published log. It is a JSON document
      ([schema](schema/replay.policy-1.schema.json)). This page lists the decisions of the three presets; a test
      keeps it up to date with them.

      | action | meaning |
      |---|---|
      | show | The value is shown unchanged, if it has the form of the member: a time, a number, an id. An id that contains a secret or the name of a user is mapped |
      | text | The value is shown after the rules for texts, with everything in it |
      | id | `id-` and 32 hexadecimal digits: equal for equal values of one log, and not guessable without its salt |
      | hash | A commitment to the hash, or to the value that it is the hash of |
      | day | The beginning of the day of a time |
      | withhold | The value is withheld, and the name of the member is shown |
      | hide | The value and the name of the member are withheld |
      | recomputed | The value is computed again for the published lines |

      A member that a line must have is shown with a placeholder if it is withheld: `withheld` for a text, 0 for a
      number, null or an empty value for others, a mapped id for an id, the day for a time, a commitment for a hash. A
      member that a policy does not name is hidden, and so are members and events that no specification names, unless
      `unknown_members` and `unknown_events` of the policy list them.

      Previews, pieces of streams and notes on texts are shown only if the values that they follow from are shown unchanged;
      a prompt as a change of earlier prompts only if these are. `total_latency_ms` is shown only if all latencies are.

      Texts are shown after these rules, in this order; the published line names the first one that changed a text:

      | rule | replaced |
      |---|---|
      | `secret:ID` | secrets, by `[REDACTED:ID]`; every policy applies it |
      | `custom:N` | matches of the Nth rule of the policy, by `[REDACTED:custom:N]` |
      | `path` | names of users in paths and in URLs, by `user` (`user_paths`, `url_users`) |
      | `email` | email addresses, by `user@example.invalid` (`emails`) |
      | `size` | the middle of texts with more code points than `max_length`, by `...`: 100,000 in `open_source`, 1,000 in `private_repo`, 200 in `paranoid` |

      A name of a member that has a secret, an email address or the name of a user is hidden with its value.

      A rule of a policy (`rules`) has an `id`, an `action`, and a `pointer`, a `pattern` (a regular expression of RE2) or
      both; `event` and `tool` restrict it. In a pointer `*` is any name or index, and `**` any number of them. `withhold` withholds the
      value; `redact` replaces the matches of the pattern, or the whole text; `show` without a pattern shows a value that the
      policy withholds, after the rules for texts; `show` with a pattern shows a text that matches it as a whole, unchanged except
      for secrets. The first rule for a place decides. No rule shows what the format withholds.
      """;
}

package dev.agentreplay.jackson.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.execution.ParameterCheck.Fault;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas of parameters, also those of an attacker. */
@Timeout(300)
class JsonSchemasTest {

  private static final String SECRET = "{\"type\":\"string\"}";

  @TempDir
  Path directory;

  private static ParameterCheck compile(String schema) {
    return JsonSchemas.compiler().compile(JsonText.parse(schema));
  }

  private static List<Fault> check(String schema, String params) {
    return compile(schema).check(JsonText.parse(params));
  }

  @Test
  void parameters_that_fit_have_no_faults() {
    String schema = "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},"
        + "\"limit\":{\"type\":\"integer\"}},\"required\":[\"path\"],\"additionalProperties\":false}";

    assertThat(check(schema, "{\"path\":\"a.txt\",\"limit\":9007199254740993}")).isEmpty();
    assertThat(check(schema, "{\"path\":\"a.txt\",\"limit\":1.0}")).isEmpty();
  }

  @Test
  void faults_have_a_pointer_and_the_rule() {
    String schema = "{\"properties\":{\"a/b\":{\"type\":\"string\"}},\"required\":[\"path\"]}";

    assertThat(check(schema, "{\"a/b\":1}"))
        .containsExactly(
            new Fault("", "required", "required property 'path' not found"),
            new Fault("/a~1b", "type", "integer found, string expected"));
  }

  /** Each keyword is that of its draft; what is not known is ignored. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "type                 | {\"type\":\"object\"}                                        | 1",
        "enum                 | {\"enum\":[1,2]}                                             | 3",
        "const                | {\"const\":1}                                                | 3",
        "pattern              | {\"pattern\":\"^a\"}                                         | \"b\"",
        "minLength            | {\"minLength\":2}                                            | \"b\"",
        "maximum              | {\"maximum\":2}                                              | 3",
        "multipleOf           | {\"multipleOf\":0.01}                                        | 0.001",
        "required             | {\"required\":[\"a\"]}                                       | {}",
        "additionalProperties | {\"additionalProperties\":false}                             | {\"a\":1}",
        "unevaluatedProperties| {\"allOf\":[{\"properties\":{\"b\":{}}}],\"unevaluatedProperties\":false} | {\"a\":1}",
        "propertyNames        | {\"propertyNames\":{\"maxLength\":1}}                        | {\"ab\":1}",
        "dependentRequired    | {\"dependentRequired\":{\"a\":[\"b\"]}}                      | {\"a\":1}",
        "minItems             | {\"minItems\":1}                                             | []",
        "uniqueItems          | {\"uniqueItems\":true}                                       | [1,1]",
        "type                 | {\"prefixItems\":[{\"type\":\"string\"}]}                    | [1]",
        "oneOf                | {\"oneOf\":[{},{}]}                                          | 1",
        "not                  | {\"not\":{}}                                                 | 1",
        "required             | {\"if\":{},\"then\":{\"required\":[\"c\"]}}                  | {}",
        "type                 | {\"$ref\":\"#/$defs/s\",\"$defs\":{\"s\":{\"type\":\"string\"}}} | 1",
        "type                 | {\"$ref\":\"#s\",\"$defs\":{\"s\":{\"$anchor\":\"s\",\"type\":\"string\"}}} | 1",
        "minimum              | {\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"minimum\":3,\"exclusiveMinimum\":true} | 3",
        "type                 | {\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$ref\":\"#/definitions/s\",\"definitions\":{\"s\":{\"type\":\"string\"}}} | 1",
        "type                 | {\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"items\":[{\"type\":\"string\"}]} | [1]"
      })
  void rule_is_checked(String rule, String schema, String value) {
    assertThat(check(schema, value)).extracting(Fault::rule).contains(rule);
  }

  @Test
  void format_and_unknown_keywords_are_not_checked() {
    assertThat(check("{\"format\":\"date-time\",\"x-hint\":1}", "\"yesterday\""))
        .isEmpty();
  }

  @Test
  void messages_do_not_depend_on_the_locale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(check("{\"type\":\"string\"}", "1").get(0).message())
          .isEqualTo("integer found, string expected");
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"type\":\"nonsense\"}               | is not valid: at /type: does not have a value in",
        "{\"properties\":5}                    | is not valid: at /properties: integer found, object expected",
        "{\"properties\":{\"a\":{\"pattern\":\"(\"}}} | is not valid: invalid pattern \"(\": Unclosed group",
        "{\"$ref\":\"#/$defs/missing\"}        | is not valid: Reference /$defs/missing cannot be resolved",
        "[]                                    | is not valid: expected an object or a boolean, found a array",
        "\"string\"                            | is not valid: expected an object or a boolean",
        "{\"$schema\":\"http://example.com/s\"}| is not valid: $schema is not one of the drafts",
        "{\"$schema\":7}                       | is not valid: $schema is not one of the drafts",
        "{\"$dynamicRef\":\"#\"}               | is not valid: $dynamicRef is not supported",
        "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$recursiveRef\":\"#\"} | is not valid: $recursiveRef is not supported"
      })
  void schema_that_is_not_valid_is_refused(String schema, String message) {
    assertThatThrownBy(() -> compile(schema))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  /** The schemas with a reference, in each place where a validator might load one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$ref\":\"%s\"}",
        "{\"properties\":{\"a\":{\"properties\":{\"b\":{\"$ref\":\"%s\"}}}}}",
        "{\"$defs\":{\"unused\":{\"properties\":{\"b\":{\"$ref\":\"%s\"}}}},\"$ref\":\"#/$defs/unused\"}",
        "{\"$id\":\"%s\",\"properties\":{\"a\":{\"$ref\":\"other.json\"}}}",
        "{\"$schema\":\"%s\"}",
        "{\"$defs\":{\"q\":{\"$id\":\"%1$s\",\"$schema\":\"%1$s/meta\"}},\"$ref\":\"#/$defs/q\"}",
        "{\"properties\":{\"a\":{\"$dynamicRef\":\"%s#x\"}}}",
        "{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"items\":{\"$ref\":\"%s\"}}",
        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"if\":{\"$ref\":\"%s\"}}",
        "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"anyOf\":[{\"$ref\":\"%s\"}]}"
      })
  void nothing_outside_of_a_schema_is_fetched(String schema) throws Exception {
    AtomicInteger requests = new AtomicInteger();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      requests.incrementAndGet();
      byte[] body = SECRET.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    try {
      URI remote = new URI(
          "http",
          null,
          server.getAddress().getHostString(),
          server.getAddress().getPort(),
          "/schema.json",
          null,
          null);
      assertThatThrownBy(() -> compile(schema.formatted(remote)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("is not valid: ");
      assertThat(requests).hasValue(0);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void files_and_resources_are_not_read() throws Exception {
    Path file = Files.writeString(directory.resolve("secret.json"), SECRET);

    for (String uri : List.of(
        file.toUri().toString(),
        "classpath:draft/2020-12/schema",
        "resource:/draft-07/schema",
        "https://json-schema.org/draft/2020-12/schema",
        "jar:" + file.toUri() + "!/x",
        "secret.json")) {
      JsonObject schema =
          JsonObject.of("properties", JsonObject.of("a", JsonObject.of("$ref", uri)));
      assertThatThrownBy(() -> JsonSchemas.compiler().compile(schema))
          .as(uri)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("is not valid: it refers to a schema that is not in it: ");
    }
  }

  @Test
  void schema_with_the_id_of_a_draft_does_not_replace_it() {
    compile("{\"$id\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"string\"}");

    assertThatThrownBy(() -> compile("{\"type\":\"nonsense\"}"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void schema_that_refers_to_itself_without_an_end_cannot_be_used() {
    assertThatThrownBy(() -> check("{\"$ref\":\"#\"}", "{}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("refer to itself without an end");
  }

  @Test
  void recursive_schema_is_used() {
    String schema = "{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"type\":\"object\","
        + "\"properties\":{\"next\":{\"$ref\":\"#/$defs/n\"}}}}}";

    assertThat(check(schema, "{\"next\":".repeat(100) + "3" + "}".repeat(100)))
        .containsExactly(new Fault("/next".repeat(100), "type", "integer found, object expected"));
  }

  /** Each part refers twice to the next one: 2^40 references. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://json-schema.org/draft/2020-12/schema",
        "http://json-schema.org/draft-07/schema#"
      })
  void exponential_schema_is_refused(String draft) {
    String parts = IntStream.range(0, 40)
        .mapToObj(i -> "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}"
            .formatted(i, i + 1, i + 1))
        .collect(Collectors.joining(","));

    assertThatThrownBy(() -> compile(
            "{\"$schema\":\"%s\",\"allOf\":[{\"$ref\":\"#/$defs/d0\"}],\"$defs\":{%s,\"d40\":{}}}"
                .formatted(draft, parts)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("is not valid: it takes more than 20,000 references");
  }

  @Test
  void check_that_is_exponential_in_the_depth_of_the_parameters_ends() {
    ParameterCheck check = compile("{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":{\"properties\":"
        + "{\"x\":{\"allOf\":[{\"$ref\":\"#/$defs/n\"},{\"$ref\":\"#/$defs/n\"}]}}}}}");
    JsonValue deep = JsonText.parse("{\"x\":".repeat(60) + "1" + "}".repeat(60));

    assertThatThrownBy(() -> check.check(deep))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the schema cannot be used: it takes more than 20,000 references");
    assertThat(check.check(JsonObject.of("x", 1))).isEmpty(); // each check has its own count
  }

  @Test
  void pattern_that_backtracks_without_an_end_ends() {
    ParameterCheck check = compile("{\"pattern\":\"(.*,){15}P\"}");

    assertThatThrownBy(() -> check.check(JsonString.of("1,".repeat(40))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the schema cannot be used: its patterns take too many steps");
    assertThat(check.check(JsonString.of("1,".repeat(15) + "P"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e-2147483640", "-0.1E-99999", "1e-1000"})
  void number_with_a_huge_exponent_is_refused(String number) {
    ParameterCheck check = compile("{\"multipleOf\":0.01}");

    assertThatThrownBy(() -> check.check(JsonText.parse(number)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a number is too long: " + number);
    assertThatThrownBy(() -> compile("{\"minimum\":%s}".formatted(number)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void number_with_many_digits_is_refused() {
    ParameterCheck check = compile("{\"multipleOf\":0.01}");

    assertThatThrownBy(() -> check.check(JsonValue.of(new BigDecimal("0." + "1".repeat(2_000)))))
        .hasMessageStartingWith("a number is too long: 0.1");
    assertThat(check.check(JsonText.parse("1e0000000000002"))).isEmpty();
  }

  @Test
  void schema_may_be_nested_to_a_limit() {
    String deepest = nested(99); // and the object in the middle

    assertThat(check(deepest, "{}")).hasSize(1);
    assertThatThrownBy(() -> compile(nested(100)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("is not valid: nested deeper than 100");
  }

  private static String nested(int levels) {
    return "{\"not\":".repeat(levels) + "{}" + "}".repeat(levels);
  }
}

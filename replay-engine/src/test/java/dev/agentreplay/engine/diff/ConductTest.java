package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two logs that differ in one member of one event: that is what is found, and nothing else. */
class ConductTest {

  private static final String OTHER_HASH = "\"sha256:" + "b".repeat(64) + "\"";
  private static final String HASH = OTHER_HASH.replace('b', 'a');

  @TempDir
  private Path directory;

  // type, member, its other value; divergence: kind, step, severity, rule, place, before, after
  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      quoteCharacter = '`',
      textBlock =
          """
      ToolCall     | tool               | "write"                  | TOOL          | CALL | MAJOR    | tool    | /tool         | "read"   | "write"
      ToolCall     | params             | {"path":"b"}             | PARAMS        | CALL | MODERATE | content | /params/path  | "a"      | "b"
      ToolCall     | params             | {"path":"a","n":1}       | PARAMS        | CALL | MODERATE | content | /params/n     | -        | 1
      ToolCall     | params             | {}                       | PARAMS        | CALL | MODERATE | content | /params/path  | "a"      | -
      ToolResult   | output             | {"text":"b"}             | OUTPUT        | CALL | MODERATE | content | /output/text  | "out"    | "b"
      ToolResult   | output             | "b"                      | OUTPUT        | CALL | MODERATE | content | /output       | {"text":"out"} | "b"
      ToolResult   | exit_code          | 2                        | OUTCOME       | CALL | MAJOR    | outcome | /exit_code    | 1        | 2
      ToolResult   | exit_code          | 0                        | OUTCOME       | CALL | MAJOR    | outcome | /exit_code    | 1        | -
      ToolResult   | ok                 | true                     | OUTCOME       | CALL | MAJOR    | outcome | /ok           | false    | -
      ToolResult   | error              | {"name":"E2"}            | OUTCOME       | CALL | MAJOR    | outcome | /error/name   | "E1"     | "E2"
      ToolResult   | side_effects       | [{"type":"write","path":"b"}] | OUTPUT   | CALL | MODERATE | content | /side_effects/0/path | "a" | "b"
      ToolResult   | step_utility       | 0.75                     | ASSESSMENT    | CALL | MINOR    | assessment | /step_utility | 0.5   | 0.75
      ToolResult   | step_utility       | 0.0                      | ASSESSMENT    | CALL | MINOR    | assessment | /step_utility | 0.5   | -
      ModelCall    | model              | "sonnet"                 | PROMPT        | TURN | MODERATE | content | /model        | "opus"   | "sonnet"
      ModelCall    | prompt             | {"text":"b"}             | PROMPT        | TURN | MODERATE | content | /prompt/text  | "hello"  | "b"
      ModelCall    | parameters         | {"temperature":1}        | PROMPT        | TURN | MODERATE | content | /parameters/temperature | 0 | 1
      ModelResult  | answer             | "b"                      | RESPONSE      | TURN | MODERATE | content | /answer       | "hi"     | "b"
      ModelResult  | finish_reason      | "length"                 | RESPONSE      | TURN | MODERATE | content | /finish_reason | "stop"  | "length"
      ModelResult  | partial            | true                     | RESPONSE      | TURN | MODERATE | content | /partial      | false    | true
      ModelResult  | error              | {"name":"E2"}            | OUTCOME       | TURN | MAJOR    | outcome | /error/name   | "E1"     | "E2"
      ModelResult  | tokens_in          | 11                       | ASSESSMENT    | TURN | MINOR    | assessment | /tokens_in | 10       | 11
      ModelResult  | tokens_out         | 21                       | ASSESSMENT    | TURN | MINOR    | assessment | /tokens_out | 20      | 21
      FileState    | hash_before        | #                        | FILE_STATE    | FILE_STATE | MODERATE | content | /hash_before | =    | #
      FileState    | hash_after         | #                        | FILE_STATE    | FILE_STATE | MODERATE | content | /hash_after  | =    | #
      FileState    | hash_after         | null                     | FILE_STATE    | FILE_STATE | MODERATE | content | /hash_after  | =    | -
      FileState    | bytes              | 11                       | FILE_STATE    | FILE_STATE | MODERATE | content | /bytes       | 10   | 11
      FileState    | mode               | "100755"                 | FILE_STATE    | FILE_STATE | MODERATE | content | /mode        | "100644" | "100755"
      Verification | commands           | ["mvn verify"]           | VERIFICATION  | VERIFICATION | MODERATE | content | /commands/0 | "mvn test" | "mvn verify"
      Verification | exit_codes         | [1]                      | OUTCOME       | VERIFICATION | MAJOR | outcome | /exit_codes/0 | 0    | 1
      Verification | tests_before       | 4                        | VERIFICATION  | VERIFICATION | MODERATE | content | /tests_before | 5 | 4
      Verification | tests_after        | 7                        | VERIFICATION  | VERIFICATION | MODERATE | content | /tests_after  | 6 | 7
      Verification | verification_delta | 2                        | VERIFICATION  | VERIFICATION | MODERATE | content | /verification_delta | 1 | 2
      Verification | ci_status          | "red"                    | OUTCOME       | VERIFICATION | MAJOR | outcome | /ci_status | "green" | "red"
      StepComplete | status             | "Failed"                 | OUTCOME       | STEP | MAJOR    | outcome | /status       | "success" | "failure"
      StepComplete | status             | "Odd"                    | OUTCOME       | STEP | MAJOR    | outcome | /status       | "success" | "Odd"
      StepComplete | iterations         | 2                        | STEP          | STEP | MODERATE | content | /iterations   | 1        | 2
      PlanStart    | plan_hash          | #                        | PLAN          | PLAN | MODERATE | content | /plan_hash    | =        | #
      PlanStart    | step_count         | 3                        | PLAN          | PLAN | MODERATE | content | /step_count   | 2        | 3
      SessionStart | policy_version     | "v2"                     | START         | START | MODERATE | content | /policy_version | "v1"     | "v2"
      SessionStart | issue_number       | 8                        | START         | START | MODERATE | content | /issue_number | 7       | 8
      SessionStart | issue_number       | null                     | START         | START | MODERATE | content | /issue_number | 7       | -
      SessionStart | repo               | {"name":"r2"}            | START         | START | MODERATE | content | /repo/name   | "r1"     | "r2"
      SessionStart | lane               | "slow"                   | START         | START | MODERATE | content | /lane        | "fast"   | "slow"
      SessionStart | task               | "break"                  | START         | START | MODERATE | content | /task        | "mend"   | "break"
      SessionStart | context            | {"branch":"b"}           | START         | START | MODERATE | content | /context/branch | "main" | "b"
      SessionStart | instructions       | "be long"                | START         | START | MODERATE | content | /instructions | "be brief" | "be long"
      SessionEnd   | status             | "Failed"                 | END           | END  | MAJOR    | outcome | /status       | "success" | "failure"
      SessionEnd   | error_message      | "lost"                   | END           | END  | MAJOR    | outcome | /error_message | "none"  | "lost"
      SessionEnd   | confidence         | 0.25                     | ASSESSMENT    | END  | MINOR    | assessment | /confidence | 0.5     | 0.25
      SessionEnd   | summary            | "not done"               | ASSESSMENT    | END  | MINOR    | assessment | /summary   | "done"   | "not done"
      Settings     | values             | {"depth":{"value":4,"source":"file"}} | SETTINGS | SETTINGS | MODERATE | content | /values/depth/value | 3 | 4
      Settings     | values             | {"depth":{"value":3,"source":"env"}}  | SETTINGS | SETTINGS | MODERATE | content | /values/depth/source | "file" | "env"
      Payment      | rail               | "card"                   | PAYMENT       | PAYMENT | MODERATE | content | /rail       | "lightning" | "card"
      Payment      | asset_id           | "usd"                    | PAYMENT       | PAYMENT | MODERATE | content | /asset_id   | "btc"    | "usd"
      Payment      | amount_msats       | 101                      | PAYMENT       | PAYMENT | MODERATE | content | /amount_msats | 100    | 101
      Payment      | status             | "failed"                 | PAYMENT       | PAYMENT | MODERATE | content | /status     | "success" | "failure"
      RuntimeEvent | payload            | {"n":2}                  | RUNTIME_EVENT | RUNTIME_EVENT | MODERATE | content | /payload/n | 1   | 2
      Weather      | sky                | "grey"                   | OTHER         | OTHER | MODERATE | content    | /sky       | "blue"   | "grey"
      Weather      | value              | 1                        | OTHER         | OTHER | MODERATE | content    | /value     | -        | 1
      Weather      | status             | "Odd"                    | OTHER         | OTHER | MODERATE | content    | /status    | -        | "Odd"
      RecordingGap | unrecorded_events  | 4                        | OTHER         | OTHER | MODERATE | content    | /unrecorded_events | 3        | 4
      RecordingGap | reason             | "disk slow"              | OTHER         | OTHER | MODERATE | content    | /reason    | "disk full" | "disk slow"
      """)
  void member_that_differs_alone_is_the_one_divergence(
      String type,
      String member,
      String value,
      DivergenceKind kind,
      StepKind step,
      DivergenceSeverity severity,
      String rule,
      String pointer,
      String before,
      String after)
      throws IOException {
    TestEvents changed = TestEvents.EVERY.with(type, member, json(value));

    Divergence one = only(TestEvents.EVERY, changed, DiffOptions.defaults());
    assertThat(one.rating()).isEqualTo(new SeverityRating(severity, rule));
    assertThat(one.step().kind()).isEqualTo(step);
    assertChange(one, kind, pointer, json(before), json(after));
    assertThat(one.changes().get(0).left().json()).isEqualTo(TestEvents.EVERY.event(type));
    assertThat(one.changes().get(0).right().json()).isEqualTo(changed.event(type));
    OneEditTest.assertPatches(one);

    Divergence back = only(changed, TestEvents.EVERY, DiffOptions.defaults());
    assertThat(back.rating()).isEqualTo(one.rating());
    assertChange(back, kind, pointer, json(after), json(before));
  }

  @ParameterizedTest
  @CsvSource({"FileState,path,FILE_STATE", "RuntimeEvent,runtime_event_type,RUNTIME_EVENT"})
  void step_of_another_name_is_missing_and_another_is_added(
      String type, String member, StepKind kind) throws IOException {
    SessionDiff diff = compare(
        TestEvents.EVERY,
        TestEvents.EVERY.with(type, member, JsonValue.of("other")),
        DiffOptions.defaults());

    assertThat(diff.divergences())
        .extracting(Divergence::kind)
        .containsExactlyInAnyOrder(DivergenceKind.MISSING, DivergenceKind.ADDED);
    assertThat(diff.divergences()).allSatisfy(one -> {
      assertThat(one.step().kind()).isEqualTo(kind);
      assertThat(one.rating()).isEqualTo(new SeverityRating(DivergenceSeverity.MAJOR, "step"));
    });
    assertThat(diff.first()).isNull();
  }

  @ParameterizedTest
  @MethodSource("comparedTypes")
  void event_that_is_gone_is_missing_and_mirrored_added(String type) throws IOException {
    TestEvents without = TestEvents.EVERY.without(type);

    Divergence missing = only(TestEvents.EVERY, without, DiffOptions.defaults());
    assertThat(missing.kind()).isEqualTo(DivergenceKind.MISSING);
    assertThat(missing.rating()).isEqualTo(new SeverityRating(DivergenceSeverity.MAJOR, "step"));
    assertThat(missing.right()).isNull();
    assertThat(missing.changes().get(0).left().json()).isEqualTo(TestEvents.EVERY.event(type));
    Divergence added = only(without, TestEvents.EVERY, DiffOptions.defaults());
    assertThat(added.kind()).isEqualTo(DivergenceKind.ADDED);
    assertThat(added.rating()).isEqualTo(missing.rating());
    assertThat(added.changes().get(0).right().json()).isEqualTo(TestEvents.EVERY.event(type));
  }

  @ParameterizedTest
  @CsvSource({
    "ToolResult,OUTCOME,MAJOR,outcome,/output",
    "ModelResult,RESPONSE,MODERATE,content,/answer"
  })
  void result_that_is_gone_is_a_change_of_its_call(
      String type, DivergenceKind kind, DivergenceSeverity severity, String rule, String pointer)
      throws IOException {
    TestEvents without = TestEvents.EVERY.without(type);
    JsonValue value = TestEvents.EVERY.event(type).at(pointer);

    Divergence missing = only(TestEvents.EVERY, without, DiffOptions.defaults());
    assertThat(missing.rating()).isEqualTo(new SeverityRating(severity, rule));
    assertChange(missing, kind, pointer, value, null);
    Divergence added = only(without, TestEvents.EVERY, DiffOptions.defaults());
    assertThat(added.rating()).isEqualTo(missing.rating());
    assertChange(added, kind, pointer, null, value);
  }

  static List<String> comparedTypes() {
    List<String> types = new ArrayList<>(TestEvents.EVERY.types());
    // a call that is gone leaves its result behind
    types.removeAll(
        List.of("ReplayHeader", "RecordedValue", "Checkpoint", "ToolCall", "ModelCall"));
    types.removeAll(List.of("ToolResult", "ModelResult"));
    return types;
  }

  @Test
  void folder_of_a_verification_is_compared() throws IOException {
    Divergence one = only(
        TestEvents.OF_TYPE,
        TestEvents.OF_TYPE.with("Verification", "cwd", JsonValue.of("/x")),
        DiffOptions.defaults());

    assertThat(one.severity()).isEqualTo(DivergenceSeverity.MODERATE);
    assertChange(
        one, DivergenceKind.VERIFICATION, "/cwd/0", JsonValue.of("/w"), JsonValue.of("/x"));
  }

  @Test
  void hash_without_its_prefix_is_the_same_hash() throws IOException {
    JsonValue bare = JsonValue.of("a".repeat(64));
    TestEvents changed = TestEvents.EVERY
        .with("PlanStart", "plan_hash", bare)
        .with("FileState", "hash_before", bare);

    assertThat(compare(TestEvents.EVERY, changed, DiffOptions.defaults()).divergences())
        .isEmpty();
  }

  @Test
  void mode_of_a_file_that_one_session_lacks_is_not_compared() throws IOException {
    TestEvents without = TestEvents.EVERY.without("FileState", "mode");

    assertThat(compare(TestEvents.EVERY, without, DiffOptions.defaults()).divergences())
        .isEmpty();
    assertThat(compare(without, TestEvents.EVERY, DiffOptions.defaults().withStrict(true))
            .divergences())
        .isEmpty();
    assertThat(only(
                without.with("FileState", "bytes", JsonValue.of(11)),
                TestEvents.EVERY,
                DiffOptions.defaults())
            .changes()
            .get(0)
            .values())
        .extracting(ValueChange::pointer)
        .containsExactly("/bytes");
  }

  @ParameterizedTest
  @MethodSource("foreignMembers")
  void member_that_is_not_known_is_other_whatever_its_name(String type, String member)
      throws IOException {
    TestEvents changed = TestEvents.EVERY.with(type, member, JsonValue.of("x"));

    Divergence one = only(TestEvents.EVERY, changed, DiffOptions.defaults());
    assertThat(one.rating())
        .isEqualTo(
            one.step().kind() == StepKind.OTHER
                ? new SeverityRating(DivergenceSeverity.MODERATE, "content")
                : new SeverityRating(DivergenceSeverity.MINOR, "assessment"));
    assertChange(one, DivergenceKind.OTHER, "/" + member, null, JsonValue.of("x"));
    assertThat(compare(TestEvents.EVERY, changed, DiffOptions.defaults()).first())
        .isNull();
  }

  static Stream<Arguments> foreignMembers() {
    Set<String> notCompared = Set.of("ReplayHeader", "RecordedValue", "Checkpoint");
    String names = "foreign seq value delta iterations values status plan_hash lane rail path"
        + " error_message summary payload task policy source confidence";
    Stream<Arguments> everywhere = TestEvents.EVERY.types().stream()
        .filter(type -> !notCompared.contains(type))
        .flatMap(type -> Stream.of(names.split(" "))
            .filter(name -> !TestEvents.EVERY.event(type).has(name))
            .map(name -> arguments(type, name)));
    Stream<Arguments> ofOtherSteps =
        Stream.of("cwd", "answer", "tokens_in", "model").map(name -> arguments("ToolCall", name));
    return Stream.concat(everywhere, ofOtherSteps);
  }

  @ParameterizedTest
  @CsvSource({
    "ToolCall,tool,'\"b\"',TOOL",
    "ToolCall,params,{},PARAMS",
    "ToolResult,output,1,OUTPUT",
    "ToolResult,ok,true,OUTCOME",
    "ToolResult,step_utility,0.75,",
    "StepComplete,status,'\"Failed\"',",
    "ModelResult,error,{},",
    "Weather,sky,1,"
  })
  void first_is_where_calls_part_and_null_otherwise(
      String type, String member, String value, DivergenceKind kind) throws IOException {
    SessionDiff diff = compare(
        TestEvents.EVERY, TestEvents.EVERY.with(type, member, json(value)), DiffOptions.defaults());

    assertThat(diff.divergences()).hasSize(1);
    assertThat(diff.first()).isEqualTo(kind == null ? null : TestResults.first(0, kind));
  }

  private Divergence only(TestEvents left, TestEvents right, DiffOptions options)
      throws IOException {
    SessionDiff diff = compare(left, right, options);
    assertThat(diff.divergences()).hasSize(1);
    assertThat(diff.isIdentical()).isFalse();
    return diff.divergences().get(0);
  }

  private SessionDiff compare(TestEvents left, TestEvents right, DiffOptions options)
      throws IOException {
    return SessionDiff.between(
        left.write(directory.resolve("left")), right.write(directory.resolve("right")), options);
  }

  private static void assertChange(
      Divergence one, DivergenceKind kind, String pointer, JsonValue before, JsonValue after) {
    assertThat(one.kind()).isEqualTo(kind);
    assertThat(one.changes()).hasSize(1);
    assertThat(one.changes().get(0).values())
        .containsExactly(TestResults.valueChange(kind, pointer, pointer, before, after, null));
  }

  /** A hash where it says {@code =}, another where it says {@code #}. */
  private static JsonValue json(String text) {
    return text == null ? null : JsonText.parse(text.replace("=", HASH).replace("#", OTHER_HASH));
  }
}

package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.finding.DocumentFormatException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyReaderTest {

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("[]", "expected a JSON object"),
        Arguments.of("{}", "/schema: must be \"replay.policy/1\", found nothing"),
        Arguments.of("{\"schema\":\"replay.policy/2\",\"id\":\"a\"}", "/schema: must be"),
        Arguments.of("{\"schema\":\"replay.policy/1\"}", "/id: must be a string"),
        Arguments.of("{\"schema\":\"replay.policy/1\",\"id\":\"a b\"}", "/id: must be 1 to 64"),
        with("\"idd\":1", "/idd: unknown member"),
        with("\"base\":\"private\"", "/base: must be one of open_source, private_repo, paranoid"),
        with("\"base\":\"paranoit\"", "did you mean 'paranoid'?"),
        with("\"description\":1", "/description: must be a string"),
        with("\"texts\":{\"max_text\":1}", "/texts/max_text: unknown member"),
        with("\"texts\":{\"max_length\":15}", "/texts/max_length: must be an integer"),
        with("\"texts\":{\"max_length\":2147483647}", "/texts/max_length: must be less"),
        with("\"texts\":{\"emails\":\"hide\"}", "/texts/emails: must be \"map\" or \"show\""),
        with("\"events\":[]", "/events: must be an object"),
        with(
            "\"events\":{\"ToolCal\":{}}",
            "/events/ToolCal: no event has this name; did you mean 'ToolCall'?"),
        with("\"events\":{\"ToolCall\":[]}", "/events/ToolCall: must be an object"),
        events(
            "ToolCall",
            "parms",
            "text",
            "/parms: ToolCall has no member of this name; did you mean 'params'?"),
        events(
            "ToolCall",
            "params",
            "shw",
            "/params: must be text or withhold or hide, found \"shw\""),
        events("ToolCall", "params", "show", "/params: must be text or withhold or hide"),
        events("ToolCall", "t", "text", "/t: must be show or day or withhold or hide"),
        events("ToolCall", "tool/x", "text", "/tool/x: ToolCall has no member"),
        events("ToolCall", "", "text", "ToolCall has no member of this name"),
        events("ToolCall", "params_hash", "show", "/params_hash: the format decides"),
        events("ToolCall", "params_ref", "show", "/params_ref: the format decides"),
        events("ReplayHeader", "salt", "show", "/salt: the format decides"),
        events("ReplayHeader", "replay_of", "text", "/replay_of: the format decides"),
        events("ReplayHeader", "forked_from", "show", "/forked_from: the format decides"),
        events("ReplayHeader", "canonicalization", "hide", "the format decides"),
        events("Checkpoint", "tree_root", "show", "the format decides"),
        events("FileState", "hash_after", "show", "the format decides"),
        events("SessionEnd", "status", "hide", "the format decides"),
        events("ToolResult", "ok", "withhold", "the format decides"),
        events("ToolResult", "exit_code", "withhold", "the format decides"),
        events("ToolResult", "error/mesage", "text", "did you mean 'error/message'?"),
        events("Settings", "values/workspace/value/hash", "text", "the format decides"),
        events("*", "carried_over", "text", "the format decides"),
        events("*", "replayed", "text", "the format decides"),
        events("*", "params", "text", "not every event has no member"),
        with("\"unknown_members\":{}", "/unknown_members: must be an array"),
        with("\"unknown_members\":[1]", "/unknown_members/0: must be a name"),
        with("\"unknown_members\":[\"\"]", "/unknown_members/0: must be a name"),
        with("\"unknown_members\":[\"salt\"]", "/unknown_members/0: salt is known"),
        with("\"unknown_members\":[\"disclosure\"]", "disclosure is known"),
        with("\"unknown_events\":[\"ToolCall\"]", "/unknown_events/0: ToolCall is known"),
        rule("", "/rules/0: a rule needs a pointer or a pattern"),
        rule("\"pointer\":\"\"", "/rules/0/pointer: must be a JSON Pointer"),
        rule("\"pointer\":\"a\"", "/rules/0/pointer: must be a JSON Pointer"),
        rule("\"pointer\":\"/~2\"", "/rules/0/pointer: must be a JSON Pointer"),
        rule("\"pointer\":\"" + "/a".repeat(63) + "\"", "more than 62 names"),
        rule("\"event\":\"ToolResul\",\"pointer\":\"/a\"", "did you mean 'ToolResult'?"),
        rule(
            "\"event\":\"ToolResult\",\"pointer\":\"/outptu\"",
            "ToolResult has no member outptu; did you mean 'output'?"),
        rule("\"event\":\"ToolResult\",\"pointer\":\"/ok\"", "the format decides on ok"),
        rule("\"pattern\":\"(\"", "/rules/0/pattern: must be a regular expression of RE2"),
        rule("\"pattern\":\"(a)\\\\1\"", "/rules/0/pattern: must be a regular expression of RE2"),
        rule("\"pattern\":\"a*\"", "does not match the empty text"),
        rule("\"pattern\":\"\"", "/rules/0/pattern: must be 1 to 2000"),
        rule("\"pattern\":\"a\",\"replacement\":\"b\"", "/rules/0/replacement: unknown member"),
        with(
            "\"rules\":[{\"id\":\"a\",\"pattern\":\"x\",\"action\":\"hide\"}]",
            "/rules/0/action: must be withhold, redact or show"),
        with(
            "\"rules\":[{\"id\":\"a b\",\"pattern\":\"x\",\"action\":\"show\"}]",
            "/rules/0/id: must be"),
        with(
            "\"rules\":[{\"id\":\"a\",\"pattern\":\"x\",\"action\":\"show\"},"
                + "{\"id\":\"a\",\"pattern\":\"x\",\"action\":\"show\"}]",
            "/rules/1/id: a second rule has the id a"));
  }

  private static Arguments with(String members, String message) {
    return Arguments.of(Lines.document(members), message);
  }

  private static Arguments events(String event, String path, String action, String message) {
    return with("\"events\":{\"%s\":{\"%s\":\"%s\"}}".formatted(event, path, action), message);
  }

  private static Arguments rule(String members, String message) {
    return with(
        "\"rules\":[{\"id\":\"a\",\"action\":\"redact\"" + (members.isEmpty() ? "" : ",") + members
            + "}]",
        message);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void a_document_that_is_not_a_policy_is_refused(String json, String message) {
    assertThatThrownBy(() -> PublicationPolicy.parse(json))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"open_source", "private_repo", "paranoid"})
  void a_preset_reads_back_from_its_json(String id) throws Exception {
    PublicationPolicy preset = PublicationPolicy.preset(id);

    PublicationPolicy read = PublicationPolicy.parse(preset.toJson().toString());

    assertThat(read).isEqualTo(preset).hasSameHashCodeAs(preset);
    assertThat(read.isPreset()).isTrue();
    assertThat(read.hash()).isEqualTo(CanonicalJson.JCS.hash(preset.toJson()));
  }

  @Test
  void a_policy_with_a_base_states_all_decisions() throws Exception {
    PublicationPolicy policy = PublicationPolicy.parse(Lines.document(
        "\"base\":\"private_repo\",\"events\":{\"ToolResult\":{\"error\":\"text\"}}"));

    assertThat(policy.toJson().has("base")).isFalse();
    assertThat(policy.decision("ToolCall", "params")).isEqualTo(Action.WITHHOLD);
    assertThat(policy.decision("ToolResult", "error")).isEqualTo(Action.TEXT);
    assertThat(policy.decision("ToolResult", "error/message")).isNull();
    assertThat(policy.isPreset()).isFalse();
    assertThat(PublicationPolicy.parse(policy.toJson().toString())).isEqualTo(policy);
  }

  @Test
  void preset_with_a_different_decision_is_not_a_preset() throws Exception {
    PublicationPolicy policy = PublicationPolicy.parse(
        "{\"schema\":\"replay.policy/1\",\"id\":\"paranoid\",\"base\":\"private_repo\"}");

    assertThat(policy.isPreset()).isFalse();
  }

  @Test
  void rules_follow_those_of_the_base_and_are_numbered() throws Exception {
    PublicationPolicy policy = PublicationPolicy.parse(
        Lines.document("\"rules\":[{\"id\":\"a\",\"pattern\":\"x\",\"action\":\"redact\"},"
            + "{\"id\":\"b\",\"pointer\":\"/params/**\",\"tool\":\"shell\",\"action\":\"show\"}]"));

    assertThat(policy.rules()).extracting(CustomRule::number).containsExactly(1, 2);
    assertThat(PublicationPolicy.parse(policy.toJson().toString())).isEqualTo(policy);
  }

  @Test
  void a_policy_is_read_from_a_file(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("p.json"), Lines.document(""));

    assertThat(PublicationPolicy.read(file).id()).isEqualTo("test");
  }

  @Test
  void a_large_file_is_refused(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("p.json"), " ".repeat(1_100_000));

    assertThatThrownBy(() -> PublicationPolicy.read(file))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageContaining("at most 1048576 bytes");
  }

  @Test
  void an_unknown_preset_is_refused() {
    assertThatThrownBy(() -> PublicationPolicy.preset("secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected one of open_source, private_repo, paranoid");
  }
}

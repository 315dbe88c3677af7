package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The members that the specifications call required, and those that they call optional. */
class RequiredMembersTest {

  /**
   * Of each event of specification 000 the members that its struct does not wrap in an Option, and
   * those that may be left out: an Option, and what real logs leave out, which is the time, and the
   * params of a published log.
   */
  private static final String EVENT_MEMBERS =
      """
      ReplayHeader | replay_version producer created_at |
      SessionStart | session_id policy_version | t issue_number
      PlanStart | plan_hash step_count | t
      ToolCall | id tool params_hash step_id | t params
      ToolResult | id output_hash step_utility latency_ms | t exit_code
      StepComplete | step_id status iterations | t
      Verification | commands exit_codes verification_delta | t
      SessionEnd | status confidence total_tool_calls total_latency_ms | t
      """;

  /** The lists of specification 001; a published log has no params. */
  private static final String TYPE_MEMBERS =
      """
      ReplayHeader | replay_version producer created_at |
      SessionStart | session_id policy_bundle_id | ts repo lane
      ToolCall | step_id tool params_hash | ts session_id params
      ToolResult | step_id ok output_hash latency_ms side_effects | ts session_id error step_utility
      Verification | command exit_code | ts session_id cwd duration_ms verification_delta
      SessionEnd | status confidence | ts session_id summary total_tool_calls total_latency_ms
      """;

  /** The table of specification 002. */
  private static final String DRAFT_MEMBERS =
      """
      ReplayHeader | version session_id started_at | policy_bundle_id
      SessionStart | task | context instructions
      ToolCall | id tool params |
      ToolResult | id output | step_utility latency_ms side_effects
      Verification | tests_before tests_after delta | ci_status
      SessionEnd | ended_at outcome | error_message
      """;

  private static List<Arguments> members(int column) {
    List<Arguments> members = new ArrayList<>();
    for (Dialect dialect : Dialect.values()) {
      for (String row : table(dialect).lines().toList()) {
        String[] columns = row.split("\\|", -1);
        Arrays.stream(columns[column].strip().split(" "))
            .filter(member -> !member.isEmpty())
            .forEach(member -> members.add(Arguments.of(dialect, columns[0].strip(), member)));
      }
    }
    return members;
  }

  private static String table(Dialect dialect) {
    return switch (dialect) {
      case EVENT -> EVENT_MEMBERS;
      case TYPE -> TYPE_MEMBERS;
      case DRAFT -> DRAFT_MEMBERS;
    };
  }

  static List<Arguments> required() {
    return members(1);
  }

  static List<Arguments> optional() {
    return members(2);
  }

  @ParameterizedTest
  @MethodSource("required")
  void required_member_that_is_absent_is_found(Dialect dialect, String event, String member) {
    JsonObject line = line(dialect, event);

    Decoded decoded = dialect.decode(line.without(member));

    assertThat(decoded.findings()).singleElement().satisfies(finding -> {
      assertThat(finding.code()).isIn(FindingCode.FIELD_MISSING, FindingCode.EVENT_INVALID);
      assertThat(finding.message()).startsWith(member + " is missing");
    });
  }

  @ParameterizedTest
  @MethodSource("optional")
  void optional_member_that_is_absent_is_not_a_finding(
      Dialect dialect, String event, String member) {
    assertThat(dialect.decode(line(dialect, event).without(member)).findings()).isEmpty();
  }

  /** A line with all that the specification names. */
  private static JsonObject line(Dialect dialect, String event) {
    JsonObject line = PresenceCase.all().stream()
        .filter(c -> c.dialect() == dialect)
        .map(PresenceCase::line)
        .filter(whole -> whole.at("/" + Lines.tagName(dialect)).asString().equals(event))
        .findFirst()
        .orElseThrow();
    String names = table(dialect)
            .lines()
            .filter(row -> row.startsWith(event + " "))
            .findFirst()
            .orElseThrow()
        + " " + Lines.tagName(dialect);
    List<String> named = Arrays.asList(names.toLowerCase(Locale.ROOT).split("[ |]+"));
    JsonObject specified = line.without(
        line.names().stream().filter(name -> !named.contains(name)).toArray(String[]::new));
    assertThat(dialect.decode(specified).findings()).isEmpty();
    assertThat(specified.size()).isEqualTo(named.size() - 1);
    return specified;
  }
}

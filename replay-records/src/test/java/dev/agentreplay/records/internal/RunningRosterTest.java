package dev.agentreplay.records.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunningRosterTest {

  /** Agents such as {@code hA}: a hypothesis generator with the name A. */
  private static List<AgentRosterEntry> roster(String agents) {
    return Stream.of(agents.split(" "))
        .filter(agent -> !agent.isEmpty())
        .map(agent -> AgentRosterEntry.of(
            agent.substring(1),
            switch (agent.charAt(0)) {
              case 'h' -> Role.HYPOTHESIS_GENERATOR;
              case 't' -> Role.TEST_DESIGNER;
              default -> Role.ADVERSARIAL_CRITIC;
            },
            "program",
            "model"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "hA tB cC, hX tY cZ, A-X B-Y C-Z",
    "hA tB cC, hX, A-X B-none C-none",
    "hA hB, hX, A-X B-X",
    "hA hB hC, hX hY, A-X B-Y C-X",
    "hA hB, hX hY hZ, A-X B-Y",
    "hA hB, hB hA, A-A B-B",
    "hA hB, hB hC, A-C B-B",
    "hA hB hC, hB, A-B B-B C-B",
    "hA tB, tA hB, A-B B-A",
  })
  void agents_of_a_comparison_run_in_place_of_those_with_their_role(
      String recorded, String running, String expected) {
    RunningRoster roster = RunningRoster.byRole(roster(recorded), roster(running));

    List<String> found = new ArrayList<>();
    for (AgentRosterEntry agent : roster(recorded)) {
      AgentRosterEntry inPlace = roster.inPlaceOf(agent.agentName());
      found.add(agent.agentName() + "-" + (inPlace == null ? "none" : inPlace.agentName()));
    }
    assertThat(String.join(" ", found)).isEqualTo(expected);
    assertThat(roster.inPlaceOf("unknown")).isNull();
  }

  @Test
  void agents_of_a_verification_run_in_place_of_those_with_their_name() {
    RunningRoster roster = RunningRoster.byName(roster("hA tB"));

    assertThat(roster.inPlaceOf("B")).isEqualTo(roster("tB").get(0));
    assertThat(roster.inPlaceOf("C")).isNull();
  }
}

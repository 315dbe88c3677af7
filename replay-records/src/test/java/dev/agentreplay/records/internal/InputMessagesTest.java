package dev.agentreplay.records.internal;

import static dev.agentreplay.records.internal.ThreeRounds.BLUE;
import static dev.agentreplay.records.internal.ThreeRounds.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.TraceMessage.Type;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputMessagesTest {

  @ParameterizedTest
  @CsvSource({
    "Olga, DELTA, true",
    "Omar, EVIDENCE, true",
    "Blue, KICKOFF, true",
    "Blue, ADMIN, true",
    "Blue, ACK, true",
    "Blue, DELTA, false",
    "Blue, CRITIQUE, false",
    "Blue, EVIDENCE, false",
    "Blue, RESULT, false",
    "Blue, COMPILE, false",
    "Blue, PUBLISH, false",
    "Ghost, RESULT, false",
    "olga, DELTA, false",
  })
  void message_is_an_input_by_its_type_and_its_sender(String from, Type type, boolean isInput) {
    TraceMessage message = TraceMessage.of(ThreeRounds.time(0, 0), from, type, "x");

    assertThat(InputMessages.of(RECORD).isInput(message)).isEqualTo(isInput);
  }

  @Test
  void agent_of_the_roster_that_acts_as_an_operator_is_an_agent() {
    AgentRosterEntry omar = AgentRosterEntry.of("Omar", BLUE.role(), "p", "m");
    AgentRosterEntry olga = AgentRosterEntry.of("Olga", BLUE.role(), "p", "m");
    SessionRecord record = RECORD.withInputs(RECORD.inputs().withAgentRoster(List.of(omar, olga)));

    assertThat(InputMessages.of(RECORD).operators()).containsExactlyInAnyOrder("Olga", "Omar");
    assertThat(InputMessages.of(record).operators()).isEmpty();
  }

  @Test
  void operator_of_the_recorded_session_is_one_of_the_replay_unless_it_is_an_agent_there() {
    SessionRecord empty =
        RECORD.withTrace(RECORD.trace().withRounds(List.of()).withInterventions(List.of()));
    AgentRosterEntry omar = AgentRosterEntry.of("Omar", BLUE.role(), "p", "m");
    SessionRecord other = empty.withInputs(RECORD.inputs().withAgentRoster(List.of(omar)));

    assertThat(InputMessages.ofReplay(empty, RECORD).operators())
        .containsExactlyInAnyOrder("Olga", "Omar");
    assertThat(InputMessages.ofReplay(other, RECORD).operators()).containsExactly("Olga");
    assertThat(InputMessages.ofReplay(RECORD, empty).operators())
        .containsExactlyInAnyOrder("Olga", "Omar");
  }

  @Test
  void turns_of_a_round_end_with_the_last_message_of_an_agent() {
    InputMessages rule = InputMessages.of(RECORD);
    List<TraceMessage> messages = RECORD.trace().rounds().get(0).messages();

    assertThat(rule.endOfTurns(messages)).isEqualTo(3);
    assertThat(rule.endOfTurns(messages.subList(0, 2))).isEqualTo(2);
    assertThat(rule.endOfTurns(messages.subList(0, 1))).isEqualTo(1);
    assertThat(rule.endOfTurns(List.of())).isZero();
  }
}

package dev.agentreplay.canonical.commitment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers that a commitment covers. */
class CommittedLineTest {

  @ParameterizedTest
  @CsvSource({"1e3,1000.0", "1.50,1.5", "0.10,0.1", "1E2,100.0"})
  void numbers_of_a_line_get_their_canonical_literals(String written, String committed) {
    JsonObject line = JsonText.parse("{\"a\":[{\"b\":%s}]}".formatted(written)).asObject();

    assertThat(CommittedLine.of(line, CanonicalJson.SERDE))
        .hasToString("{\"a\":[{\"b\":%s}]}".formatted(committed));
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "123456789012345", "1234567890123456", "-0.5", "18446744073709551615"})
  void line_whose_numbers_are_canonical_is_committed_itself(String number) {
    JsonObject line = JsonText.parse("{\"a\":%s}".formatted(number)).asObject();

    assertThat(CommittedLine.of(line, CanonicalJson.SERDE)).isSameAs(line);
  }

  @Test
  void number_that_the_canonicalization_would_round_stays_as_it_is() {
    JsonObject line = JsonText.parse("{\"a\":9007199254740993,\"b\":1}").asObject();

    assertThat(CommittedLine.of(line, CanonicalJson.JCS)).hasToString(line.toString());
    assertThat(CommittedLine.of(line, null)).isSameAs(line);
  }
}

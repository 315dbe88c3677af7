package dev.agentreplay.engine.exchange;

import static dev.agentreplay.engine.exchange.TestExchanges.line;
import static dev.agentreplay.engine.exchange.TestExchanges.match;
import static dev.agentreplay.engine.exchange.TestExchanges.miss;
import static dev.agentreplay.engine.exchange.TestExchanges.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule by which a request is matched, and the order in which exchanges are taken. */
class ExchangeMatcherTest {

  @TempDir
  Path directory;

  @Test
  void one_of_many_concurrent_calls_is_matched_under_a_tolerance() throws Exception {
    int calls = 300;
    TestExchanges recorded = new TestExchanges();
    for (int i = 0; i < calls; i++) {
      recorded.add(tool("t", JsonObject.of("x", 10.0 * i)));
    }
    try (RecordedExchanges recording = recorded.read(directory, Tolerance.parse("/params/x=0.1"))) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      for (int i = calls - 1; i >= 0; i--) {
        assertThat(match(matcher, tool("t", JsonObject.of("x", 10.0 * i + 0.05))))
            .isEqualTo("rules " + line(i));
      }
    }
  }

  @Test
  void a_miss_says_that_there_are_too_many_to_compare_under_the_rules() throws Exception {
    int calls = ExchangeMatcher.MAX_COMPARED + 1;
    TestExchanges recorded = new TestExchanges();
    for (int i = 0; i < calls; i++) {
      recorded.add(tool("t", JsonObject.of("x", 10.0 * i)));
    }
    try (RecordedExchanges recording = recorded.read(directory, Tolerance.parse("/params/x=0.1"))) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      assertThat(match(matcher, tool("t", JsonObject.of("x", 10.0 * calls - 20 + 0.05))))
          .isEqualTo("rules " + line(calls - 2));
      assertThat(match(matcher, tool("t", JsonObject.of("x", 0.05)))).isEqualTo("rules 2");
      assertThat(miss(matcher, tool("t", JsonObject.of("x", 5))).message())
          .contains("it differs from what was recorded\n");
    }
    try (RecordedExchanges recording = recorded.add(tool("t", JsonObject.of("x", 0.0)))
        .read(directory, Tolerance.parse("/params/x=0.1"))) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      assertThat(miss(matcher, tool("t", JsonObject.of("x", 5))).message())
          .contains("it differs from what was recorded; too many to compare all of them under the"
              + " rules\n");
    }
  }
}

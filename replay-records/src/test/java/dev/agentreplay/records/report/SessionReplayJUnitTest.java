package dev.agentreplay.records.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;

class SessionReplayJUnitTest {

  private static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private static int count(Document document, String element) {
    return document.getElementsByTagName(element).getLength();
  }

  @ParameterizedTest
  @CsvSource({"NONE,5,0", "MINOR,5,0", "MODERATE,4,1", "MAJOR,4,1"})
  void less_severe_divergence_passes_with_its_output(Severity failOn, int failures, int outputs)
      throws Exception {
    Document document = parse(SessionReplayJUnit.render(Replays.verified(), failOn));

    assertThat(count(document, "failure")).isEqualTo(failures); // one is the verdict
    assertThat(count(document, "system-out")).isEqualTo(outputs);
    assertThat(count(document, "error")).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("dev.agentreplay.records.report.SessionReplayJsonTest#results")
  void totals_are_the_numbers_of_the_elements(SessionReplayResult result) throws Exception {
    Document document = parse(SessionReplayJUnit.render(result));

    for (String total : new String[] {"testcase tests", "failure failures", "error errors"}) {
      String[] names = total.split(" ");
      assertThat(document.getDocumentElement().getAttribute(names[1]))
          .isEqualTo(Integer.toString(count(document, names[0])));
    }
  }

  @Test
  void undecided_and_incomplete_sessions_are_errors() throws Exception {
    assertThat(count(parse(SessionReplayJUnit.render(Replays.undecided())), "error"))
        .isEqualTo(2);
    assertThat(SessionReplayJUnit.render(Replays.incomplete()))
        .contains("<error type=\"incomplete\" message=\"Replay is incomplete: 2 of 3 rounds.\">");
  }

  @Test
  void inputs_are_not_test_cases() throws Exception {
    String report = SessionReplayJUnit.render(Replays.matched());

    assertThat(report).doesNotContain("Operator", "ACK", "failure type", "error type");
    assertThat(count(parse(report), "testcase")).isEqualTo(9 + 1);
  }
}

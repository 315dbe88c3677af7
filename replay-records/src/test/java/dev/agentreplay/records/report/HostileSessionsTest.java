package dev.agentreplay.records.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.SessionMatrix;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** Recorded text is shown, never obeyed. */
class HostileSessionsTest {

  private static final SessionReplayResult HOSTILE = Replays.hostile(Hostile.TEXTS);
  private static final Pattern CODE = Pattern.compile(
      "(?s)(?<fence>`{3,})diff\n.*?\n\\k<fence>\n|(?<span>`+)(?!`).*?(?<!`)\\k<span>(?!`)");

  private static void assertIsVisible(String report) {
    assertThat(report.codePoints().filter(c -> c != '\n'))
        .noneMatch(c -> Character.getType(c) == Character.CONTROL
            || Character.getType(c) == Character.FORMAT
            || Character.getType(c) == Character.LINE_SEPARATOR);
  }

  @Test
  void text_has_nothing_that_a_terminal_obeys() throws IOException {
    String report = SessionReplayText.render(HOSTILE, TextOptions.defaults().withFull(true));
    assertIsVisible(report);
    assertThat(report).contains("␛[31m", "Semantic match");
    for (MessagePair pair : HOSTILE.alignment()) {
      assertIsVisible(SessionReplayText.render(HOSTILE, pair, TextOptions.defaults()));
    }
    assertIsVisible(SessionReplayText.render(SessionMatrix.of(
        List.of(new SessionMatrix.Comparison(Hostile.TEXTS.get(3) + "x".repeat(300), HOSTILE)))));
  }

  @Test
  void trace_has_nothing_that_a_terminal_obeys() throws IOException {
    Replays.Session session = Replays.session()
        .withRounds(List.of(Hostile.TEXTS.stream()
            .map(text -> new Replays.Said(text, Type.DELTA, text))
            .toList()));
    String report = SessionReplayText.render(Replays.trace(session, session.texts()));
    assertIsVisible(report);
    assertThat(report).contains("␛[31m");
  }

  @Test
  void markdown_has_recorded_text_as_code_only() throws IOException {
    String report = SessionReplayMarkdown.render(HOSTILE);
    assertIsVisible(report);
    String withoutCode = CODE.matcher(report).replaceAll("");
    assertThat(withoutCode).doesNotContain("@someone", "#123", "script", "alert", "img", "`");
    int blocks = report.split("<details>", -1).length;
    assertThat(withoutCode.split("</details>", -1)).hasSize(blocks);
    String matrix = SessionReplayMarkdown.render(
        SessionMatrix.of(List.of(new SessionMatrix.Comparison(Hostile.TEXTS.get(2), HOSTILE))));
    assertThat(CODE.matcher(matrix).replaceAll("")).doesNotContain("@someone", "#123", "`");
  }

  @Test
  void xml_is_read_by_a_parser_and_has_the_texts_visibly() throws Exception {
    String report = SessionReplayJUnit.render(HOSTILE);
    Document document = DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(report.getBytes(StandardCharsets.UTF_8)));

    assertThat(document.getElementsByTagName("testcase").getLength())
        .isEqualTo(HOSTILE.alignment().size() + 1);
    assertThat(document.getDocumentElement().getTextContent())
        .contains("</script><script>", "␛[31m");
  }

  @Test
  void page_has_recorded_text_as_data_only() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SessionReplayPage.render(HOSTILE, out);
    String page = out.toString(StandardCharsets.UTF_8);

    assertThat(page.split("<script", -1)).hasSize(3);
    String data = page.substring(page.indexOf("id=\"data\">") + 10, page.lastIndexOf("<script>"));
    assertThat(data.replaceFirst("</script>\\s*$", "")).doesNotContain("<", ">", "&", "\u2028");
  }
}

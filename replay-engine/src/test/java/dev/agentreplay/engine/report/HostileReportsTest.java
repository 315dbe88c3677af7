package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.SessionDiff;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Recorded text is shown, never obeyed. */
class HostileReportsTest {

  private static final SessionDiff HOSTILE = TestDiffs.hostile();

  @Test
  void text_holds_nothing_that_a_terminal_obeys() {
    String report = TextReport.render(HOSTILE, TextOptions.defaults().withFull(true));

    assertThat(report).contains("␛[2J", "tool");
    assertThat(report.replace("\n", "").codePoints())
        .noneMatch(c ->
            Character.getType(c) == Character.CONTROL || Character.getType(c) == Character.FORMAT);
  }

  @Test
  void markdown_holds_recorded_text_as_code_only() {
    String report = MarkdownReport.render(HOSTILE);

    assertThat(report.codePoints().filter(c -> c != '\n'))
        .noneMatch(c ->
            Character.getType(c) == Character.CONTROL || Character.getType(c) == Character.FORMAT);
    String withoutCode = MarkdownCode.removedFrom(report);
    assertThat(withoutCode).doesNotContain("@somebody", "#123", "<script>", "alert", "`");
    assertThat(withoutCode.split("</details>", -1)).hasSize(3);
    assertThat(withoutCode.split("<details>", -1)).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a|b", "a\\|b", "a\\\\|b", "||", "\\", "|\\", "`|`", ""})
  void cell_of_a_table_has_no_bar_that_is_not_escaped(String text) {
    String cell = MarkdownText.cell(text);

    // a parser in which backslashes pair up, and one in which any before a bar escapes it
    assertThat(cell.replaceAll("\\\\.", "")).doesNotContain("|");
    assertThat(cell).doesNotContainPattern("(?<!\\\\)\\|");
  }

  @Test
  void xml_is_read_by_a_parser_and_holds_what_was_recorded_visibly() throws Exception {
    Document document = parse(JUnitReport.render(HOSTILE));

    Element failure = (Element) document.getElementsByTagName("failure").item(0);
    assertThat(failure.getTextContent())
        .contains("</details><script>alert(1)</script>]]>&amp;")
        .contains("\ufffd␀␍");
    assertThat(failure.getAttribute("message")).contains("␛[2J", "returned a different output");
  }

  @Test
  void xml_has_a_case_for_each_step_and_a_failure_for_each_that_matters() throws Exception {
    Element suite = (Element) parse(JUnitReport.render(TestDiffs.mixed()))
        .getElementsByTagName("testsuite")
        .item(0);

    List<Element> cases = IntStream.range(
            0, suite.getElementsByTagName("testcase").getLength())
        .mapToObj(i -> (Element) suite.getElementsByTagName("testcase").item(i))
        .toList();
    assertThat(cases).hasSize(8);
    assertThat(cases).extracting(c -> c.getAttribute("name")).doesNotHaveDuplicates();
    assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(6);
    assertThat(suite.getAttribute("tests")).isEqualTo("8");
    assertThat(suite.getAttribute("failures")).isEqualTo("6");
  }

  @Test
  void invisible_difference_is_reported() {
    SessionDiff diff = TestDiffs.of(
        "tool", TestDiffs.change(DivergenceKind.OUTPUT, "/output", "a\u200bb", "a\u202eb"));

    assertThat(TextReport.render(diff))
        .contains("- a\ufffdb", "+ a\ufffdb", "U+200B became U+202E, which are not shown");
  }

  private static Document parse(String xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }
}

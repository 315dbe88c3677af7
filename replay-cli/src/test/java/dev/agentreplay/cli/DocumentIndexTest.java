package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.cli.MarkdownDocument.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The lists at the beginning of long documents have all of their sections. */
class DocumentIndexTest {

  private static final Pattern AREA = Pattern.compile("- (\\[.*]\\(#.*\\)) \\((\\d+)\\)");
  private static final Pattern GROUP = Pattern.compile("\\*\\*(.*)\\*\\*");
  private static final Pattern SCHEMA = Pattern.compile(".* \\((replay\\.[a-z-]+/\\d+)\\)");
  private static final Pattern ROW =
      Pattern.compile("\\| (\\[`replay\\.[a-z-]+/\\d+`]\\(.*?\\)) \\|.*");

  @Test
  void decisions_are_in_the_index_of_their_area() throws IOException {
    Map<String, List<String>> areas = new LinkedHashMap<>();
    for (Section section : sections("decisions.md")) {
      if (section.level() == 2) {
        areas.put(section.title(), new ArrayList<>());
      } else if (section.level() == 3) {
        List<String> all = new ArrayList<>(areas.values()).get(areas.size() - 1);
        all.add(link(section.title(), section.title()));
      }
    }
    areas.keySet().removeAll(List.of("Areas", "Index"));
    List<String> numbers = areas.values().stream()
        .flatMap(List::stream)
        .map(decision -> decision.substring(1, decision.indexOf('.')))
        .toList();

    assertThat(numbers).hasSizeGreaterThan(200).doesNotHaveDuplicates();
    assertThat(index(text("decisions.md", "Index"))).isEqualTo(areas);
    Map<String, Integer> expected = new LinkedHashMap<>();
    areas.forEach((area, decisions) -> expected.put(link(area, area), decisions.size()));
    Map<String, Integer> stated = new LinkedHashMap<>();
    for (String line : text("decisions.md", "Areas").lines().toList()) {
      Matcher area = AREA.matcher(line);
      if (area.matches()) {
        stated.put(area.group(1), Integer.valueOf(area.group(2)));
      }
    }
    assertThat(stated).isEqualTo(expected);
    assertThat(stated.keySet()).containsExactlyElementsOf(expected.keySet());
  }

  /** The links of an index below the name of their area. */
  private static Map<String, List<String>> index(String text) {
    Map<String, List<String>> index = new LinkedHashMap<>();
    List<String> links = List.of();
    for (String line : text.lines().toList()) {
      Matcher group = GROUP.matcher(line);
      if (group.matches()) {
        links = new ArrayList<>();
        index.put(group.group(1), links);
      } else if (line.startsWith("- ")) {
        links.add(line.substring(2));
      }
    }
    return index;
  }

  @Test
  void schemas_of_reports_are_in_the_table() throws IOException {
    List<Section> sections = sections("reports.md");
    List<String> rows = new ArrayList<>();
    for (String line : sections.get(0).text().lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.add(row.group(1));
      }
    }
    List<String> links = new ArrayList<>();
    for (Section section : sections) {
      Matcher title = SCHEMA.matcher(section.title());
      if (title.matches()) {
        links.add(link("`" + title.group(1) + "`", section.title()));
      }
    }

    assertThat(links).hasSizeGreaterThan(15);
    assertThat(rows).doesNotHaveDuplicates().containsAll(links);
  }

  private static String link(String text, String heading) {
    return "[" + text + "](#" + LinksTest.slug(heading) + ")";
  }

  private static List<Section> sections(String document) throws IOException {
    return MarkdownDocument.read(MarkdownDocument.ROOT.resolve("docs/" + document))
        .sections();
  }

  private static String text(String document, String section) throws IOException {
    return MarkdownDocument.read(MarkdownDocument.ROOT.resolve("docs/" + document))
        .section(section)
        .text();
  }
}

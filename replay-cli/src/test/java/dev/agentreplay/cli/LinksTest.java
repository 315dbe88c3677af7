package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every relative link in the documents leads to a file, and its fragment to a heading in it. Links
 * with a scheme, such as https, are not followed.
 */
@Tag("documents")
class LinksTest {

  private static final Pattern INLINE = Pattern.compile(
      "!?\\[(?:[^\\[\\]]|\\[[^\\[\\]]*])*]\\(<?([^()\\s>]+)>?(?:\\s+\"[^\"]*\")?\\)");
  private static final Pattern REFERENCE =
      Pattern.compile("(?m)^ {0,3}\\[[^\\]]+]:\\s+<?(\\S+?)>?$");
  private static final Pattern HTML =
      Pattern.compile("<(?:a|img)\\s[^>]*(?:href|src)=\"([^\"]+)\"");
  private static final Pattern SCHEME = Pattern.compile("^[a-zA-Z][a-zA-Z0-9+.-]*:.*");
  private static final Pattern HEADING = Pattern.compile("^ {0,3}#{1,6}\\s+(.*?)(?:\\s+#+)?\\s*$");
  private static final Pattern NAMED = Pattern.compile("<a\\s+(?:name|id)=\"([^\"]+)\"");

  @TempDir
  Path directory;

  static List<Path> documents() throws IOException {
    return MarkdownDocument.all();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void relative_links_lead_to_files_and_headings(Path document) throws IOException {
    assertThat(brokenLinks(document)).isEmpty();
  }

  @Test
  void documents_that_javadoc_names_exist() throws IOException {
    Pattern name = Pattern.compile("docs/[\\w/-]+\\.(md|json)");
    List<String> names = new ArrayList<>();
    for (Path source : WordsTest.sources()) {
      name.matcher(Files.readString(source)).results().map(MatchResult::group).forEach(names::add);
    }
    assertThat(names)
        .hasSizeGreaterThan(20)
        .allSatisfy(file -> assertThat(MarkdownDocument.ROOT.resolve(file)).exists());
  }

  @Test
  void documents_have_links_to_files_and_headings() throws IOException {
    List<String> links = new ArrayList<>();
    for (Path document : documents()) {
      links.addAll(links(Files.readString(document)));
    }
    assertThat(links).contains("docs/format.md", "receipts.md#signatures", "#hashes");
  }

  @Test
  void broken_links_are_found() throws IOException {
    Files.writeString(
        directory.resolve("other.md"),
        """
        # Proofs & `paths` (RFC 6962)
        ## Limits
        ## Limits
        ```
        ## In a block
        ```
        """);
    Path document = directory.resolve("document.md");
    Files.writeString(
        document,
        """
        # A title
        [file](other.md) [web](https://example.org/none) [mail](mailto:a@example.org)
        [heading](other.md#proofs--paths-rfc-6962) [first](other.md#limits) ![picture](none.svg)
        [second](other.md#limits-1) [third](other.md#limits-2) [own](#a-title) [none](#b-title)
        [block](other.md#in-a-block) [folder](../) [case](other.md#Limits) [gone](gone.md#limits)
        `[code](code.md)` [`a`][reference] <a href="html.md">page</a>

        ```
        [block](block.md)
        ```

        [reference]: referred.md
        """);

    assertThat(brokenLinks(document))
        .containsExactly(
            "none.svg",
            "other.md#limits-2",
            "#b-title",
            "other.md#in-a-block",
            "other.md#Limits",
            "gone.md#limits",
            "referred.md",
            "html.md");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Merkle tree | merkle-tree",
        "13. Align steps, by content | 13-align-steps-by-content",
        "Recovery report (replay.recover/1) | recovery-report-replayrecover1",
        "`verify --format json` | verify---format-json",
        "LangChain4j & JUnit | langchain4j--junit",
        "under_scores stay | under_scores-stay",
        "[A link](to.md) in *it* | a-link-in-it",
        "Größe | größe"
      })
  void anchor_of_a_heading_is_that_of_github(String heading, String anchor) {
    assertThat(anchors("## " + heading)).containsExactly(anchor);
  }

  private static List<String> brokenLinks(Path document) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String link : links(Files.readString(document))) {
      int hash = link.indexOf('#');
      String path = hash < 0 ? link : link.substring(0, hash);
      String anchor = hash < 0 ? null : decoded(link.substring(hash + 1));
      Path target =
          path.isEmpty() ? document : document.resolveSibling(decoded(path)).normalize();
      boolean isThere = Files.exists(target)
          && (anchor == null
              || MarkdownDocument.isMarkdown(target)
                  && anchors(Files.readString(target)).contains(anchor));
      if (!isThere) {
        broken.add(link);
      }
    }
    return broken;
  }

  /** The relative links of a document outside of code. */
  private static List<String> links(String markdown) {
    String text = MarkdownDocument.withoutBlocks(markdown)
        .replaceAll("(`+)[^`](?:.*?[^`])??\\1(?!`)", "code");
    List<String> links = new ArrayList<>();
    for (Pattern pattern : List.of(INLINE, REFERENCE, HTML)) {
      Matcher found = pattern.matcher(text);
      while (found.find()) {
        if (!SCHEME.matcher(found.group(1)).matches()) {
          links.add(found.group(1));
        }
      }
    }
    return links;
  }

  /** The anchors that GitHub gives to the headings of a document, and those named in HTML. */
  private static Set<String> anchors(String markdown) {
    Set<String> anchors = new HashSet<>();
    String text = MarkdownDocument.withoutBlocks(markdown);
    for (String line : text.split("\n")) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String slug = slug(heading.group(1));
        String anchor = slug;
        for (int n = 1; !anchors.add(anchor); n++) {
          anchor = slug + "-" + n;
        }
      }
    }
    Matcher named = NAMED.matcher(text);
    while (named.find()) {
      anchors.add(named.group(1));
    }
    return anchors;
  }

  /** Lower case, without punctuation but hyphens and underscores, and with hyphens for spaces. */
  static String slug(String heading) {
    return heading
        .replaceAll("!?\\[([^\\]]*)]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{M}\\p{N}_\\- ]", "")
        .replace(' ', '-');
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}

package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of pages, and what all pages have in common. */
final class PageData {

  private static final Pattern DATA = Pattern.compile(
      "<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

  private PageData() {}

  /** The text of the data of a page. */
  static String text(String page) {
    Matcher data = DATA.matcher(page);
    assertThat(data.find()).isTrue();
    return data.group(1);
  }

  static JsonObject of(String page) {
    return JsonText.parse(text(page)).asObject();
  }

  /** Fails unless a value is the approved one. */
  static void assertApproved(JsonObject actual, String name) throws IOException {
    String text = JsonText.pretty(actual) + "\n";
    Path kept = Files.createDirectories(Path.of("target/reports"));
    Files.writeString(kept.resolve(name), text);
    try (InputStream in = PageData.class.getResourceAsStream("/reports/" + name)) {
      assertThat(text)
          .as(
              "to approve it, from replay-engine:"
                  + " cp target/reports/%s src/test/resources/reports/",
              name)
          .isEqualTo(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Fails unless the page permits its own script and style only, and contains no other. */
  static void assertLocked(String page) throws Exception {
    assertLocked(page, "'none'");
  }

  /** The same of a page that also shows the images that it contains. */
  static void assertLockedWithImages(String page) throws Exception {
    assertLocked(page, "data:");
  }

  private static void assertLocked(String page, String images) throws Exception {
    Matcher policy =
        Pattern.compile("Content-Security-Policy\" content=\"([^\"]*)\"").matcher(page);
    assertThat(policy.find()).isTrue();
    assertThat(policy.group(1).split("; "))
        .containsExactly(
            "default-src 'none'",
            "script-src " + source(between(page, "<script>", "</script>")),
            "style-src " + source(between(page, "<style>", "</style>")),
            "img-src " + images,
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'");
    assertThat(page).doesNotContain("style=\"", "innerHTML", "insertAdjacentHTML", "eval(");
    assertThat(text(page)).doesNotContain("<", ">", "&", "\u2028", "\u2029");
    assertThat(page.split("<script", -1)).hasSize(3);
  }

  private static String between(String page, String begin, String end) {
    int from = page.indexOf(begin) + begin.length();
    return page.substring(from, page.indexOf(end, from));
  }

  private static String source(String text) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
  }
}

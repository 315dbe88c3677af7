package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of a conversation in a browser: headless Chromium, where there is one. */
class ConversationPageBrowserTest extends PageBrowserTest {

  private static final String CURRENT = "document.querySelector('article.current').id";
  private static final String SHOWN = "document.getElementById('shown').textContent";
  private static final String PAGE = "document.body.innerText";

  private Path compared;
  private Path traced;

  @BeforeAll
  void start() throws IOException {
    compared = page("compared", TestConversations.compared());
    traced = page("traced", TestConversations.traced());
  }

  private static Path page(String name, Conversation conversation) throws IOException {
    Path page = home.resolve(name + ".html");
    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(conversation, out);
    }
    return page;
  }

  @Override
  void open(Path page, String fragment) throws IOException {
    browser.open(page, fragment);
    browser.await("document.querySelector('.message .body')");
  }

  private String text(String address) throws IOException {
    browser.await("document.querySelector('#" + address + " .body')");
    return browser.text("document.getElementById('" + address + "').innerText");
  }

  @Test
  void page_shows_rounds_messages_and_the_verdict() throws IOException {
    open(compared, "");
    assertThat(browser.text("document.title")).isEqualTo("Verification of RS20260101-cell-fate");
    assertThat(browser.text("document.getElementById('verdict').innerText"))
        .contains("Diverged", "Significant divergence in adversarial critique", "83.41%", "7/10");
    assertThat(browser.text("document.querySelector('.notices').innerText"))
        .contains("protocol_versions.role_prompts differs");
    assertThat(browser.text("document.querySelectorAll('.round').length")).isEqualTo("3");
    assertThat(browser.text(SHOWN)).isEqualTo("13 messages");
    assertThat(text("r0m1")).contains("BlueLake", "hypothesis generator", "DELTA", "matched", "H2");
    assertThat(browser.text(PAGE)).doesNotContain("undefined", "null", "NaN", "[object");
  }

  @Test
  void pair_is_side_by_side_with_its_differences_marked() throws IOException {
    open(compared, "#r0m2");
    assertThat(text("r0m2")).contains("recorded", "replay", "minor", "Text similarity 97%");
    assertThat(browser.text("document.querySelector('#r0m2 del').textContent")).isEqualTo("5");
    assertThat(browser.text("document.querySelector('#r0m2 ins').textContent")).isEqualTo("10");
    assertThat(text("r1m2")).contains("KILL H2", "does not have this message");
    assertThat(text("a1m4")).contains("Only the replay has this message", "blind");
    assertThat(text("r2m1")).contains("undecided", "The text of this message is missing.");
  }

  @Test
  void keys_step_through_messages_divergences_and_rounds() throws IOException {
    open(compared, "");
    browser.type("n");
    assertThat(browser.text(CURRENT)).isEqualTo("r0m0");
    browser.type("nn");
    assertThat(browser.text(CURRENT)).isEqualTo("r0m2");
    assertThat(browser.text("location.hash")).isEqualTo("#r0m2");
    assertThat(browser.text("document.activeElement.id")).isEqualTo("r0m2");
    browser.type("p");
    assertThat(browser.text(CURRENT)).isEqualTo("r0m1");
    browser.type("Nd");
    assertThat(browser.text(CURRENT)).isEqualTo("r0m3");
    browser.type("dN");
    assertThat(browser.text(CURRENT)).isEqualTo("a1m4");
    browser.type("PD");
    assertThat(browser.text(CURRENT)).isEqualTo("r0m3");
    browser.type("r");
    assertThat(browser.text(CURRENT)).isEqualTo("r1m0");
    browser.type("rr");
    assertThat(browser.text(CURRENT)).isEqualTo("r2m0");
    assertThat(browser.text("document.getElementById('said').textContent"))
        .isEqualTo("No more rounds");
    browser.type("R");
    assertThat(browser.text(CURRENT)).isEqualTo("r1m0");
    browser.type("\uE00C");
    assertThat(browser.text("document.querySelectorAll('article.current').length + location.hash"))
        .isEqualTo("0");
    browser.type("?");
    assertThat(browser.text("document.getElementById('keys').open")).isEqualTo("true");
    browser.type("\uE00C");
    assertThat(browser.text("document.getElementById('keys').open")).isEqualTo("false");
  }

  @Test
  void current_message_is_on_the_screen_below_the_tools() throws IOException {
    open(compared, "#r2m2");
    String top = "document.querySelector('article.current').getBoundingClientRect().top";
    String tools = "document.getElementById('filter').getBoundingClientRect().bottom";
    browser.await(top + " >= " + tools);
    browser.await(top + " < innerHeight / 2");
    browser.resize(420, 800);
    open(compared, "#r2m2");
    browser.await(top + " >= " + tools);
    browser.await(top + " < innerHeight / 2");
    assertThat(browser.text("document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo("true");
  }

  @Test
  void search_shows_the_messages_that_contain_a_text() throws IOException {
    open(compared, "");
    browser.type("/determinant\uE007");
    browser.await(SHOWN + " === '3 of 13 messages'");
    assertThat(browser.text(CURRENT)).isEqualTo("r0m1");
    browser.type("nn");
    assertThat(browser.text(CURRENT)).isEqualTo("r2m1");
    browser.type("\uE00C");
    assertThat(browser.text(SHOWN)).isEqualTo("13 messages");
    browser.run("const e = document.getElementById('diverged'); e.click()");
    assertThat(browser.text(SHOWN)).isEqualTo("5 of 13 messages");
    browser.run("const e = document.getElementById('sender'); e.value = 'RedHill';"
        + "e.dispatchEvent(new Event('change', {bubbles: true}))");
    assertThat(browser.text(SHOWN)).isEqualTo("2 of 13 messages");
  }

  @Test
  void page_without_a_comparison_jumps_to_what_is_altered() throws IOException {
    open(traced, "");
    assertThat(text("r0m0")).contains("text matches its hash", "In two paragraphs.");
    browser.type("N");
    assertThat(browser.text(CURRENT)).isEqualTo("r0m1");
    assertThat(text("r0m1")).contains("The stored text was altered");
    assertThat(browser.text("document.querySelectorAll('.pair').length")).isEqualTo("0");
  }

  @Test
  void address_of_a_missing_message_is_reported() throws IOException {
    open(compared, "#r7m1");
    assertThat(browser.text("document.getElementById('said').textContent"))
        .isEqualTo("#r7m1 is not in this file");
  }

  @Test
  void hostile_texts_are_shown_as_text() throws IOException {
    open(page("hostile", TestConversations.hostile()), "#r0m0");
    browser.run("window.dispatchEvent(new Event('beforeprint'))");
    assertThat(browser.text("window.pwned")).isEqualTo("undefined");
    assertThat(browser.text("({}).polluted")).isEqualTo("undefined");
    assertThat(browser.text("document.querySelectorAll('img, svg, b:not(.figure b)').length"))
        .isEqualTo("0");
    assertThat(browser.text(PAGE))
        .contains("<script>window.pwned = 1</script>", "U+202E", "␛")
        .doesNotContain("\u202e", "\u001b");
  }

  @Test
  void thousand_messages_are_stepped_through() throws IOException {
    open(page("long", TestConversations.ofLength(1_000)), "");
    assertThat(browser.text(SHOWN)).isEqualTo("1,000 messages");
    browser.type("rrrrrrrrr");
    assertThat(browser.text(CURRENT)).isEqualTo("r8m0");
    browser.type("NN");
    assertThat(browser.text(CURRENT)).isEqualTo("r8m19");
    browser.await("document.querySelectorAll('.message .body').length >= 1000");
  }

  @Test
  void print_has_all_messages_and_no_tools() throws IOException {
    open(compared, "");
    browser.emulate("print", "light");
    browser.await("document.querySelectorAll('.bodies').length === 13");
    assertThat(browser.text(PAGE)).contains("KILL H2", "Diverged").doesNotContain("Search");
    assertThat(browser.text("getComputedStyle(document.getElementById('filter')).display"))
        .isEqualTo("none");
  }

  @Test
  void each_message_has_a_name_for_a_screen_reader() throws IOException {
    open(compared, "");
    assertThat(browser.text("[...document.querySelectorAll('article')]"
            + ".every((each) => each.getAttribute('aria-label').length > 10)"))
        .isEqualTo("true");
    assertThat(browser.text("[...document.querySelectorAll('button, select, input')]"
            + ".filter((each) => !(each.textContent.trim() || each.getAttribute('aria-label')"
            + " || each.labels?.length)).length"))
        .isEqualTo("0");
  }
}

package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tree of forks in the page of a folder in a browser. */
class ForksBrowserTest extends PageBrowserTest {

  private static final String TREE =
      "[...document.querySelectorAll('.session')].map((row) => row.ariaLevel + ' '"
          + " + row.querySelector('.path').textContent + (row.ariaExpanded ?? '')).join('\\n')";
  private static final String ALL =
      """
      1 invoicetrue
      2 fork-late
      2 fork-paidtrue
      3 fork-of-fork
      3 replay-of-fork
      1 orphan
      1 other""";
  private static final String SHOWN = "document.getElementById('shown').textContent";
  private static final String SELECTED_PATH =
      "document.querySelector('.session.selected .path').textContent";
  private static final String LEFT = "\ue012";
  private static final String RIGHT = "\ue014";
  private static final String DOWN = "\ue015";

  private Path page;

  @BeforeAll
  void start() throws IOException {
    Path sessions = ForkedFolders.small(home.resolve("sessions"));
    page = FolderPages.page(sessions, home.resolve("forks.html"), true);
  }

  @Override
  void open(Path shown, String fragment) throws IOException {
    browser.open(shown, fragment);
    browser.await("document.querySelector('.session')");
  }

  @Test
  void forks_and_replays_are_below_their_parents() throws IOException {
    open(page, "#sort=task");
    assertThat(browser.text("document.getElementById('grid').role")).isEqualTo("treegrid");
    assertThat(browser.text(TREE)).isEqualTo(ALL);
    assertThat(browser.text("document.body.innerText"))
        .contains(
            "at line 6: set /output/status to \"paid\"",
            "mock replay",
            "fork of gone (not in this folder) at line 4: set /output/status to \"lost\"")
        .doesNotContain("undefined", "null", "NaN", "[object");
    assertThat(browser.text("document.querySelectorAll('.origin')[1].title"))
        .startsWith("fork of invoice at line 6")
        .endsWith(
            "The parent is the session here with the id and the tree head that the fork states.");
  }

  @Test
  void keys_and_the_mark_hide_and_show_what_is_below() throws IOException {
    open(page, "#sort=task");
    browser.run("document.getElementById('grid').focus()");
    browser.type(DOWN + DOWN + DOWN + LEFT);
    assertThat(browser.text(TREE)).contains("2 fork-paidfalse").doesNotContain("fork-of-fork");
    assertThat(browser.text(SELECTED_PATH)).isEqualTo("fork-paid");
    browser.type(LEFT);
    assertThat(browser.text(SELECTED_PATH)).isEqualTo("invoice");
    browser.type(LEFT);
    assertThat(browser.text(TREE)).isEqualTo("1 invoicefalse\n1 orphan\n1 other");
    assertThat(browser.text(SHOWN)).isEqualTo("7 sessions");
    assertThat(browser.text("document.getElementById('foot').innerText")).contains("7 sessions");
    assertThat(browser.text("document.getElementById('said').textContent"))
        .isEqualTo("2 sessions below hidden");
    browser.type(RIGHT);
    assertThat(browser.text(TREE)).contains("2 fork-paidfalse").doesNotContain("fork-of-fork");
    browser.run("document.querySelectorAll('.twig')[1].click()");
    assertThat(browser.text(TREE)).isEqualTo(ALL);
  }

  @Test
  void number_of_hidden_sessions_is_of_those_that_the_filter_leaves() throws IOException {
    open(page, "#sort=task");
    search("fork-paid");
    browser.run("document.querySelector('.twig').click()");
    assertThat(browser.text("document.getElementById('said').textContent"))
        .isEqualTo("1 session below hidden");
  }

  @Test
  void hidden_session_that_is_selected_gives_the_selection_to_the_one_above() throws IOException {
    open(page, "#sort=task");
    browser.run("document.querySelectorAll('.session')[3].click()");
    assertThat(browser.text(SELECTED_PATH)).isEqualTo("fork-of-fork");
    browser.run("document.querySelector('.twig').click()");
    assertThat(browser.text(SELECTED_PATH)).isEqualTo("invoice");
  }

  @Test
  void search_keeps_what_is_above_the_hits() throws IOException {
    open(page, "#sort=task");
    browser.run("document.querySelector('.twig').click()");
    search("open");
    browser.await(SHOWN + ".startsWith('1 of 7')");
    assertThat(browser.text(TREE)).isEqualTo("1 invoicetrue\n2 fork-paidtrue\n3 fork-of-fork");
    assertThat(browser.text("[...document.querySelectorAll('.session')].map((row) =>"
            + " row.classList.contains('above')).join()"))
        .isEqualTo("true,true,false");
    assertThat(browser.text("document.querySelector('.origin mark').textContent"))
        .isEqualTo("open");
    assertThat(browser.text("document.getElementById('foot').innerText")).contains("1 session");
    search("");
    browser.await(SHOWN + " === '7 sessions'");
    assertThat(browser.text(TREE)).isEqualTo("1 invoicefalse\n1 orphan\n1 other");
  }

  @Test
  void table_without_the_tree_sorts_all_sessions() throws IOException {
    open(page, "#sort=time&flat=1");
    assertThat(browser.text("document.getElementById('grid').role")).isEqualTo("grid");
    assertThat(browser.text("document.querySelectorAll('.session')[6].innerText"))
        .contains("orphan");
    assertThat(browser.text("document.querySelectorAll('.session')[2].innerText"))
        .contains("fork of invoice at line 6");
    assertThat(browser.text(
            "document.querySelectorAll('.twig, [aria-level], [aria-expanded]').length"))
        .isEqualTo("0");
    browser.run("document.getElementById('nested').click()");
    browser.await("document.querySelector('[aria-level]')");
    assertThat(browser.text("document.getElementById('grid').role")).isEqualTo("treegrid");
  }
}

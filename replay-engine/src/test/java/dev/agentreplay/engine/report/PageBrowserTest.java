package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Tests of pages in a browser: headless Chromium, where there is one with its driver. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
abstract class PageBrowserTest {

  static final String SELECTED = "document.querySelector('.row[aria-selected=true]')";
  static final String DETAILS = "document.getElementById('details').textContent";

  @TempDir
  static Path home;

  Browser browser;

  @BeforeAll
  void useBrowser() throws IOException {
    browser = Browser.shared();
    if (browser == null) {
      String reason = "SKIPPED: pages in a browser: no chromium and chromedriver on the PATH";
      System.err.println("!!!! " + reason);
      assumeTrue(false, reason);
    }
  }

  @BeforeEach
  void reset() throws IOException {
    browser.emulate("", "light");
    browser.resize(1440, 900);
  }

  /** After every test: the console is empty, and nothing but the file was loaded. */
  @AfterEach
  void console_is_empty_and_nothing_is_requested() throws IOException {
    assertThat(browser.console()).isEmpty();
    assertThat(browser.requests()).allMatch(address -> address.startsWith("file:"));
  }

  void open(Path page, String fragment) throws IOException {
    browser.open(page, fragment);
    browser.await("document.querySelector('.row')");
  }

  /** Writes a page to a file. */
  static Path page(String name, Content content) throws IOException {
    Path page = home.resolve(name + ".html");
    try (OutputStream out = Files.newOutputStream(page)) {
      content.writeTo(out);
    }
    return page;
  }

  /** The writer of a page. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Enters a text to search for at once, and waits for the frame in which the page filters. */
  void search(String text) throws IOException {
    browser.run(
        "const q = document.getElementById('query'); q.value = arguments[0];"
            + "q.dispatchEvent(new Event('input', { bubbles: true }));"
            + "return new Promise((done) => requestAnimationFrame(() => done(true)));",
        text);
  }

  /** Presses a key, and opens all folds of the details, a number of times. */
  Opened pressAndOpenFolds(String key, int times) throws IOException {
    JsonValue opened = browser.run(
        """
        const nextTask = () => new Promise((done) => setTimeout(done));
        const selected = new Set();
        let folds = 0;
        const press = async () => {
          for (let i = 0; i < arguments[1]; i++) {
            document.body.dispatchEvent(
              new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }));
            await nextTask();
            selected.add(document.querySelector('.row[aria-selected=true]')?.textContent);
            const all = [...document.querySelectorAll('#details details')];
            all.forEach((fold) => { fold.open = true; });
            await nextTask();
            folds += all.filter((fold) => fold.children.length > 1).length;
          }
          return { rows: selected.size, folds };
        };
        return press();
        """,
        key,
        times);
    return new Opened(
        (int) opened.at("/rows").asLong(), (int) opened.at("/folds").asLong());
  }

  /** No recorded text became a script, an element or a member of all objects. */
  void assertNothingRan() throws IOException {
    browser.await(SELECTED);
    assertThat(browser.text("window.pwned")).isEqualTo("undefined");
    assertThat(browser.text("({}).polluted")).isEqualTo("undefined");
    assertThat(browser.text("document.scripts.length")).isEqualTo("2");
    assertThat(browser.text("document.querySelectorAll('img, [onerror], [onload]').length"))
        .isEqualTo("0");
  }

  /**
   * The details that a page has shown.
   *
   * @param rows the number of different rows that were selected
   * @param folds the number of folds with content that were opened
   */
  record Opened(int rows, int folds) {}
}

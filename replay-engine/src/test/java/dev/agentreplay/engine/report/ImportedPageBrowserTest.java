package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.ImportOptions;
import dev.agentreplay.convert.trace.TraceImporter;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of a session that was imported, in a browser. */
class ImportedPageBrowserTest extends PageBrowserTest {

  private static final Path TRACE =
      Path.of("../replay-convert/src/test/resources/traces/claude-code/sample_session.jsonl");

  private Path page;

  @BeforeAll
  void start() throws IOException {
    Path session = home.resolve("imported");
    TraceImporter.of(ImportOptions.defaults()).importFile(TRACE, session);
    page = ViewedSessions.page(Session.open(session));
  }

  @Test
  void rows_read_well_and_the_source_is_named() throws IOException {
    open(page, "");
    assertThat(browser.text("document.getElementById('list').textContent"))
        .contains(
            "imported from claude-code, sample_session.jsonl",
            "user: Create a hello world function",
            "user: Now add a goodbye function")
        .doesNotContain("imported: {", "imported_from: {", "[object");
    assertThat(browser.text("document.getElementById('overview').textContent"))
        .contains("imported fromclaude-code, sample_session.jsonl (sha256:");
  }

  @Test
  void message_of_a_user_is_a_chat_with_its_place_in_the_source() throws IOException {
    open(page, "#e5");
    assertThat(browser.text(DETAILS))
        .contains("sourceline 2, user", "userCreate a hello world function")
        .doesNotContain("gitBranch");
  }

  @Test
  void turn_has_its_prompt_and_answer_as_chats() throws IOException {
    open(page, "#e6");
    assertThat(browser.text(DETAILS))
        .contains("sourceline 3, assistant", "I'll create that function for you.", "→ Write");
  }

  @Test
  void list_of_sessions_marks_imports() throws IOException {
    Path folder = FolderPages.page(home, home.resolve("folder.html"), false);
    browser.open(folder, "");
    browser.await("document.querySelector('.session')");
    assertThat(browser.text("document.querySelector('.session').textContent"))
        .contains("Create a hello world function", "import of claude-code");
  }
}

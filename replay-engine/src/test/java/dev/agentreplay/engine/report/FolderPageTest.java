package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.report.embedded.RelativeLink;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.SessionFolder;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The data of the page of a folder. */
class FolderPageTest {

  private static final Instant TIME = Instant.parse("2026-01-13T10:00:00Z");

  @TempDir
  Path home;

  private FolderOptions options() {
    return FolderOptions.titled("folder").withDirectory(home).withPrices(FolderPages.PRICES);
  }

  private String page(FolderOptions options) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Stream<FolderEntry<SessionSummary>> entries = SessionFolder.at(home).summaries()) {
      HtmlViewer.render(entries, options, out);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void data_of_a_page_is_the_approved_one() throws IOException {
    FolderPages.write(home, 15);

    String page = page(options()
        .withPages(
            path -> path.endsWith("run-00004") ? "pages/" + path.getFileName() + ".html" : null));

    String text = PageData.text(page).replace(home.toString(), "sessions");
    PageData.assertApproved(JsonText.parse(text).asObject(), "folder-page.json");
  }

  @Test
  void data_of_a_page_with_forks_is_the_approved_one() throws IOException {
    Path folder = ForkedFolders.small(home.resolve("folder"));

    String text = PageData.text(
            Files.readString(FolderPages.page(folder, home.resolve("page.html"), false)))
        .replace(folder.toString(), "sessions");
    PageData.assertApproved(JsonText.parse(text).asObject(), "folder-forks.json");
  }

  @Test
  void page_runs_its_own_script_only() throws Exception {
    FolderPages.write(home, 3);
    PageData.assertLocked(page(options()));
  }

  @Test
  void hostile_names_tasks_and_labels_are_data() throws Exception {
    for (int i = 0; i < ViewedSessions.HOSTILE.size(); i++) {
      String text = ViewedSessions.HOSTILE.get(i);
      SessionStart start = SessionStart.of(text)
          .withTask(Task.of(text))
          .withTags(text)
          .withUser(text)
          .withEnvironment(text);
      FolderPages.write(
          home.resolve(i + "<b>\u202e&"), start, ViewedSessions.hostile(), null, TIME);
    }

    String page = page(FolderOptions.titled("</title><script>").withDirectory(home));

    PageData.assertLocked(page);
    assertThat(page).contains("<title>&lt;/title&gt;&lt;script&gt;</title>");
    JsonArray rows = PageData.of(page).at("/rows").asArray();
    assertThat(rows.stream().map(row -> row.at("/task").asString()))
        .containsExactlyInAnyOrderElementsOf(ViewedSessions.HOSTILE);
    assertThat(rows.get(0).at("/path").asString()).endsWith("<b>\u202e&");
  }

  @Test
  void session_that_cannot_be_read_is_a_row_with_the_reason() throws IOException {
    FolderPages.write(home.resolve("good"), SessionStart.of("s"), List.of(), null, TIME);
    Path bad = Files.createDirectories(home.resolve("bad"));
    Files.writeString(bad.resolve(Session.LOG_NAME), "not JSON\n");

    JsonArray rows = PageData.of(page(options())).at("/rows").asArray();

    assertThat(rows.size()).isEqualTo(2);
    assertThat(rows.get(0).at("/path").asString()).isEqualTo(bad.toString());
    assertThat(rows.get(0).at("/problem").asString()).contains("line 1");
    assertThat(rows.get(0).find("/status")).isNull();
    assertThat(rows.get(1).find("/problem")).isNull();
  }

  @Test
  void session_that_has_not_ended_has_no_status() throws IOException {
    SessionStart start = SessionStart.of("s");
    FolderPages.write(home.resolve("a"), start, List.of(), null, TIME);
    FolderPages.write(home.resolve("b"), start, List.of(), SessionEnd.of(Status.CANCELLED), TIME);

    JsonObject data = PageData.of(page(options()));

    assertThat(data.find("/rows/0/status")).isNull();
    assertThat(data.at("/rows/1/status").asString()).isEqualTo("cancelled");
    assertThat(data.at("/rows/1/ok").asBoolean()).isFalse();
  }

  @Test
  void of_more_rows_than_the_limit_the_number_is_stated() throws IOException {
    FolderPages.write(home, 5);
    StringWriter text = new StringWriter();
    try (Stream<FolderEntry<SessionSummary>> entries = SessionFolder.at(home).summaries()) {
      new FolderData(new ScriptWriter(text), options(), 3).write(entries);
    }

    JsonObject data = JsonText.parse(text.toString()).asObject();

    assertThat(data.at("/rows").asArray().size()).isEqualTo(3);
    assertThat(data.at("/omitted").asLong()).isEqualTo(2);
  }

  @Test
  void long_texts_are_cut() throws IOException {
    SessionStart start = SessionStart.of("s")
        .withTask(Task.of("x".repeat(5_000)))
        .withTags(Stream.iterate(0, i -> i + 1).limit(50).map(i -> "t" + i).toArray(String[]::new));
    FolderPages.write(home.resolve("a"), start, List.of(), null, TIME);

    JsonObject row = PageData.of(page(options())).at("/rows/0").asObject();

    assertThat(row.at("/task").asString()).hasSizeLessThan(1_010).endsWith("x…");
    assertThat(row.at("/tags").asArray().size()).isEqualTo(20);
  }

  @Test
  void empty_folder_has_a_page() throws Exception {
    String page = page(options());

    PageData.assertLocked(page);
    assertThat(PageData.of(page).at("/rows").asArray().size()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "pages/a.html, ./pages/a.html",
    "a b?c#d%.html, ./a%20b%3Fc%23d%25.html",
    "javascript:alert(1), ./javascript%3Aalert%281%29",
    "//host/x, ./host/x",
    "/etc/x, ./etc/x",
    "../up/x, ./../up/x",
    "a\\b, ./a%5Cb",
    "ü<\"&>, ./%C3%BC%3C%22%26%3E"
  })
  void link_is_a_relative_path_whatever_the_name(String path, String link) {
    assertThat(RelativeLink.to(path)).isEqualTo(link);
  }

  @Test
  void scripts_and_styles_of_all_pages_are_smaller_than_three_megabytes() {
    long size = Stream.of(
            ViewerPage.SESSION, ViewerPage.CONVERSATION, ViewerPage.FOLDER, ViewerPage.RUNS)
        .mapToLong(
            page -> page.head().length() + page.middle().length() + page.tail().length())
        .sum();
    assertThat(size).isLessThan(3_000_000);
  }
}

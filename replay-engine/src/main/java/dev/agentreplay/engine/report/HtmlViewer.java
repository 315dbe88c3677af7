package dev.agentreplay.engine.report;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.engine.report.embedded.SessionFacts;
import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.SessionFolder;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.engine.view.SessionTree;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.text.PlainText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Renders a session, a comparison, a replay or a conversation as a self-contained HTML viewer: one
 * UTF-8 file that loads nothing and works in any browser of 2024 or later, also when it is opened
 * from the file system.
 *
 * <p>Recorded text is embedded as data, never as markup or script; control, bidirectional and other
 * invisible characters are made visible. The Content Security Policy (Level 3) of the page forbids
 * all requests, and all scripts and styles except its own.
 *
 * <p>A value of up to 65,536 characters is embedded whole; a longer one is cut, and the page states
 * by how much. A file contains at most 32 Mi characters of values, 12 Mi characters of images (PNG,
 * JPEG, GIF and WebP in Base64, each image once), and, for each session, 100,000 events; of a
 * conversation, 100,000 messages. A prompt that repeats the messages of the previous one is
 * embedded as what is new in it. The output is deterministic: the same sessions and report give the
 * same bytes. The file contains what the log contains, which may be confidential: check it before
 * publishing.
 */
public final class HtmlViewer {

  private HtmlViewer() {}

  /**
   * Writes the page of a session. The stream is flushed but not closed. Memory use does not grow
   * with the size of the log.
   *
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of the log cannot be read
   */
  public static void render(Session session, OutputStream out) throws IOException {
    render(session, ViewerOptions.defaults(), out);
  }

  /**
   * Writes the page of a session with the given options. The stream is flushed but not closed.
   *
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of the log cannot be read
   */
  public static void render(Session session, ViewerOptions options, OutputStream out)
      throws IOException {
    Objects.requireNonNull(session, "session");
    String title = SessionFacts.ofBeginning(session, ViewerData.name(session)).title();
    writeSessions(title, options, out, data -> data.write(session));
  }

  /**
   * Writes the page of a comparison. The stream is flushed but not closed.
   *
   * @param diff the comparison of the two sessions
   * @param left the left session of the comparison
   * @param right the right session of the comparison
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of a log cannot be read
   */
  public static void render(SessionDiff diff, Session left, Session right, OutputStream out)
      throws IOException {
    render(diff, left, right, ViewerOptions.defaults(), out);
  }

  /**
   * Writes the page of a comparison with the given options. The stream is flushed but not closed.
   *
   * @param diff the comparison of the two sessions
   * @param left the left session of the comparison
   * @param right the right session of the comparison
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of a log cannot be read
   */
  public static void render(
      SessionDiff diff, Session left, Session right, ViewerOptions options, OutputStream out)
      throws IOException {
    Objects.requireNonNull(left, "left");
    Objects.requireNonNull(right, "right");
    Objects.requireNonNull(options, "options");
    SideNames sides = options.sides();
    String leftTitle = SessionFacts.ofBeginning(left, diff.left().name()).shortTitle();
    String rightTitle = SessionFacts.ofBeginning(right, diff.right().name()).shortTitle();
    String title = sides.equals(SideNames.defaults())
        ? leftTitle + " and " + rightTitle
        : "%s %s and %s %s".formatted(sides.left(), leftTitle, sides.right(), rightTitle);
    writeSessions(title, options, out, data -> data.write(diff, left, right));
  }

  /**
   * Writes the page of a replay: the recording next to the session of the replay, the report, and
   * how each request was answered. The stream is flushed but not closed.
   *
   * @param recording the session that was replayed
   * @param compared the session that the report compares with it, as
   *     {@link dev.agentreplay.engine.replay.ReplayListener#ended} passes it; without one, null,
   *     the page has only the recording and the report
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of a log cannot be read
   */
  public static void render(
      ReplayReport report, Session recording, @Nullable Session compared, OutputStream out)
      throws IOException {
    render(report, recording, compared, ViewerOptions.defaults(), out);
  }

  /**
   * Writes the page of a replay with the given options. The stream is flushed but not closed.
   *
   * @param recording the session that was replayed
   * @param compared the session that the report compares with it, or null, as above
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of a log cannot be read
   */
  public static void render(
      ReplayReport report,
      Session recording,
      @Nullable Session compared,
      ViewerOptions options,
      OutputStream out)
      throws IOException {
    Objects.requireNonNull(report, "report");
    String title = (report.fork() == null ? "Replay of " : "Fork of ")
        + SessionFacts.ofBeginning(recording, ViewerData.name(recording)).shortTitle();
    writeSessions(title, options, out, data -> data.write(report, recording, compared));
  }

  /**
   * Writes the page of a conversation: its messages by round, each next to the message that it is
   * compared with, and with the differences of both marked. The stream is flushed but not closed.
   */
  public static void render(Conversation conversation, OutputStream out) throws IOException {
    Objects.requireNonNull(conversation, "conversation");
    write(ViewerPage.CONVERSATION, conversation.title(), out, data -> new ConversationData(data)
        .write(conversation));
  }

  /**
   * Writes the page of several runs: their steps next to those of one session, which steps are
   * flaky, and what differs in each run. The stream is flushed but not closed. The limits of the
   * page apply to all sessions together: each has 200,000 events divided by their number, at most
   * 100,000.
   *
   * @param diffs two or more comparisons with the same left session, made with the same options
   * @param left the left session of the comparisons
   * @param runs the right session of each comparison, in the same order
   * @throws IllegalArgumentException if the number of runs is not that of the comparisons, or
   *     {@link FlakinessReport#of} refuses the comparisons
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of a log cannot be read
   */
  public static void render(
      List<SessionDiff> diffs, Session left, List<Session> runs, OutputStream out)
      throws IOException {
    render(diffs, left, runs, ViewerOptions.defaults(), out);
  }

  /**
   * Writes the page of several runs, with options.
   *
   * @param diffs two or more comparisons with the same left session, made with the same options
   * @param left the left session of the comparisons
   * @param runs the right session of each comparison, in the same order
   * @throws IllegalArgumentException if the number of runs is not that of the comparisons, or
   *     {@link FlakinessReport#of} refuses the comparisons
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of a log cannot be read
   */
  public static void render(
      List<SessionDiff> diffs,
      Session left,
      List<Session> runs,
      ViewerOptions options,
      OutputStream out)
      throws IOException {
    if (diffs.size() != runs.size()) {
      throw new IllegalArgumentException(
          "expected a session for each of %d comparisons: %d".formatted(diffs.size(), runs.size()));
    }
    FlakinessReport report = FlakinessReport.of(diffs);
    List<Session> sessions = new ArrayList<>(List.of(left));
    sessions.addAll(runs);
    String title = "%s and %s".formatted(report.left().name(), PlainText.count(runs.size(), "run"));
    int maxEvents = Math.max(1_000, 2 * ViewerData.EVENTS / sessions.size());
    write(ViewerPage.RUNS, title, out, data -> new ViewerData(
            data, options, Math.min(ViewerData.EVENTS, maxEvents))
        .write(report, diffs, sessions));
  }

  /**
   * Writes the page of a folder: a table of sessions, each with a link to its page if the options
   * have one; forks and replays are below the session that they were made from, as
   * {@link SessionTree} finds it. An entry that could not be read is a row with the reason. The
   * stream is flushed but not closed. Rows are written while the entries are read; of each session
   * only its id and its place are kept in memory.
   *
   * @param entries the sessions and failures, as {@link SessionFolder#summaries} reads them; the
   *     page has the first 100,000 of them and states the number of the others
   */
  public static void render(
      Stream<FolderEntry<SessionSummary>> entries, FolderOptions options, OutputStream out)
      throws IOException {
    Objects.requireNonNull(entries, "entries");
    write(ViewerPage.FOLDER, options.title(), out, data -> new FolderData(data, options)
        .write(entries));
  }

  /** Writes the data of a page. */
  private interface Content<T> {
    void writeTo(T data) throws IOException;
  }

  private static void writeSessions(
      String title, ViewerOptions options, OutputStream out, Content<ViewerData> content)
      throws IOException {
    Objects.requireNonNull(options, "options");
    write(ViewerPage.SESSION, title, out, data -> content.writeTo(new ViewerData(data, options)));
  }

  private static void write(
      ViewerPage page, String title, OutputStream out, Content<ScriptWriter> content)
      throws IOException {
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    writer.write(page.head());
    writer.write(escape(title));
    writer.write(page.middle());
    content.writeTo(new ScriptWriter(writer));
    writer.write(page.tail());
    writer.flush();
  }

  /** Escapes a text for HTML, with invisible characters made visible. */
  private static String escape(String text) {
    String seen = PlainText.of(text);
    return seen.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

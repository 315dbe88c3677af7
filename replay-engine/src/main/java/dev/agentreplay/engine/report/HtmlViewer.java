package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.text.PlainText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
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
    writeSessions(ViewerData.name(session), options, out, data -> data.write(session));
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
    String title = sides.equals(SideNames.defaults())
        ? diff.left().name() + " and " + diff.right().name()
        : "%s %s and %s %s"
            .formatted(sides.left(), diff.left().name(), sides.right(), diff.right().name());
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
    String title = "Replay of " + ViewerData.name(recording);
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

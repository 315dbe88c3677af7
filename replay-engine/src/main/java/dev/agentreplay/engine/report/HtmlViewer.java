package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.text.PlainText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Shows a session, or a comparison, in a browser: one HTML file in UTF-8 that holds all it needs
 * and loads nothing, for any browser of 2024 or later, also from a disk.
 *
 * <p>What was recorded is data in it, never markup and never a script; controls, bidirectional ones
 * and others that are not seen are made visible. Its policy (Content Security Policy Level 3)
 * forbids every script and style but its own, and every request.
 *
 * <p>A value of up to 65,536 characters is in the file whole; a longer one is cut, and the file
 * says by how much. It holds 32 Mi characters of values and 100,000 events of a session at most.
 * The same sessions give the same bytes. Not everything in a log is fit for publication: the file
 * holds what the log holds.
 */
public final class HtmlViewer {

  private HtmlViewer() {}

  /**
   * Writes the page of a session. The stream is flushed, not closed; memory does not grow with the
   * log.
   *
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of it cannot be read
   */
  public static void render(Session session, OutputStream out) throws IOException {
    Objects.requireNonNull(session, "session");
    write(ViewerData.name(session), out, data -> data.write(session));
  }

  /**
   * Writes the page of a comparison. The stream is flushed, not closed.
   *
   * @param diff how they differ
   * @param left the session that was compared as the left one
   * @param right the session that was compared as the right one
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of one cannot be read
   */
  public static void render(SessionDiff diff, Session left, Session right, OutputStream out)
      throws IOException {
    Objects.requireNonNull(left, "left");
    Objects.requireNonNull(right, "right");
    String title = diff.left().name() + " and " + diff.right().name();
    write(title, out, data -> data.write(diff, left, right));
  }

  /** Writes data. */
  private interface Content {
    void writeTo(ViewerData data) throws IOException;
  }

  private static void write(String title, OutputStream out, Content content) throws IOException {
    ViewerPage page = ViewerPage.INSTANCE;
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    writer.write(page.head());
    writer.write(escape(title));
    writer.write(page.middle());
    content.writeTo(new ViewerData(new ScriptWriter(writer)));
    writer.write(page.tail());
    writer.flush();
  }

  /** A text in markup, without what is not seen. */
  private static String escape(String text) {
    String seen = PlainText.of(text);
    return seen.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

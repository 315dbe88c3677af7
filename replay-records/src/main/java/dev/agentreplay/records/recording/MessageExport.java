package dev.agentreplay.records.recording;

import dev.agentreplay.canonical.JsonLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An export of the messages of a thread, such as a mail system of agents makes.
 *
 * <p>The text is JSON in UTF-8, of up to 64 MiB: an array of messages, an object with the array as
 * its member {@code messages}, or JSON lines with one message each. The order of the messages is
 * kept. A message is an object with these members; null is the same as a missing member:
 *
 * <pre>
 * id            the number of the message, positive and unique; optional
 * ts            the time at which it was sent, ISO 8601 with offset
 * from          the name of the sender, not empty
 * type          KICKOFF, DELTA, CRITIQUE, ACK, EVIDENCE, RESULT, ADMIN, COMPILE or PUBLISH;
 *               optional if the subject begins with it, as in "DELTA: ..." or "DELTA[...]: ..."
 * subject       the subject line; optional
 * body_md       the text
 * acknowledged  whether it was acknowledged; optional
 * thread_id     the id of the thread, the same in all messages; optional
 * </pre>
 *
 * <p>Other members are left out, which the ledger of a record states. Immutable and safe for use by
 * several threads.
 */
public final class MessageExport {

  private final @Nullable String threadId;
  private final List<ThreadMessage> messages;
  private final List<LedgerEntry> notes;

  MessageExport(@Nullable String threadId, List<ThreadMessage> messages, List<LedgerEntry> notes) {
    this.threadId = threadId;
    this.messages = List.copyOf(messages);
    this.notes = List.copyOf(notes);
  }

  /**
   * Reads an export.
   *
   * @throws InvalidExportException if the text is not an export, with all problems
   */
  public static MessageExport read(byte[] utf8) {
    return new ExportReader(utf8).read();
  }

  /**
   * Reads an export from a stream, which is read to its end and left open.
   *
   * @throws InvalidExportException if the text is not an export, with all problems
   * @throws IOException if the stream cannot be read
   */
  public static MessageExport read(InputStream utf8) throws IOException {
    // one byte more than the limit is enough to reject the text
    return read(utf8.readNBytes(JsonLimits.defaults().maxBytes() + 1));
  }

  /**
   * Whether a text seems to be an export, and not the log of a session: it is an array, or has the
   * member {@code body_md} or {@code messages}, and its first line is not the header of a log.
   *
   * @param head the beginning of the text, in UTF-8
   */
  public static boolean isExport(byte[] head) {
    String text = new String(head, StandardCharsets.UTF_8).stripLeading();
    if (text.startsWith("[")) {
      return true;
    }
    String line = text.lines().findFirst().orElse("");
    return text.startsWith("{")
        && !line.contains("\"replay_version\"")
        && (text.contains("\"body_md\"") || text.contains("\"messages\""));
  }

  /** The number of messages, at least 1. */
  public int size() {
    return messages.size();
  }

  /** The id of the thread that the messages state; null if none does. */
  public @Nullable String threadId() {
    return threadId;
  }

  List<ThreadMessage> messages() {
    return messages;
  }

  /** The statements about members that are not used, and about unusual ones. */
  List<LedgerEntry> notes() {
    return notes;
  }
}

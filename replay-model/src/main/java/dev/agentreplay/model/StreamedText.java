package dev.agentreplay.model;

import org.jspecify.annotations.Nullable;

/**
 * Collects the pieces of a text that is streamed. A surrogate pair that arrives in two pieces
 * belongs to the second one. Safe for use by several threads.
 */
public final class StreamedText {

  /** The text; null until the first piece, because most results are not streamed. */
  private @Nullable StringBuilder text;

  private Chunks.@Nullable Builder chunks;
  private long lastMillis;

  /** The number of characters at the beginning of the text that the chunks cover. */
  private int covered;

  private boolean isFinished;

  /** Creates a text without pieces. */
  public StreamedText() {}

  /**
   * Adds a piece. An empty piece is ignored, because it has no length, and so is one that arrives
   * after the text is finished, as after a time-out.
   *
   * @param offsetMillis the time of its arrival in milliseconds since the call; a time before that
   *     of the previous piece, as with several threads, is taken for that
   */
  public synchronized void add(long offsetMillis, String piece) {
    if (isFinished || piece.isEmpty()) {
      return;
    }
    if (text == null || chunks == null) {
      text = new StringBuilder();
      chunks = Chunks.builder();
    }
    lastMillis = Math.max(lastMillis, offsetMillis);
    text.append(piece);
    int end = text.length();
    cover(text, chunks, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }

  /**
   * Finishes the text: no piece may be added any more. May be called again.
   *
   * @return whether the text has any piece
   */
  public synchronized boolean finish() {
    isFinished = true;
    if (text == null || chunks == null) {
      return false;
    }
    cover(text, chunks, text.length());
    return true;
  }

  /** The whole text. */
  public synchronized String text() {
    return text == null ? "" : text.toString();
  }

  /** The pieces of the text. */
  public synchronized Chunks chunks() {
    return chunks == null ? Chunks.NONE : chunks.build();
  }

  private void cover(StringBuilder streamed, Chunks.Builder pieces, int end) {
    if (end > covered) {
      pieces.add(lastMillis, streamed.codePointCount(covered, end));
      covered = end;
    }
  }
}

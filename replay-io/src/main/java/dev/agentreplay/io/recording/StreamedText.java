package dev.agentreplay.io.recording;

import dev.agentreplay.model.Chunks;
import java.util.function.LongSupplier;

/**
 * Collects the pieces of a text that is streamed. A surrogate pair that arrives in two pieces
 * belongs to the second one. Safe for use by several threads.
 */
final class StreamedText {

  private final LongSupplier elapsedMillis;
  private final StringBuilder text = new StringBuilder();
  private final Chunks.Builder chunks = Chunks.builder();
  private long lastMillis;

  /** The number of characters at the beginning of the text that the chunks cover. */
  private int covered;

  private boolean isFinished;

  StreamedText(LongSupplier elapsedMillis) {
    this.elapsedMillis = elapsedMillis;
  }

  /**
   * Adds a piece that arrives now.
   *
   * @throws IllegalStateException if the text is finished
   */
  synchronized void add(String piece) {
    if (isFinished) {
      throw new IllegalStateException("the stream has ended: its result was recorded");
    }
    if (piece.isEmpty()) {
      return;
    }
    lastMillis = Math.max(lastMillis, elapsedMillis.getAsLong());
    text.append(piece);
    int end = text.length();
    cover(Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }

  /** Finishes the text; no piece may be added any more. Returns whether there was any. */
  synchronized boolean finish() {
    isFinished = true;
    cover(text.length());
    return covered > 0;
  }

  /** The whole text. */
  synchronized String text() {
    return text.toString();
  }

  /** The pieces of the text. */
  synchronized Chunks chunks() {
    return chunks.build();
  }

  private void cover(int end) {
    if (end > covered) {
      chunks.add(lastMillis, text.codePointCount(covered, end));
      covered = end;
    }
  }
}

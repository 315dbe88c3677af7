package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import java.util.Objects;
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

  /**
   * The pieces of the text in the value of a result. They state the {@linkplain Chunks#place place}
   * of the text unless it is the first one of its length.
   *
   * @param value the answer or output that was made of the text; null if it is not known
   */
  public synchronized Chunks chunksIn(@Nullable JsonValue value) {
    Chunks pieces = chunks();
    if (pieces.isEmpty() || value == null) {
      return pieces;
    }
    String streamed = LenientJson.of(text(), "").value().asString();
    JsonPointer first = StreamedPlace.ofLength(value, pieces.totalLength());
    JsonPointer place = StreamedPlace.of(value, streamed);
    if (Objects.equals(first, place)) {
      return pieces;
    }
    return pieces.withPlace(place == null ? JsonPointer.ROOT.toString() : place.toString());
  }

  private void cover(StringBuilder streamed, Chunks.Builder pieces, int end) {
    if (end > covered) {
      pieces.add(lastMillis, streamed.codePointCount(covered, end));
      covered = end;
    }
  }
}

package dev.agentreplay.records.internal;

import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.store.AlteredTextException;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Looks up the texts of a session. A text that was altered counts as missing. */
public final class TextLookup {

  private final RecordTexts texts;

  /** The state of a text. */
  public enum State {
    /** It has its hash. */
    MATCHED,
    /** It is missing, or its hash is not a SHA-256. */
    MISSING,
    /** It does not have its hash. */
    ALTERED
  }

  /** Creates the lookup of texts. */
  public TextLookup(RecordTexts texts) {
    this.texts = texts;
  }

  /**
   * Returns a text; null if it is missing or was altered.
   *
   * @throws IOException if it cannot be read
   */
  public @Nullable String text(RecordHash hash) throws IOException {
    try {
      return hash.digest() == null ? null : texts.text(hash);
    } catch (AlteredTextException e) {
      return null; // the inputs report it
    }
  }

  /**
   * Returns the state of a text.
   *
   * @throws IOException if it cannot be read
   */
  public State state(RecordHash hash) throws IOException {
    try {
      boolean isThere = hash.digest() != null && texts.text(hash) != null;
      return isThere ? State.MATCHED : State.MISSING;
    } catch (AlteredTextException e) {
      return State.ALTERED;
    }
  }
}

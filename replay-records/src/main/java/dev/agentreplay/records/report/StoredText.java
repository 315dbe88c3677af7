package dev.agentreplay.records.report;

import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.store.AlteredTextException;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The stored text of a message, or the reason why it is not shown.
 *
 * @param text the text; null if it is missing or was altered
 * @param problem the reason; empty if there is a text
 * @param isAltered whether the stored text does not have the recorded hash
 */
record StoredText(@Nullable String text, String problem, boolean isAltered) {

  static StoredText of(TraceMessage message, RecordTexts texts) throws IOException {
    if (message.contentHash().digest() == null) {
      return new StoredText(
          null, "The text is missing: the recorded hash is not a SHA-256.", false);
    }
    try {
      String text = texts.text(message.contentHash());
      return text == null
          ? new StoredText(null, "The text is missing: only its hash was recorded.", false)
          : new StoredText(text, "", false);
    } catch (AlteredTextException e) {
      return new StoredText(
          null,
          "The stored text was altered: it does not have the recorded hash, and is not used.",
          true);
    }
  }
}

package dev.agentreplay.records.replay;

import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.internal.TextLookup;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The keys by which messages with the same text are found. Texts have one key if they have one
 * hash, or are the same after normalizers, Unicode NFC and with white space collapsed, as far as
 * they are stored.
 */
final class TextKeys {

  private final Map<RecordHash, RecordHash> byHash = new HashMap<>();

  /** The keys of hashes alone. */
  static TextKeys ofHashes() {
    return new TextKeys();
  }

  /**
   * The keys of the texts of two sessions.
   *
   * @throws IOException if a text cannot be read
   */
  static TextKeys of(
      SessionRecord original,
      TextLookup originalTexts,
      SessionRecord replayed,
      TextLookup replayedTexts,
      MeasuredTexts measured)
      throws IOException {
    TextKeys keys = new TextKeys();
    Set<RecordHash> hashes = hashes(original);
    Set<RecordHash> others = hashes(replayed);
    if (hashes.equals(others)) {
      return keys; // nothing is left to find
    }
    hashes.addAll(others);
    Map<String, RecordHash> byText = new HashMap<>();
    for (RecordHash hash : hashes) {
      String text = originalTexts.text(hash);
      text = text == null ? replayedTexts.text(hash) : text;
      if (text != null) {
        RecordHash same = byText.putIfAbsent(normalized(text, measured), hash);
        keys.byHash.put(hash, same == null ? hash : same);
      }
    }
    return keys;
  }

  private static String normalized(String text, MeasuredTexts measured) {
    try {
      return measured.normalized(text);
    } catch (RunawayPatternException e) {
      return text; // its comparison reports the normalizer
    }
  }

  private static Set<RecordHash> hashes(SessionRecord record) {
    Set<RecordHash> hashes = new HashSet<>();
    for (SessionTrace.Round round : record.trace().rounds()) {
      for (TraceMessage message : round.messages()) {
        hashes.add(message.contentHash());
      }
    }
    return hashes;
  }

  /** The key of a text; one of its own if the hash is not a SHA-256, which shows nothing. */
  Object of(RecordHash hash) {
    return hash.digest() == null ? new Object() : byHash.getOrDefault(hash, hash);
  }
}

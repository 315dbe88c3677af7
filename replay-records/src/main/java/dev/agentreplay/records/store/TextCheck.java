package dev.agentreplay.records.store;

import dev.agentreplay.io.file.FileMessages;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that the texts of a record have the hashes and lengths that it states. */
final class TextCheck {

  /** The length of a missing text. */
  private static final long MISSING = -1;

  /** The length of a text that does not have its hash. */
  private static final long ALTERED = -2;

  private final RecordTexts texts;
  private final CheckFindings findings;

  /** The lengths of the texts that were read, in bytes. A text may be that of several messages. */
  private final Map<RecordHash, Long> lengths = new HashMap<>();

  TextCheck(RecordTexts texts, CheckFindings findings) {
    this.texts = texts;
    this.findings = findings;
  }

  void check(SessionRecord record) {
    List<SessionTrace.Round> rounds = record.trace().rounds();
    for (int i = 0; i < rounds.size(); i++) {
      List<TraceMessage> messages = rounds.get(i).messages();
      for (int j = 0; j < messages.size(); j++) {
        check(messages.get(j), CheckFindings.message(i, j));
      }
      check(
          rounds.get(i).compiledArtifactHash(), CheckFindings.round(i) + ".compiled_artifact_hash");
    }
    check(record.outputs().finalArtifactHash(), "outputs.final_artifact_hash");
  }

  private void check(TraceMessage message, String path) {
    long length = check(message.contentHash(), path + ".content_hash");
    if (length >= 0 && length != message.contentLength()) {
      findings.problem(
          path + ".content_length",
          "expected %d, the bytes of its text in UTF-8, found %d"
              .formatted(length, message.contentLength()));
    }
  }

  /** Checks a text, and returns its length in bytes; negative if it is missing or altered. */
  private long check(@Nullable RecordHash hash, String path) {
    if (hash == null || hash.isEmpty()) {
      return MISSING;
    }
    Long known = lengths.get(hash);
    if (known != null) {
      return known;
    }
    long length = read(hash, path);
    lengths.put(hash, length);
    return length;
  }

  private long read(RecordHash hash, String path) {
    if (hash.digest() == null) {
      findings.note(
          path,
          "expected 64 lower-case hexadecimal digits, found a different hash, which no text can be"
              + " checked against");
      return MISSING;
    }
    String text;
    try {
      text = texts.text(hash);
    } catch (IOException e) { // altered, or not a file with a text; the others are checked
      findings.problem(path, FileMessages.of(e));
      return ALTERED;
    }
    if (text == null) {
      return MISSING;
    }
    if (!RecordHash.ofContent(text).equals(hash)) {
      findings.problem(path, "the text was altered: its SHA-256 is not " + hash);
      return ALTERED;
    }
    return SessionRecord.contentLength(text);
  }

  long present() {
    return lengths.values().stream().filter(length -> length >= 0).count();
  }

  long missing() {
    return lengths.values().stream().filter(length -> length == MISSING).count();
  }

  long altered() {
    return lengths.values().stream().filter(length -> length == ALTERED).count();
  }
}

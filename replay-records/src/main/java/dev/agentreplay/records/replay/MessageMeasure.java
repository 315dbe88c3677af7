package dev.agentreplay.records.replay;

import java.util.Locale;

/** The measure of the similarity of two messages: the first that can decide. */
public enum MessageMeasure {
  /** The hashes of the texts are equal. */
  HASH,
  /** The texts are equal after normalizers, Unicode NFC and with white space collapsed. */
  NORMALIZED,
  /** A judge calls the texts equivalent. */
  JUDGE,
  /** The similarity of the texts. */
  TEXT,
  /** Nothing: the hashes differ, and a text is missing; or there is no other message. */
  NONE;

  /** The name of the constant in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}

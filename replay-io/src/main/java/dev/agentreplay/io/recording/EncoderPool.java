package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.dialect.LineEncoder.EncodedLine;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.finding.Finding;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Encoders that threads borrow while they emit: a few are kept, more are made when more threads
 * emit at once. Safe for use by several threads, virtual ones too.
 */
final class EncoderPool {

  private static final int KEPT = 8;

  private final Dialect dialect;
  private final Canonicalization canonicalization;
  private final AtomicReferenceArray<LineEncoder> idle = new AtomicReferenceArray<>(KEPT);

  EncoderPool(Dialect dialect, Canonicalization canonicalization) {
    this.dialect = dialect;
    this.canonicalization = canonicalization;
  }

  Dialect dialect() {
    return dialect;
  }

  Canonicalization canonicalization() {
    return canonicalization;
  }

  /**
   * Encodes an event, if it may be written.
   *
   * @throws IllegalArgumentException if it breaks a rule of {@link EventRules}
   */
  static EncodedLine encode(LineEncoder encoder, ReplayEvent event, Timestamp now) {
    List<Finding> broken = EventRules.check(event);
    if (!broken.isEmpty()) {
      throw new IllegalArgumentException(
          event.kind().id() + ": " + broken.get(0).message());
    }
    return encoder.encode(event, now);
  }

  LineEncoder borrow() {
    for (int i = 0; i < KEPT; i++) {
      LineEncoder encoder = idle.get(i);
      if (encoder != null && idle.compareAndSet(i, encoder, null)) {
        return encoder;
      }
    }
    return LineEncoder.of(dialect, canonicalization);
  }

  void giveBack(LineEncoder encoder) {
    encoder.release();
    for (int i = 0; i < KEPT; i++) {
      if (idle.get(i) == null && idle.compareAndSet(i, null, encoder)) {
        return;
      }
    }
  }
}

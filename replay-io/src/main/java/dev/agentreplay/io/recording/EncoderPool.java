package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A pool of encoders that threads borrow while they emit: a few are kept, and more are created if
 * more threads emit at once. Safe for use by several threads, including virtual ones.
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

package dev.agentreplay.convert;

import dev.agentreplay.model.BlobRef;
import java.io.IOException;

/** Thrown when the blobs to embed in a log exceed {@link ConvertOptions#maxEmbeddedBytes}. */
public final class ConvertLimitException extends IOException {

  private static final long serialVersionUID = 1L;

  ConvertLimitException(BlobRef blob, long before, long maxEmbeddedBytes) {
    super(("%s: a blob of %,d bytes, after %,d bytes of others that are written into the log, is"
            + " more than the limit of %,d bytes")
        .formatted(blob.blob(), blob.bytes(), before, maxEmbeddedBytes));
  }
}

package dev.agentreplay.convert.trace.reading;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Decompression of Zstandard (RFC 8878), of several frames one after the other as well. */
public final class Zstandard {

  private Zstandard() {}

  /** Returns a stream of the decompressed bytes. Closing it closes the given one. */
  public static InputStream open(InputStream compressed) throws IOException {
    return new ZstdInputStream(compressed);
  }
}

package dev.agentreplay.io.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the remaining elements of a source. An {@link IOException} is thrown as an
 * {@link UncheckedIOException}.
 */
final class ReadIterator<T> implements Iterator<T> {

  /** Reads the next element; returns null at the end. */
  interface Source<T> {
    @Nullable
    T read() throws IOException;
  }

  private final Source<T> source;
  private @Nullable T next;

  ReadIterator(Source<T> source) {
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      try {
        next = source.read();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return next != null;
  }

  @Override
  public T next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    T read = next;
    next = null;
    return read;
  }
}

package dev.agentreplay.engine.replay;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.fingerprint.EntryFact;
import dev.agentreplay.io.file.OwnerOnly;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of a replay: an entry for each request, written to a file when it is answered, so that
 * it survives a crash of the process. Keeps counts, and the entries that are divergences. Safe for
 * use by several threads.
 */
final class Ledger implements Closeable {

  /** The most entries with a divergence that are kept in memory. */
  private static final int MAX_KEPT = 10_000;

  /**
   * An entry with a miss or a message.
   *
   * @param requests the number of calls of models and tools that had been answered
   * @param fact the facts that identify it in every replay; null if they are not known
   */
  record Notable(LedgerEntry entry, long requests, @Nullable EntryFact fact) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final OutputStream out;
  private final Map<MatchRung, Long> matched = new EnumMap<>(MatchRung.class);
  private final Map<LedgerEntry.Result, Long> results = new EnumMap<>(LedgerEntry.Result.class);
  private final List<Notable> notable = new ArrayList<>();

  /** The numbers of the requests whose calls are not in the log of the replay. */
  private final Set<Long> notRecorded = new HashSet<>();

  private long requests;
  private long missed;
  private boolean isClosed;

  private Ledger(OutputStream out) {
    this.out = out;
  }

  static Ledger create(Path file) throws IOException {
    return new Ledger(OwnerOnly.newFile(file));
  }

  /** Adds the entry of a call of a model or tool. */
  void add(LedgerEntry entry, @Nullable EntryFact fact) throws IOException {
    lock.lock();
    try {
      requireOpen();
      requests++;
      results.merge(entry.result(), 1L, Long::sum);
      if (entry.rung() == null) {
        missed++;
      } else {
        matched.merge(entry.rung(), 1L, Long::sum);
      }
      keep(entry, fact);
      write(entry);
    } finally {
      lock.unlock();
    }
  }

  /** Adds the entry of a call of a model or tool that is not in the log of the replay. */
  void addNotRecorded(LedgerEntry entry) throws IOException {
    lock.lock();
    try {
      add(entry, null); // two such requests may differ in what they cannot state
      notRecorded.add(entry.number());
    } finally {
      lock.unlock();
    }
  }

  /** The numbers of the requests whose calls are not in the log of the replay. */
  Set<Long> notRecorded() {
    lock.lock();
    try {
      return Set.copyOf(notRecorded);
    } finally {
      lock.unlock();
    }
  }

  /** Adds the entry of a value, which is not counted as a request. */
  void addValue(LedgerEntry entry, @Nullable EntryFact fact) throws IOException {
    lock.lock();
    try {
      requireOpen();
      keep(entry, fact);
      write(entry);
    } finally {
      lock.unlock();
    }
  }

  /** Fails for a request that is answered after the end: the counts of a report do not change. */
  private void requireOpen() throws IOException {
    if (isClosed) {
      throw new IOException("the ledger is closed");
    }
  }

  private void keep(LedgerEntry entry, @Nullable EntryFact fact) {
    boolean isNotable = entry.miss() != null || entry.message() != null;
    if (isNotable && notable.size() < MAX_KEPT) {
      notable.add(new Notable(entry, requests, fact));
    }
  }

  private void write(LedgerEntry entry) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    line.writeBytes(CanonicalJson.SERDE.bytes(entry.json()));
    line.write('\n');
    out.write(line.toByteArray()); // one call, so that a crash leaves whole lines
  }

  long requests() {
    lock.lock();
    try {
      return requests;
    } finally {
      lock.unlock();
    }
  }

  long missed() {
    lock.lock();
    try {
      return missed;
    } finally {
      lock.unlock();
    }
  }

  long count(LedgerEntry.Result result) {
    lock.lock();
    try {
      return results.getOrDefault(result, 0L);
    } finally {
      lock.unlock();
    }
  }

  Map<MatchRung, Long> matched() {
    lock.lock();
    try {
      Map<MatchRung, Long> copy = new EnumMap<>(MatchRung.class);
      for (MatchRung rung : MatchRung.values()) {
        copy.put(rung, matched.getOrDefault(rung, 0L));
      }
      return Collections.unmodifiableMap(copy);
    } finally {
      lock.unlock();
    }
  }

  /** Whether there may be entries with a miss or a message that are not kept. */
  boolean isFull() {
    lock.lock();
    try {
      return notable.size() >= MAX_KEPT;
    } finally {
      lock.unlock();
    }
  }

  /** The entries with a miss or a message. */
  List<Notable> notable() {
    lock.lock();
    try {
      return List.copyOf(notable);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      isClosed = true;
      out.close();
    } finally {
      lock.unlock();
    }
  }
}

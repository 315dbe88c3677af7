package dev.agentreplay.io.file;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * The content of a file: the bytes that are read now, those that were forced, and the changes in
 * between, any of which power loss may undo. Its disk is its lock.
 */
final class SimulatedFile {

  private static final int SECTOR = 512;
  private static final int PAGE = 4096;

  private final Image current = new Image();
  private final Image durable = new Image();
  private final Deque<Change> pending = new ArrayDeque<>();
  private long changes;

  private sealed interface Change permits Write, Cut {
    long number();

    void applyTo(Image image);
  }

  private record Write(long number, int at, byte[] bytes) implements Change {
    @Override
    public void applyTo(Image image) {
      image.write(at, bytes, 0, bytes.length);
    }
  }

  private record Cut(long number, int length) implements Change {
    @Override
    public void applyTo(Image image) {
      image.cut(length);
    }
  }

  int length() {
    return current.length;
  }

  InputStream read() {
    return new ByteArrayInputStream(current.bytes, 0, current.length);
  }

  byte[] content() {
    return Arrays.copyOf(current.bytes, current.length);
  }

  void append(byte[] bytes, int from, int length) {
    change(new Write(++changes, current.length, Arrays.copyOfRange(bytes, from, from + length)));
  }

  void truncate(int length) {
    change(new Cut(++changes, length));
  }

  private void change(Change change) {
    change.applyTo(current);
    pending.add(change);
  }

  /** The number of the last change; a force that begins now makes certain what is up to it. */
  long lastChange() {
    return changes;
  }

  void force(long upTo) {
    while (!pending.isEmpty() && pending.getFirst().number() <= upTo) {
      pending.removeFirst().applyTo(durable);
    }
  }

  /** Drops the changes that were not forced. */
  void dropPending() {
    pending.clear();
  }

  /** The file as it may be after power loss. */
  SimulatedFile afterPowerLoss(RandomGenerator random) {
    SimulatedFile found = new SimulatedFile();
    durable.copyTo(found.durable);
    for (Change change : pending) {
      if (change instanceof Write write) {
        land(write, found.durable, random);
      } else if (random.nextBoolean()) {
        change.applyTo(found.durable);
      }
    }
    found.durable.copyTo(found.current);
    return found;
  }

  /** A write is lost, landed, there in some of its sectors or pages, or there as its length. */
  private static void land(Write write, Image image, RandomGenerator random) {
    switch (random.nextInt(5)) {
      case 0, 1 -> write.applyTo(image);
      case 2 -> {
        int unit = random.nextBoolean() ? SECTOR : PAGE;
        int end = write.at + write.bytes.length;
        for (int from = write.at; from < end; ) {
          int to = Math.min(end, (from / unit + 1) * unit);
          if (random.nextBoolean()) {
            image.write(from, write.bytes, from - write.at, to - from);
          }
          from = to;
        }
        if (random.nextInt(4) == 0) {
          image.grow(end);
        }
      }
      case 3 -> image.grow(write.at + write.bytes.length);
      default -> {
        // lost
      }
    }
  }

  /** Bytes; those that were never written are NUL. */
  private static final class Image {
    private byte[] bytes = new byte[256];
    private int length;

    void write(int at, byte[] source, int from, int count) {
      grow(at + count);
      System.arraycopy(source, from, bytes, at, count);
    }

    void grow(int to) {
      if (to > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(to, 2 * bytes.length));
      }
      length = Math.max(length, to);
    }

    void cut(int to) {
      grow(to);
      Arrays.fill(bytes, to, length, (byte) 0);
      length = to;
    }

    void copyTo(Image other) {
      other.bytes = bytes.clone();
      other.length = length;
    }
  }
}

package dev.agentreplay.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes and lines, altered at each place: each bit is flipped, and by default one of the other
 * alterations is made at each byte, in turn; with {@code -Dreplay.effort=2} and more, all are.
 */
final class Alterations {

  private static final boolean ALL = Integer.getInteger("replay.effort", 1) > 1;

  private static final byte[] REPLACING = {0x00, ' ', '\n', (byte) 0xff};
  private static final byte[] ADDED = {' ', '\n'};

  /** A description of an alteration, and the altered bytes. */
  record Alteration(String what, byte[] bytes) {

    @Override
    public String toString() {
      return what;
    }
  }

  /** Is shown each. */
  @FunctionalInterface
  interface Visitor {
    void see(Alteration alteration) throws IOException;
  }

  private Alterations() {}

  /** Each bit flipped, each byte replaced, deleted, and others put in before it and at the end. */
  static void ofBytes(byte[] bytes, Visitor visitor) throws IOException {
    for (int at = 0; at <= bytes.length; at++) {
      List<Alteration> all = at(at, bytes);
      for (int i = 0; i < all.size(); i++) {
        boolean isFlip = i < Byte.SIZE;
        if (ALL || isFlip || at >= bytes.length - 1 || (i - at) % (all.size() - Byte.SIZE) == 0) {
          visitor.see(all.get(i));
        }
      }
    }
  }

  private static List<Alteration> at(int at, byte[] bytes) {
    List<Alteration> all = new ArrayList<>();
    if (at < bytes.length) {
      byte old = bytes[at];
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        all.add(new Alteration(
            "bit %d of byte %d".formatted(bit, at), with(bytes, at, old ^ 1 << bit)));
      }
      for (byte value : REPLACING) {
        if (value != old) {
          all.add(new Alteration(
              "%d in place of byte %d".formatted(value, at), with(bytes, at, value)));
        }
      }
      all.add(new Alteration("without byte " + at, spliced(bytes, at, at + 1)));
    }
    for (byte value : ADDED) {
      all.add(
          new Alteration("%d before byte %d".formatted(value, at), spliced(bytes, at, at, value)));
    }
    return all;
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] altered = bytes.clone();
    altered[at] = (byte) value;
    return altered;
  }

  /** With other bytes in place of those from one index to another. */
  private static byte[] spliced(byte[] bytes, int from, int to, byte... others) {
    byte[] altered = Arrays.copyOf(bytes, bytes.length - (to - from) + others.length);
    System.arraycopy(others, 0, altered, from, others.length);
    System.arraycopy(bytes, to, altered, from + others.length, bytes.length - to);
    return altered;
  }

  /** Each line removed, put in again at each place, and swapped with each other that differs. */
  static List<Exhibit> ofLines(Exhibit log) {
    List<Exhibit> altered = new ArrayList<>();
    for (int one = 1; one <= log.size(); one++) {
      altered.add(log.remove(one));
      for (int at = 1; at <= log.size() + 1; at++) {
        altered.add(log.insert(at, log.line(one)));
      }
      for (int other = one + 1; other <= log.size(); other++) {
        altered.add(log.swap(one, other));
      }
    }
    return altered;
  }
}

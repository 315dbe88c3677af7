package dev.agentreplay.verify;

import java.util.Arrays;

/**
 * A set of strings by 64-bit fingerprints, in bounded memory. Two strings are taken for one with a
 * probability of about n * n / 2^65 among n: one in 33 million at the bound.
 */
final class Fingerprints {

  /** How many are held; later ones are not. */
  static final int MAX_SIZE = 1 << 20;

  private long[] slots = new long[256];
  private int size;

  /** Adds a string. Returns whether it was there already. */
  boolean add(String text) {
    long fingerprint = of(text);
    int slot = slot(fingerprint);
    if (slots[slot] == fingerprint) {
      return true;
    }
    if (size < MAX_SIZE) {
      slots[slot] = fingerprint;
      size++;
      if (size * 2 > slots.length) {
        grow();
      }
    }
    return false;
  }

  /** FNV-1a, and then mixed; never 0, which marks a free slot. */
  private static long of(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 32) * 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 29;
    return hash == 0 ? 1 : hash;
  }

  private int slot(long fingerprint) {
    int slot = (int) fingerprint & slots.length - 1;
    while (slots[slot] != 0 && slots[slot] != fingerprint) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[old.length * 2];
    Arrays.stream(old).filter(f -> f != 0).forEach(f -> slots[slot(f)] = f);
  }
}

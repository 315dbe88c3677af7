package dev.agentreplay.verify.input;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A set of strings represented by 64-bit fingerprints, in bounded memory. Two of n strings have the
 * same fingerprint with a probability of about n * n / 2^65: one in 33 million at the maximum size.
 * Each set has its own random key, so that an attacker cannot create a log with collisions. Not
 * safe for use by several threads.
 */
public final class Fingerprints {

  /** The maximum number of strings in the set; later ones are not added. */
  public static final int MAX_SIZE = 1 << 20;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final long key0 = RANDOM.nextLong();
  private final long key1 = RANDOM.nextLong();

  /** The state of SipHash while a fingerprint is computed. */
  private long v0;

  private long v1;
  private long v2;
  private long v3;

  private long[] slots = new long[256];
  private int size;

  /** Adds a string, and returns whether it was in the set already. */
  public boolean add(String text) {
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

  /** SipHash-1-3 of the UTF-16 code units; never 0, which marks a free slot. */
  long of(String text) {
    v0 = key0 ^ 0x736f6d6570736575L;
    v1 = key1 ^ 0x646f72616e646f6dL;
    v2 = key0 ^ 0x6c7967656e657261L;
    v3 = key1 ^ 0x7465646279746573L;
    long block = 0;
    for (int i = 0; i < text.length(); i++) {
      block = block << 16 | text.charAt(i);
      if ((i & 3) == 3) {
        absorb(block);
        block = 0;
      }
    }
    absorb((long) text.length() << 48 | block);
    v2 ^= 0xff;
    round();
    round();
    round();
    long hash = v0 ^ v1 ^ v2 ^ v3;
    return hash == 0 ? 1 : hash;
  }

  private void absorb(long block) {
    v3 ^= block;
    round();
    v0 ^= block;
  }

  private void round() {
    v0 += v1;
    v2 += v3;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 = Long.rotateLeft(v2, 32);
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

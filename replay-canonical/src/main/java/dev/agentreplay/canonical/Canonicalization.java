package dev.agentreplay.canonical;

import org.jspecify.annotations.Nullable;

/** The canonical forms that a log's hashes can be made with, as its header names them. */
public enum Canonicalization {
  /** What serde_json writes; a header that names none means this. */
  SERDE("serde");

  private final String id;

  Canonicalization(String id) {
    this.id = id;
  }

  /** What a header calls it. */
  public String id() {
    return id;
  }

  /** The one that a header names, {@link #SERDE} when it names none, null when it is not known. */
  public static @Nullable Canonicalization of(@Nullable String id) {
    if (id == null) {
      return SERDE;
    }
    for (Canonicalization known : values()) {
      if (known.id.equals(id)) {
        return known;
      }
    }
    return null;
  }
}

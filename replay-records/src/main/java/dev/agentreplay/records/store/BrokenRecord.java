package dev.agentreplay.records.store;

import java.util.Objects;

/** A record of a store that cannot be read, with the reason. */
public final class BrokenRecord implements StoredRecord {

  private final String name;
  private final String error;

  BrokenRecord(String name, String error) {
    this.name = Objects.requireNonNull(name, "name");
    this.error = Objects.requireNonNull(error, "error");
  }

  /** The name of its directory in the store, which need not have the form of an id. */
  @Override
  public String id() {
    return name;
  }

  /** The reason that it cannot be read, with the path of its file. */
  public String error() {
    return error;
  }

  @Override
  public String toString() {
    return name + ": " + error;
  }
}

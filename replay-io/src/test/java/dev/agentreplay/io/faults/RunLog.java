package dev.agentreplay.io.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The fate of each event of a recording, as the recorder reported it. Public, because the scenario
 * is in another class loader.
 */
public final class RunLog {

  /** The directory of the session. */
  public final Path directory;

  /** The name of the durability. */
  public final String durability;

  /** The step of the recording from which points count. */
  public enum From {
    START,
    RESUME,
    CLOSE
  }

  /** From where on points count. */
  public final From from;

  /** Called there, once. */
  public final Runnable arm;

  /** The events that must be in the log, in order. */
  public final List<String> acknowledged = new ArrayList<>();

  /** The events that may be in it. */
  public final Set<String> undetermined = new LinkedHashSet<>();

  /** The steps, for the message of a failure. */
  public final List<String> steps = new ArrayList<>();

  /** Whether the receipt must be there. */
  public boolean ended;

  /** Whether closing said that events are lost, which were buffered. */
  public boolean mayHaveLost;

  RunLog(Path directory, String durability, From from, Runnable arm) {
    this.directory = directory;
    this.durability = durability;
    this.from = from;
    this.arm = arm;
  }
}

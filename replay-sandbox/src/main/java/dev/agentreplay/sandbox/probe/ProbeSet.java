package dev.agentreplay.sandbox.probe;

/** The aspects that are probed. */
public enum ProbeSet {
  /** Network, files, environment, descriptors and processes: before each replay. */
  FAST,
  /** All aspects. */
  FULL
}

package dev.agentreplay.model.receipt;

/** The forms of a receipt. */
public enum ReceiptForm {
  /** That of specification 000: a {@link SessionReceipt}. */
  SESSION("session"),
  /** That of specification 001: a {@link TrajectoryReceipt}. */
  OPENAGENTS_V1("openagents.v1"),
  /** That of specification 002: a {@link DraftReceipt}. */
  DRAFT("draft");

  private final String id;

  ReceiptForm(String id) {
    this.id = id;
  }

  /** What it is called on the command line. */
  public String id() {
    return id;
  }
}

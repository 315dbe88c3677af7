package dev.agentreplay.convert;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.receipt.Receipt;
import java.util.Locale;

/** The formats that a session can be converted to. */
public enum SessionFormat {
  /** A log in the dialect of specification 000. */
  EVENT(Dialect.EVENT),
  /** A log in the dialect of specification 001. */
  TYPE(Dialect.TYPE),
  /** A log in the dialect of specification 002. */
  DRAFT(Dialect.DRAFT),
  /** A bundle of specification 002. */
  BUNDLE(Dialect.DRAFT);

  private final Dialect dialect;

  SessionFormat(Dialect dialect) {
    this.dialect = dialect;
  }

  /** The text of the constant in reports and options. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The dialect of the events. */
  Dialect dialect() {
    return dialect;
  }

  /** The form of the receipt that is created for such a log. */
  Receipt.Form receiptForm() {
    return this == TYPE ? Receipt.Form.OPENAGENTS_V1 : Receipt.Form.SESSION;
  }

  /** Whether the format is a log, not a bundle. */
  boolean isLog() {
    return this != BUNDLE;
  }
}

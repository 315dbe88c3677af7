package dev.agentreplay.io;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.ReplayBundle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a session can be converted to. */
public enum SessionFormat {
  /** A log in the dialect of specification 000. */
  EVENT(Dialect.EVENT, null),
  /** A log in the dialect of specification 001. */
  TYPE(Dialect.TYPE, null),
  /** A log in the dialect of specification 002. */
  DRAFT(Dialect.DRAFT, null),
  /** A bundle in the form of specification 002. */
  BUNDLE(Dialect.DRAFT, ReplayBundle.Form.EVENTS),
  /** A bundle with a timeline. */
  TIMELINE(Dialect.DRAFT, ReplayBundle.Form.TIMELINE);

  private final Dialect dialect;
  private final ReplayBundle.@Nullable Form form;

  SessionFormat(Dialect dialect, ReplayBundle.@Nullable Form form) {
    this.dialect = dialect;
    this.form = form;
  }

  /** What it is called in reports and options. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The dialect of its events. */
  Dialect dialect() {
    return dialect;
  }

  /** The form of the bundle; null when it is a log. */
  ReplayBundle.@Nullable Form form() {
    return form;
  }
}

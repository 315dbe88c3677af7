package dev.agentreplay.cli.input;

import dev.agentreplay.convert.SessionFormat;
import dev.agentreplay.convert.trace.report.TraceFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The forms that {@code convert} writes: those of sessions, and those of other tools. */
public enum Form {
  EVENT(SessionFormat.EVENT),
  TYPE(SessionFormat.TYPE),
  DRAFT(SessionFormat.DRAFT),
  BUNDLE(SessionFormat.BUNDLE),
  ATIF(TraceFormat.ATIF),
  OTEL(TraceFormat.OTEL),
  OPENINFERENCE(TraceFormat.OPENINFERENCE),
  INSPECT(TraceFormat.INSPECT);

  private final @Nullable SessionFormat session;
  private final @Nullable TraceFormat trace;

  Form(SessionFormat session) {
    this.session = session;
    this.trace = null;
  }

  Form(TraceFormat trace) {
    this.session = null;
    this.trace = trace;
  }

  /** The name on the command line. */
  public String id() {
    return session == null ? Objects.requireNonNull(trace).id() : session.id();
  }

  /** The form of a session; null if it is that of another tool. */
  public @Nullable SessionFormat session() {
    return session;
  }

  /** The format of another tool; null if it is a form of a session. */
  public @Nullable TraceFormat trace() {
    return trace;
  }
}

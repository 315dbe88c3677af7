package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the lines of a log in the dialect {@link Dialect#DRAFT} as a {@link ReplayBundle}, with
 * each event on a line of its own. Call {@link #finish} after the last line; {@link #close} alone
 * leaves the document incomplete. Not safe for use by several threads.
 */
public final class BundleWriter implements Closeable {

  /** The nesting depth that a bundle adds to an event. */
  private static final int BUNDLE_DEPTH = 3;

  private final OutputStream out;
  private final ConversionLedger ledger = new ConversionLedger();
  private JsonObject kept = JsonObject.EMPTY;
  private boolean begun;
  private boolean headerSeen;
  private long events;

  private BundleWriter(OutputStream out) {
    this.out = Objects.requireNonNull(out, "out");
  }

  /** Creates a writer to a stream; closing the writer closes the stream. */
  public static BundleWriter open(OutputStream out) {
    return new BundleWriter(out);
  }

  /** The changes to the members of the lines so far. */
  public ConversionLedger ledger() {
    return ledger;
  }

  /** The number of events in the bundle so far, including a header. */
  public long events() {
    return events + (headerSeen ? 1 : 0);
  }

  /**
   * Adds a line.
   *
   * @throws IOException if writing fails, or the line would be nested too deep in a bundle
   */
  public void add(JsonObject line) throws IOException {
    if (line.depth() + BUNDLE_DEPTH > JsonValue.MAX_DEPTH) {
      throw new IOException("event %d would be nested deeper than %d in a bundle"
          .formatted(events() + 1, JsonValue.MAX_DEPTH));
    }
    boolean isHeader = Dialect.DRAFT.codec().kind(line) == EventKind.REPLAY_HEADER;
    if (isHeader && !begun) {
      headerSeen = true;
      begun = true;
      kept = liftable(line);
      write("{\"header\":");
      write(kept.isEmpty() ? line : line.without(KeptAside.BUNDLE));
      write(",\n\"events\":[");
      return;
    }
    begin();
    write(events++ == 0 ? "\n" : ",\n");
    write(line);
  }

  /**
   * The members that a header keeps from an earlier bundle; none if they conflict with the events.
   */
  private static JsonObject liftable(JsonObject header) {
    return header.get(KeptAside.BUNDLE) instanceof JsonObject object
            && KeptAside.conflicts(object).isEmpty()
        ? object
        : JsonObject.EMPTY;
  }

  private void begin() throws IOException {
    if (!begun) {
      begun = true;
      ledger.add(Action.MISSING, "ReplayBundle", "header", null);
      write("{\"events\":[");
    }
  }

  /**
   * Writes the end of the document.
   *
   * @throws IOException if writing fails
   */
  public void finish() throws IOException {
    begin();
    write("]");
    for (String name : kept.names()) {
      write(",\n");
      member(name, kept.get(name));
      ledger.add(
          Action.MOVED, "ReplayHeader", KeptAside.BUNDLE + "." + name, "ReplayBundle." + name);
    }
    write("}\n");
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private void member(String name, @Nullable JsonValue value) throws IOException {
    write(JsonValue.of(name));
    write(":");
    write(Objects.requireNonNull(value, name));
  }

  private void write(JsonValue value) throws IOException {
    out.write(CanonicalJson.SERDE.bytes(value));
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}

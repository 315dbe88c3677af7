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
 * Writes the lines of a log in the dialect {@link Dialect#DRAFT} as a {@link ReplayBundle}, one
 * event a line. Not safe for use by several threads.
 */
public final class BundleWriter implements Closeable {

  /** How many levels deeper an event is in a bundle. */
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

  /** A writer to a stream, which is closed with it. */
  public static BundleWriter open(OutputStream out) {
    return new BundleWriter(out);
  }

  /** What became of the members of the lines so far. */
  public ConversionLedger ledger() {
    return ledger;
  }

  /** How many events the bundle has so far, the header included where it is one of them. */
  public long events() {
    return events + (headerSeen ? 1 : 0);
  }

  /**
   * Adds a line.
   *
   * @throws IOException if it cannot be written, or would be nested too deep in a bundle
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

  /** What a header keeps of an earlier bundle; nothing, if that cannot stand beside the events. */
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

  /** Writes what is left; the bundle is whole then. */
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

package dev.agentreplay.convert.trace.export;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.convert.PublishedCopyException;
import dev.agentreplay.convert.trace.reading.LedgerBuilder;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a session to export it: each line with its blob and its prompt in full, the results with
 * their calls. The values are held in memory, up to a maximum. Not safe for use by several threads.
 */
public final class ExportSource {

  private static final int MAX_WARNINGS = 100;

  private final Session session;
  private final boolean force;
  private final long maxBytes;
  private final boolean hasFullPrompts;
  private final LedgerBuilder ledger = new LedgerBuilder();
  private final List<String> warnings = new ArrayList<>();
  private final MerkleTree tree = new MerkleTree();
  private final CallPairing<Exchange> tools = new CallPairing<>();
  private final CallPairing<Exchange> models = new CallPairing<>();
  private final Map<String, Integer> occurrences = new HashMap<>();
  private long bytes;
  private Instant time = Instant.EPOCH;

  /**
   * Creates a source.
   *
   * @param force whether a log of an unsupported version is read
   * @param maxBytes the maximum number of bytes of the lines, prompts and blobs
   * @param hasFullPrompts whether the document has each prompt in full, so that it counts in full
   */
  public ExportSource(Session session, boolean force, long maxBytes, boolean hasFullPrompts) {
    this.session = session;
    this.force = force;
    this.maxBytes = maxBytes;
    this.hasFullPrompts = hasFullPrompts;
  }

  /** The account of the members of the events. */
  public LedgerBuilder ledger() {
    return ledger;
  }

  /** Facts about the session that the caller should know. */
  public List<String> warnings() {
    return warnings;
  }

  /** The root of the Merkle tree of the lines that were read. */
  public ContentHash root() {
    return tree.head().root();
  }

  /**
   * Reads the session.
   *
   * @throws ReplayFormatException if a line cannot be read, or the version is not supported
   * @throws PublishedCopyException if the log is a published copy
   * @throws IOException if it is not a log, a blob cannot be read, or the values are too long
   */
  public ExportedSession read() throws IOException {
    String id = session.id();
    try (ReplayReader reader = session.readerWithFullPrompts()) {
      ReplayLine line = reader.read();
      Dialect dialect = reader.dialect();
      if (line == null || dialect == null || reader.foreignFormat() != null) {
        throw new IOException(session.log() + ": it is not a log that can be exported");
      }
      if (line.json().get(Names.PUBLISHED) instanceof JsonObject published
          && published.get("form") instanceof JsonString) {
        throw new PublishedCopyException(session.log());
      }
      ExportedSession exported =
          new ExportedSession(id == null ? String.valueOf(session.log().getFileName()) : id);
      for (; line != null; line = reader.read()) {
        add(line, line.event(), dialect, exported);
      }
      exported.complete();
      return exported;
    }
  }

  /**
   * Adds a line.
   *
   * @param event its event, with the prompt in full
   * @return the call that it answers; null if it answers none
   */
  public @Nullable Exchange add(
      ReplayLine line, ReplayEvent event, Dialect dialect, ExportedSession exported)
      throws IOException {
    if (event instanceof ReplayHeader header) {
      checkVersion(header);
    }
    tree.add(line.bytes());
    addBytes(line.length());
    if (event.time() != null) {
      time = event.time().instant();
    }
    long number = line.position().line();
    ExportedEvent read = event(line, event, number, dialect);
    boolean isOrphan = false;
    Exchange answered = null;
    if (event instanceof ToolCall call) {
      Exchange exchange = exchange(read, "tool " + call.id());
      tools.call(call.id(), call.meta().agent(), exchange);
      exported.add(exchange);
    } else if (event instanceof ModelCall call) {
      Exchange exchange = exchange(read, "model " + call.id());
      models.call(call.id(), call.meta().agent(), exchange);
      exported.add(exchange);
    } else {
      answered = answered(event);
      isOrphan = answered == null && event.callId() != null;
      if (answered != null) {
        answered.answer(read);
      } else if (!exported.addSingle(read)) {
        exported.add(new Exchange(read, 0));
      }
    }
    exported.count(time, isOrphan);
    return answered;
  }

  private Exchange exchange(ExportedEvent call, String key) {
    return new Exchange(call, occurrences.merge(key, 1, Integer::sum) - 1);
  }

  private @Nullable Exchange answered(ReplayEvent event) {
    if (event instanceof ToolResult result) {
      return tools.result(result.id(), result.meta().agent());
    }
    return event instanceof ModelResult result
        ? models.result(result.id(), result.meta().agent())
        : null;
  }

  private void checkVersion(ReplayHeader header) throws ReplayFormatException {
    String fault = header.versionFault();
    if (fault != null && header.support() == ReplayHeader.Support.UNSUPPORTED && !force) {
      throw ReplayFormatException.unsupported(session.log(), header);
    }
    if (fault != null) {
      warn(fault);
    }
  }

  private ExportedEvent event(ReplayLine line, ReplayEvent event, long number, Dialect dialect)
      throws IOException {
    JsonObject json = line.json();
    if (line.isExpanded()) {
      addBytes(hasFullPrompts ? json.toString().length() : 0);
      json = JsonText.parse(line.bytes()).asObject();
    } else if (event instanceof ModelCall call && call.promptDelta() != null) {
      warn("event %,d: the prompt is not in full".formatted(number));
    }
    Content content = event.content();
    JsonValue value = content.value();
    String name = event.kind().contentName();
    boolean isBlob = value == null && content.blob() != null && name != null;
    if (isBlob && name != null) {
      value = blob(content, number);
      json = value == null ? json : json.with(name, value);
    }
    String tag = json.get(dialect.tagName()) instanceof JsonString text ? text.value() : "";
    SourceRecord record = SourceRecord.of(
        json, tag, SourcePlace.line(null, number, 0), ContentHash.sha256(line.bytes()), ledger);
    if (isBlob && value != null) {
      record.drop("the value of the blob is in the result", name + "_ref");
      record.drop("the whole value is in the result", name + "_preview");
    }
    return new ExportedEvent(number, event, record, value, time, dialect.tagName());
  }

  private @Nullable JsonValue blob(Content content, long number) throws IOException {
    BlobRef ref = content.blob();
    if (ref == null || session.blob(ref.blob()) == null) {
      warn("event %,d: the blob of its value is missing".formatted(number));
      return null;
    }
    addBytes(ref.bytes());
    return session.resolve(content);
  }

  private void addBytes(long more) throws IOException {
    bytes += more;
    if (bytes > maxBytes) {
      throw new IOException("%s: its values are longer than %,d bytes, the maximum for an export"
          .formatted(session.log(), maxBytes));
    }
  }

  private void warn(String warning) {
    if (warnings.size() < MAX_WARNINGS) {
      warnings.add(warning);
    }
  }
}

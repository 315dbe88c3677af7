package dev.agentreplay.convert.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.ImportedSession;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.recording.SessionWriter;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sessions of one source while they are written, in a temporary directory. */
final class ImportRun implements TraceOutput, Closeable {

  /** The producer of imported sessions. */
  static final String PRODUCER = "agentreplay-import";

  /** The time of a session whose source states none. */
  private static final Timestamp NO_TIME = Timestamp.parse("1970-01-01T00:00:00Z");

  private static final int MAX_NAME_LENGTH = 100;

  /** The maximum number of faults that are listed. */
  private static final int MAX_FAULTS = 1_000;

  /** A session that is being written. */
  private record Open(String id, String name, SessionWriter writer, TraceSession session) {}

  private final TraceSource source;
  private final Path directory;
  private final JsonObject origin;
  /** The names of all sessions, in the order in which they were begun. */
  private final List<String> begun = new ArrayList<>();

  private final Map<String, Open> sessions = new LinkedHashMap<>();
  private final Map<String, ImportedSession> ended = new HashMap<>();

  private final Set<String> names = new HashSet<>();
  private final List<SourceFault> faults = new ArrayList<>();
  private long faultCount;

  ImportRun(TraceSource source, Path directory) {
    this.source = source;
    this.directory = directory;
    this.origin = source.origin();
    source.faults().forEach(this::fault);
  }

  @Override
  public TraceSession begin(@Nullable String id, @Nullable Timestamp time) throws IOException {
    String sessionId = id == null || id.isBlank() ? source.name() : id;
    String name = unusedName(sessionId);
    Timestamp first = time == null ? NO_TIME : time;
    Meta meta = Meta.at(first).withExtra(JsonObject.of(Names.IMPORTED_FROM, origin));
    SessionWriter writer =
        SessionWriter.create(directory.resolve(name), ReplayHeader.of(PRODUCER).withMeta(meta));
    TraceSession session = new TraceSession(writer, sessionId, source.format().id());
    begun.add(name);
    sessions.put(name, new Open(sessionId, name, writer, session));
    return session;
  }

  /** A name for a directory that is safe on each file system, and that no other session has. */
  private String unusedName(String id) {
    String safe = id.replaceAll("[^A-Za-z0-9._-]", "_").replaceAll("^\\.+", "_");
    safe = safe.length() > MAX_NAME_LENGTH ? safe.substring(0, MAX_NAME_LENGTH) : safe;
    String name = safe;
    for (int i = 2; !names.add(name.toLowerCase(Locale.ROOT)); i++) {
      name = safe + "-" + i;
    }
    return name;
  }

  @Override
  public void end(TraceSession session) throws IOException {
    for (Open open : List.copyOf(sessions.values())) {
      if (open.session() == session) {
        ended.put(open.name(), complete(open));
        sessions.remove(open.name());
        open.writer().close();
      }
    }
  }

  @Override
  public void fault(SourceFault fault) {
    faultCount++;
    if (faults.size() < MAX_FAULTS) {
      faults.add(fault);
    }
  }

  /** The first faults that belong to no session. */
  List<SourceFault> faults() {
    return faults;
  }

  /** The number of all faults that belong to no session. */
  long faultCount() {
    return faultCount;
  }

  /**
   * Completes the sessions, each with its receipt and its account.
   *
   * @throws NothingRecognizedException if none has a turn
   */
  List<ImportedSession> complete() throws IOException {
    for (Open open : sessions.values()) {
      ended.put(open.name(), complete(open));
    }
    List<ImportedSession> imported = begun.stream().map(ended::get).toList();
    if (imported.stream().noneMatch(session -> session.counts().hasTurns())) {
      throw new NothingRecognizedException(
          ("%s: it begins like %s, but no message and no call was recognized in it; the format may"
                  + " have changed")
              .formatted(source.path().getFileName(), source.format().title()));
    }
    return imported;
  }

  private ImportedSession complete(Open open) throws IOException {
    open.session().complete();
    open.writer()
        .finish(receipt -> receipt.withExtra(receipt.extra().with(Names.IMPORTED_FROM, origin)));
    ImportedSession session = account(open);
    WholeFile.create(
        directory.resolve(open.name()).resolve(ImportedSession.FILE_NAME),
        (JsonText.pretty(session.toJson()) + "\n").getBytes(UTF_8));
    return session;
  }

  private ImportedSession account(Open open) {
    TraceSession session = open.session();
    long records =
        session.ledger().records().values().stream().mapToLong(Long::longValue).sum();
    return new ImportedSession(
        open.id(),
        open.name(),
        origin,
        session.counts().toCounts(records),
        session.ledger().records(),
        session.ledger().unknown(),
        session.faults(),
        session.faultCount(),
        session.ledger().build());
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Open open : sessions.values()) {
      try {
        open.writer().close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}

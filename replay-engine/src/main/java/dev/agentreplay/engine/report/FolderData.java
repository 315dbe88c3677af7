package dev.agentreplay.engine.report;

import dev.agentreplay.engine.report.embedded.EmbeddedOrigin;
import dev.agentreplay.engine.report.embedded.RelativeLink;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.SessionStats;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.engine.view.SessionTree;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON of the page of a folder, one row after the other. Its format is internal to the
 * page.
 *
 * <pre>
 * data     {title, directory, rows: [row], omitted, parents: [[row, row of its parent, evidence]]}
 *          directory: the beginning of paths that is not shown; omitted: number of sessions beyond
 *          the limit; evidence: {@link SessionTree.Evidence}; rows are numbered from 0
 * row      {path, link?, (session)} or {path, problem, skipped?}
 *          skipped: whether it is not a session but a place that was not searched
 * session  {id?, status?, ok?, task?, service?, time?, duration?, calls, turns, failed, tokens?: [of
 *          prompts, of answers], cost?, partial?, model?: [name], tags?: [tag], user?, environment?,
 *          bytes?, imported?, origin?}
 *          status: missing if the session has not ended; time: milliseconds since 1970; duration:
 *          milliseconds; failed: number of failed tool and model calls; partial: whether the cost
 *          does not include all calls; tags: all but that of the service; bytes: size of the log;
 *          imported: the format of the trace that the session was imported from;
 *          origin: as {@link EmbeddedOrigin} makes it
 * </pre>
 */
final class FolderData {

  /** The maximum number of rows. */
  static final int ROWS = 100_000;

  /** The maximum length of a task, a path and the reason of a failure, in characters. */
  private static final int SENTENCE = 1_000;

  /** The maximum length of any other text, in characters. */
  private static final int NAME = 200;

  /** The maximum number of the tags and of the models of a session. */
  private static final int NAMES = 20;

  private final ScriptWriter out;
  private final FolderOptions options;
  private final int maxRows;
  private final SessionTree.Builder tree = SessionTree.builder();

  /** The rows of the sessions in the tree, by their numbers there. */
  private final List<Long> rowsOfTree = new ArrayList<>();

  FolderData(ScriptWriter out, FolderOptions options) {
    this(out, options, ROWS);
  }

  /** Creates a writer with a different limit of rows. */
  FolderData(ScriptWriter out, FolderOptions options, int maxRows) {
    this.out = out;
    this.options = options;
    this.maxRows = maxRows;
  }

  void write(Stream<FolderEntry<SessionSummary>> entries) throws IOException {
    Path directory = options.directory();
    String prefix = "";
    if (directory != null && !directory.toString().isEmpty()) {
      String separator = directory.getFileSystem().getSeparator();
      String text = directory.toString();
      prefix = text.endsWith(separator) ? text : text + separator;
    }
    out.syntax("{\"title\":").value(JsonString.of(Excerpt.shortened(options.title(), SENTENCE)));
    out.syntax(",\"directory\":").value(JsonString.of(prefix)).syntax(",\n\"rows\":[");
    long rows = 0;
    Iterator<FolderEntry<SessionSummary>> each = entries.iterator();
    while (each.hasNext()) {
      FolderEntry<SessionSummary> entry = each.next();
      if (rows < maxRows) {
        out.syntax(rows == 0 ? "\n" : ",\n").value(row(entry));
        if (entry instanceof FolderEntry.Loaded<SessionSummary> session) {
          tree.add(session.value());
          rowsOfTree.add(rows);
        }
      }
      rows++;
    }
    out.syntax("],\n\"omitted\":")
        .value(JsonValue.of(Math.max(0, rows - maxRows)))
        .syntax(",\n\"parents\":[");
    writeParents(tree.build());
    out.syntax("]}");
  }

  private void writeParents(SessionTree parents) throws IOException {
    String separator = "";
    for (int i = 0; i < parents.size(); i++) {
      SessionTree.Parent parent = parents.parent(i);
      if (parent != null) {
        out.syntax(separator)
            .value(JsonArray.of(
                rowsOfTree.get(i),
                rowsOfTree.get(parent.number()),
                parent.evidence().id()));
        separator = ",";
      }
    }
  }

  private JsonObject row(FolderEntry<SessionSummary> entry) {
    JsonObject.Builder row =
        JsonObject.builder().put("path", Excerpt.shortened(entry.path().toString(), SENTENCE));
    if (entry instanceof FolderEntry.Failed<SessionSummary> unreadable) {
      row.put("problem", Excerpt.shortened(reason(unreadable.failure()), SENTENCE));
      if (unreadable.isSkipped()) {
        row.put("skipped", true);
      }
    } else if (entry instanceof FolderEntry.Loaded<SessionSummary> readable) {
      String page = options.pages().apply(entry.path());
      if (page != null) {
        row.put("link", RelativeLink.to(page));
      }
      session(row, readable.value(), entry.path());
    }
    return row.build();
  }

  private void session(JsonObject.Builder row, SessionSummary session, Path path) {
    SessionStats totals = session.totals();
    Status status = session.status();
    put(row, "id", session.sessionId(), NAME);
    if (status != null) {
      put(row, "status", status.word(), NAME);
      row.put("ok", status.isSuccess());
    }
    put(row, "task", session.task(), SENTENCE);
    put(row, "service", session.service(), NAME);
    if (session.startTime() != null) {
      row.put("time", session.startTime().instant().toEpochMilli());
    }
    Duration duration = totals.duration();
    if (duration != null) {
      row.put("duration", duration.toMillis());
    }
    row.put("calls", totals.toolCalls())
        .put("turns", totals.modelCalls())
        .put(
            "failed", EventRules.addTotal(totals.failedToolResults(), totals.failedModelResults()));
    if (totals.tokensIn() > 0 || totals.tokensOut() > 0) {
      row.put("tokens", JsonArray.of(totals.tokensIn(), totals.tokensOut()));
    }
    cost(row, totals);
    putAll(row, "model", totals.byModel().keySet());
    putAll(row, "tags", session.labels().otherTags());
    put(row, "user", session.labels().user(), NAME);
    put(row, "environment", session.labels().environment(), NAME);
    put(
        row,
        Names.IMPORTED,
        session.importedFrom() == null ? null : session.importedFrom().format(),
        NAME);
    JsonObject origin = EmbeddedOrigin.of(session.origin());
    if (origin != null) {
      row.put("origin", origin);
    }
    Long bytes = bytes(session, path);
    if (bytes != null) {
      row.put("bytes", bytes);
    }
  }

  private void cost(JsonObject.Builder row, SessionStats totals) {
    if (options.prices().isEmpty() || totals.modelCalls() == 0) {
      return;
    }
    SessionStats.Cost cost = totals.cost(options.prices());
    row.put("cost", cost.amount().doubleValue());
    if (!cost.isComplete()) {
      row.put("partial", true);
    }
  }

  /** The size of the log, or of the file that contains the session; null if it is gone. */
  private static @Nullable Long bytes(SessionSummary session, Path path) {
    try {
      long bytes = 0;
      List<Path> files =
          Files.isRegularFile(path) ? List.of(path) : session.session().segments();
      for (Path file : files) {
        bytes += Files.size(file);
      }
      return bytes;
    } catch (IOException e) {
      return null;
    }
  }

  private static String reason(IOException failure) {
    String message = failure.getMessage();
    return message == null || message.isEmpty() ? failure.getClass().getSimpleName() : message;
  }

  private static void putAll(JsonObject.Builder row, String name, Collection<String> texts) {
    JsonArray named = JsonArray.copyOf(texts.stream()
        .filter(text -> !text.isEmpty())
        .limit(NAMES)
        .map(text -> (JsonValue) JsonString.of(Excerpt.shortened(text, NAME)))
        .toList());
    if (named.size() > 0) {
      row.put(name, named);
    }
  }

  private static void put(JsonObject.Builder row, String name, @Nullable String text, int length) {
    if (text != null && !text.isEmpty()) {
      row.put(name, Excerpt.shortened(text, length));
    }
  }
}

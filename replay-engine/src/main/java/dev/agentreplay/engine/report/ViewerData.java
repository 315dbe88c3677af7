package dev.agentreplay.engine.report;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Sides;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.report.embedded.EmbeddedEvent;
import dev.agentreplay.engine.report.embedded.EmbeddedImages;
import dev.agentreplay.engine.report.embedded.EmbeddedOrigin;
import dev.agentreplay.engine.report.embedded.Embedding;
import dev.agentreplay.engine.report.embedded.ModelCosts;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.engine.report.embedded.SessionFacts;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.StatsAccumulator;
import dev.agentreplay.io.log.RawLineReader;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON that the viewer reads. Its format is internal to the page that contains it.
 *
 * <pre>
 * data     {limits, sides?, sessions: [session], diff?, alignment?: [pair], run?}
 * limits   {value, total, events}  maximum embedded: characters of a value, characters of all
 *          values, events of a session; of more events, the first half of them and the last
 * sides    [left, right]  the words for the sides, if they are not A and B
 * session  {name, lines, events: [event], facts, totals, cut?, policy?}
 *          lines: number of lines of the log
 *          policy: of a published copy, the policy under which it was published
 * totals   as {@link ViewedTotals} makes them, of the whole log
 * facts    {label, id?, started?, origin?, directory?, task?, facts?: [[label, text]], end?: {status,
 *           ok, summary?, error?, confidence?}}
 *          label: the service and the task, or the name; id: of the session, shortened as in an
 *          origin; started: milliseconds since 1970;
 *          origin: of a fork or a replay, as {@link EmbeddedOrigin} makes it;
 *          directory: the name unless it is the label or a generated one
 * cut      {line, calls}  if there are more events than the limit: the first line of the last
 *          ones that are embedded, and the number of tool calls before it
 * event    {line, kind, name?, agent?, parent?, time?, answers?, base?, repeats?, ok?, latency?,
 *           utility?, replayed?, imported?, stream?, attempt?, uncertain?, exit?, error?, finish?,
 *           tokens?, cost?, main?, (value), blob?, findings?: [text],
 *           withheld?: [[pointer, rule or null]]}
 *          parent: the line of the call that started the agent;
 *          time: milliseconds since 1970; answers: the line of the call; latency: milliseconds;
 *          base: the line of the model call whose prompt the member prompt_delta changes; repeats:
 *          whether the log holds the prompt in full, and not that change;
 *          replayed: {action, match?, line?}, the provenance of an event of a replay;
 *          imported: {place, record}, the record of the trace that an event was imported from;
 *          exit: the exit code; error: the name of the error; finish: the finish reason;
 *          tokens: [of the prompt or null, of the answer or null]; cost: a decimal number as text;
 *          withheld: of a published copy, the places of values that it withholds, or replaced by a
 *          rule
 *          main: the member that holds the params, the output, the prompt, the answer
 * value    {json, cuts?: [[pointer, size, kept]], images?: [[pointer, image]]} or {size}
 *          json: the JSON text of the line, with an empty text in place of each image; of an omitted
 *          value there is only the size
 * image    {hash, type, width, height, size, data?}
 *          type: the media type; size: the length of the recorded text in characters; data: Base64,
 *          of the first event with this hash, if the limit of images is not reached
 * blob     {hash, bytes, (value)} or {hash, bytes, problem}; {hash, bytes} if an earlier event of
 *           the session has the same blob
 * diff     replay.diff/1 as {@link DiffJson} makes it, except that of a divergence {@code left} and
 *          {@code right} are {line}, there is no pointer, patch, also, context, and each of its
 *          values has more: {before: excerpt or null, after: excerpt or null, marks, file?} or
 *          {places: [value], count or null}
 *          file: {left, right}, the forms of the contents of a file; before and after are the
 *          contents if all of them are text
 *          marks: empty, or three characters; in both texts a part that rules replaced is
 *          between the first two, and its replacement between the last two; places: of values
 *          reported as a whole, the first places that differ; count: the number of such places
 * excerpt  {(value)} or {(value), from, length}  of a long text the part that differs, with the
 *           offset of the part and the length of the text, in characters
 * pair     [relation, left line or null, right line or null, number of the divergence or null]
 *
 * of several runs: {limits, sides?, sessions: [left, run, ...], comparisons: [{diff, alignment}],
 *          report}
 * report   {verdict, agreement, left, runs: [compared], counts, cause, steps: [step], omitted}
 *          agreement: percentage; cause: index of the step of the root cause, or null;
 *          counts: number of steps by stability; omitted: number of steps beyond the limit
 * compared {name, events, latency}
 * step     {stability, variants, name, summary, line, call, left, runs: [[relation, line, variant]],
 *          downstream?}
 *          line and call: of the step in the left session, else in the first run that has it;
 *          left, and line of a run: its line there, or null; variant: 0 if the run agrees
 *
 * run      the report of a replay, as {@link ViewerRun} makes it; its divergences take the place of
 *          those of the diff, which has none
 * </pre>
 */
final class ViewerData {

  /** The length of the longest value that is embedded whole, in characters. */
  static final int VALUE = 1 << 16;

  /** The maximum length of all embedded values together, in characters. */
  static final long TOTAL = 32L << 20;

  /** The maximum number of events of one session. */
  static final int EVENTS = 100_000;

  private static final int BLOB_BYTES = 16 << 20;

  private final ScriptWriter out;
  private final int maxEvents;
  private final Prices prices;
  private final SideNames sides;
  private final EmbeddedImages images = new EmbeddedImages();

  ViewerData(ScriptWriter out, ViewerOptions options) {
    this(out, options, EVENTS);
  }

  /** Creates a writer with a different limit of events, at least 2. */
  ViewerData(ScriptWriter out, ViewerOptions options, int maxEvents) {
    this.out = out;
    this.prices = options.prices();
    this.sides = options.sides();
    this.maxEvents = maxEvents;
  }

  void write(Session session) throws IOException {
    begin();
    write(session, name(session), TOTAL);
    out.syntax("]}");
  }

  void write(SessionDiff diff, Session left, Session right) throws IOException {
    long part = TOTAL / 5;
    begin();
    write(left, diff.left().name(), 2 * part);
    out.syntax(",\n");
    write(right, diff.right().name(), 2 * part);
    out.syntax("],\n\"diff\":");
    EmbeddedChange values = new EmbeddedChange(new Embedding(VALUE, part));
    out.value(DiffJson.forViewer(diff, values));
    write(diff, IntUnaryOperator.identity());
    out.syntax("}");
  }

  void write(ReplayReport report, Session recording, @Nullable Session compared)
      throws IOException {
    long part = TOTAL / 5;
    ViewerRun run = new ViewerRun(report, new EmbeddedChange(new Embedding(VALUE, part)));
    String name = name(recording);
    begin();
    write(recording, name, compared == null ? 4 * part : 2 * part);
    SessionDiff diff = compared == null ? null : report.comparison();
    if (compared != null) {
      boolean isTemporary = report.mode() != ReplayMode.VALIDATION && report.directory() == null;
      String other = isTemporary ? "replay" : name(compared);
      out.syntax(",\n");
      write(compared, other, 2 * part);
      diff = diff == null ? null : diff.withNames(name, other);
    }
    out.syntax("]");
    if (diff != null) {
      out.syntax(",\n\"diff\":").value(DiffJson.report(diff, JsonArray.EMPTY));
      write(diff, run::number);
    }
    out.syntax(",\n\"run\":").value(run.json()).syntax("}");
  }

  /**
   * Writes several comparisons with the same left session, and the report that merges them.
   *
   * @param sessions the left session, and the right session of each comparison
   */
  void write(FlakinessReport report, List<SessionDiff> diffs, List<Session> sessions)
      throws IOException {
    long part = TOTAL / 5;
    begin();
    write(sessions.get(0), report.left().name(), 4 * part / sessions.size());
    for (int i = 0; i < diffs.size(); i++) {
      out.syntax(",\n");
      write(sessions.get(i + 1), report.runs().get(i).name(), 4 * part / sessions.size());
    }
    out.syntax("],\n\"comparisons\":[");
    for (int i = 0; i < diffs.size(); i++) {
      EmbeddedChange values = new EmbeddedChange(new Embedding(VALUE, part / diffs.size()));
      out.syntax(i == 0 ? "{\"diff\":" : ",\n{\"diff\":");
      out.value(DiffJson.forViewer(diffs.get(i), values));
      write(diffs.get(i), IntUnaryOperator.identity());
      out.syntax("}");
    }
    out.syntax("],\n\"report\":");
    new RunsReport(report).write(out);
    out.syntax("}");
  }

  private void write(SessionDiff diff, IntUnaryOperator numbers) throws IOException {
    out.syntax(",\n\"alignment\":[");
    String separator = "\n";
    for (AlignedStep pair : diff.alignment()) {
      out.syntax(separator).value(pair(pair, numbers));
      separator = ",\n";
    }
    out.syntax("]");
  }

  private static JsonArray pair(AlignedStep pair, IntUnaryOperator numbers) {
    Sides<Long> lines = pair.sides().map(Step::line);
    Integer divergence = pair.divergence();
    return JsonArray.of(
        pair.relation().id(),
        lines.left(),
        lines.right(),
        divergence == null ? null : numbers.applyAsInt(divergence));
  }

  /** The name of the session directory, or of the log if it is not in a session directory. */
  static String name(Session session) {
    Path log = session.log().toAbsolutePath().normalize();
    boolean inDirectory =
        log.endsWith(Session.LOG_NAME) || log.endsWith(Session.COMPRESSED_LOG_NAME);
    Path named = inDirectory ? log.getParent() : log;
    Path last = named == null ? null : named.getFileName();
    return last == null ? log.toString() : last.toString();
  }

  /** The number of lines of a log; 0 if it can be read only once, such as a pipe. */
  private static long count(Session session) throws IOException {
    if (!Files.isRegularFile(session.log())) {
      return 0;
    }
    long lines = 0;
    try (RawLineReader reader = RawLineReader.open(session.log(), session.readerOptions())) {
      while (reader.read() != null) {
        lines++;
      }
    }
    return lines;
  }

  private void begin() throws IOException {
    out.syntax("{\"limits\":")
        .value(JsonObject.of("value", VALUE, "total", TOTAL, "events", maxEvents));
    if (!sides.equals(SideNames.defaults())) {
      out.syntax(",\n\"sides\":").value(JsonArray.of(sides.left(), sides.right()));
    }
    out.syntax(",\n\"sessions\":[");
  }

  private void write(Session session, String name, long total) throws IOException {
    long all = count(session);
    boolean isCut = all > maxEvents;
    long firstCut = isCut ? maxEvents / 2 : maxEvents;
    long lastCut = isCut ? all - (maxEvents - maxEvents / 2) : Long.MAX_VALUE;
    // space is reserved for the last events, so that they are never omitted
    long ofTail = isCut ? total / 4 : 0;
    EmbeddedEvent events = new EmbeddedEvent(
        session, new Embedding(VALUE, total - ofTail), images, new ModelCosts(prices), BLOB_BYTES);
    StatsAccumulator totals = new StatsAccumulator();
    SessionFacts facts = new SessionFacts(name);
    JsonObject cut = null;
    long lines = 0;
    out.syntax("{\"name\":").value(JsonString.of(name)).syntax(",\"events\":[");
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (lines >= firstCut && lines < lastCut) {
          events.skip(line);
        } else {
          if (lines > 0 && lines == lastCut) {
            long calls = totals.toStats().toolCalls();
            cut = JsonObject.of("line", line.position().line(), "calls", calls);
            events.use(new Embedding(VALUE, ofTail));
          }
          out.syntax(lines == 0 ? "\n" : ",\n").value(events.of(line));
        }
        totals.add(line.event());
        facts.add(line.event());
        lines++;
      }
    }
    out.syntax("],\n\"facts\":").value(facts.json());
    out.syntax(",\n\"totals\":").value(ViewedTotals.json(totals.toStats(), prices));
    if (cut != null) {
      out.syntax(",\"cut\":").value(cut);
    }
    if (events.policy() != null) {
      out.syntax(",\"policy\":").value(JsonString.of(events.policy()));
    }
    out.syntax(",\n\"lines\":" + lines + "}");
  }
}

package dev.agentreplay.convert.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.PublishedCopyException;
import dev.agentreplay.convert.trace.export.AtifWriter;
import dev.agentreplay.convert.trace.export.DocumentWriter;
import dev.agentreplay.convert.trace.export.DocumentWriter.Document;
import dev.agentreplay.convert.trace.export.ExportSource;
import dev.agentreplay.convert.trace.export.ExportedSession;
import dev.agentreplay.convert.trace.export.InspectWriter;
import dev.agentreplay.convert.trace.export.SpanWriter;
import dev.agentreplay.convert.trace.report.ExportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Exports sessions to the formats of other tools. The file appears as a whole or not at all, and
 * the same session gives the same bytes. A session is held in memory while it is exported, up to
 * {@link ExportOptions#maxBytes}, and takes several times that. Immutable, safe for use by several
 * threads.
 *
 * <pre>{@code
 * ExportReport report = TraceExporter.of(ExportOptions.defaults())
 *     .export(Session.open(Path.of("sessions/fix-auth")), Path.of("trace.json"), TraceFormat.ATIF);
 * report.ledger().entries().forEach(System.out::println);
 * }</pre>
 */
public final class TraceExporter {

  private static final Set<TraceFormat> FORMATS = EnumSet.of(
      TraceFormat.ATIF, TraceFormat.INSPECT, TraceFormat.OTEL, TraceFormat.OPENINFERENCE);

  private final ExportOptions options;

  private TraceExporter(ExportOptions options) {
    this.options = Objects.requireNonNull(options, "options");
  }

  /** Creates an exporter. */
  public static TraceExporter of(ExportOptions options) {
    return new TraceExporter(options);
  }

  /** The formats that a session can be exported to. */
  public static Set<TraceFormat> formats() {
    return EnumSet.copyOf(FORMATS);
  }

  /**
   * Exports a session.
   *
   * @param out the file to write
   * @throws IllegalArgumentException if the format is not one of {@link #formats}
   * @throws FileAlreadyExistsException if the file exists and is not to be replaced, or is the log
   * @throws ReplayFormatException if a line cannot be read, or the version of the log is not
   *     supported; nothing is written
   * @throws PublishedCopyException if the log is a published copy; nothing is written
   * @throws IOException if the values are too long or too deep, a file cannot be read or written,
   *     or the log has changed since it was verified; nothing is written
   */
  public ExportReport export(Session session, Path out, TraceFormat to) throws IOException {
    DocumentWriter writer = writer(to);
    if (LogSegments.isSegment(session.log(), out)) {
      throw new FileAlreadyExistsException(
          out.toString(), null, "it is the source; name a different file");
    }
    if (RegularFiles.file(out) != null && !options.overwrite()) {
      throw new FileAlreadyExistsException(out.toString());
    }
    VerificationReport verified = SessionVerifier.of(VerifyPolicy.defaults()).verify(session);
    boolean hasFullPrompts = to != TraceFormat.ATIF;
    ExportSource source =
        new ExportSource(session, options.force(), options.maxBytes(), hasFullPrompts);
    ExportedSession exported = source.read();
    if (verified.root() != null && !verified.root().equals(source.root())) {
      throw new IOException(session.log() + ": changed while it was exported");
    }
    boolean isInvalid =
        verified.verdict() == Verdict.INVALID || verified.verdict() == Verdict.UNREADABLE;
    Document document = write(writer, exported, session.log());
    writeFile(out, to, document);
    return new ExportReport(
        to,
        exported.id(),
        out,
        isInvalid,
        source.warnings(),
        exported.counts(document.items()),
        source.ledger().build());
  }

  private static DocumentWriter writer(TraceFormat to) {
    DocumentWriter writer = find(to);
    if (writer == null) {
      throw new IllegalArgumentException("sessions cannot be exported to " + to.id());
    }
    return writer;
  }

  private static @Nullable DocumentWriter find(TraceFormat to) {
    return switch (to) {
      case ATIF -> new AtifWriter();
      case INSPECT -> new InspectWriter();
      case OTEL -> SpanWriter.genAi();
      case OPENINFERENCE -> SpanWriter.openInference();
      default -> null;
    };
  }

  private static Document write(DocumentWriter writer, ExportedSession session, Path log)
      throws IOException {
    try {
      return writer.write(session);
    } catch (IllegalArgumentException tooDeep) {
      throw new IOException(
          "%s: a value cannot be written: %s".formatted(log, tooDeep.getMessage()), tooDeep);
    }
  }

  /** Writes a document: spans on one line, as collectors read them, others indented. */
  private void writeFile(Path out, TraceFormat to, Document document) throws IOException {
    boolean isLine = to == TraceFormat.OTEL || to == TraceFormat.OPENINFERENCE;
    String text = isLine ? document.json().toString() : JsonText.pretty(document.json());
    byte[] bytes = (text.endsWith("\n") ? text : text + "\n").getBytes(UTF_8);
    if (options.overwrite()) {
      WholeFile.replace(out, bytes);
    } else {
      WholeFile.create(out, bytes);
    }
  }
}

package dev.agentreplay.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.BundleWriter;
import dev.agentreplay.canonical.dialect.ConversionLedger;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.DialectConverter;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.ReceiptAccumulator;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.ReceiptForm;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts logs and bundles into each other.
 *
 * <pre>{@code
 * ConversionReport report = SessionConverter.convert(
 *     Path.of("sess.jsonl"), Path.of("draft.jsonl"), SessionFormat.DRAFT, ConvertOptions.defaults());
 * report.ledger().entries().forEach(System.out::println);
 * }</pre>
 *
 * <p>A log that is in the dialect already is copied, byte for byte. One that is in several files
 * becomes one file. The result is there whole or not at all, with all files that the report names,
 * and only when it has everything that its specification requires, unless that is asked for. A
 * source that would become another session, by what it keeps aside ({@code CARRIED_OVER_CONFLICT}),
 * is not converted either; where it is asked for, what the events say themselves wins, and no
 * receipt is made. Nor is one made of a source that does not verify: it would hide that. Memory is
 * that of the longest line, but for a bundle, which is read whole, and a receipt, which takes some
 * for every call.
 */
public final class SessionConverter {

  /** The name of a bundle in a directory. */
  public static final String BUNDLE_NAME = "BUNDLE.json";

  /** The end of the name of a member that refers to a blob. */
  private static final String REFERENCE = "_ref";

  /** The most conflicts that are listed. */
  private static final int MAX_CONFLICTS = 100;

  private final ConversionSource source;
  private final SessionFormat to;
  private final boolean sourceIsInvalid;
  private final ConversionLedger ledger = new ConversionLedger();
  private final @Nullable ReceiptAccumulator receipt;
  private final boolean hasTrajectory;
  private final LogCanonicalization canonicalization = new LogCanonicalization();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> conflicts = new ArrayList<>();
  private final Set<ContentHash> referred = new LinkedHashSet<>();
  private long read;
  private long written;

  /** A converter; a receipt takes memory for every call. */
  private SessionConverter(
      ConversionSource source,
      SessionFormat to,
      boolean sourceIsInvalid,
      boolean makesReceipt,
      boolean hasTrajectory) {
    this.source = source;
    this.to = to;
    this.sourceIsInvalid = sourceIsInvalid;
    this.receipt = makesReceipt ? new ReceiptAccumulator() : null;
    this.hasTrajectory = hasTrajectory;
  }

  /**
   * Converts a log or a bundle into a file.
   *
   * @param in the log or the bundle
   * @param out the log or bundle to write; a receipt is the file {@value Session#RECEIPT_NAME}
   *     beside it
   * @throws FileAlreadyExistsException if a file exists that is not to be replaced, or that has the
   *     name of a segment of the log that is written; none of those is replaced
   * @throws ReplayFormatException if a line cannot be read; nothing is written
   * @throws IOException if the log is of a version that is not supported, blobs that must be
   *     written into the log are more than the limit, there is a link in place of a file, or a file
   *     cannot be read or written; nothing is written
   */
  public static ConversionReport convert(
      Path in, Path out, SessionFormat to, ConvertOptions options) throws IOException {
    return convert(Session.open(in), out, null, to, options);
  }

  /**
   * Converts a session into a directory, which is made if there is none: a log with the name that
   * it has there, and of a log also the blobs that it refers to and the summary; or the bundle
   * {@value #BUNDLE_NAME}. Nothing else of the session's directory is copied. A receipt, an
   * envelope and a summary that are in the directory are those of the session that is replaced, and
   * removed.
   *
   * @throws FileAlreadyExistsException as {@link #convert} does, also for a blob and a receipt
   * @throws IOException as {@link #convert} does, also if the directory of blobs is a link, or
   *     there is a compressed log
   */
  public static ConversionReport convertInto(
      Path directory, Session session, SessionFormat to, ConvertOptions options)
      throws IOException {
    Objects.requireNonNull(to, "to");
    String name = to.isLog() ? Session.LOG_NAME : BUNDLE_NAME;
    return convert(session, directory.resolve(name), directory, to, options);
  }

  private static ConversionReport convert(
      Session session, Path out, @Nullable Path directory, SessionFormat to, ConvertOptions options)
      throws IOException {
    Objects.requireNonNull(to, "to");
    try (ConversionSource source = ConversionSource.open(session);
        ConversionOutput output = new ConversionOutput(LocalDisk.INSTANCE, options.overwrite())) {
      boolean isLog = to.isLog();
      boolean isBundle = !source.name().equals(source.dialect().id());
      boolean verifies = !isBundle && (isLog ? options.receipt() : session.receipt() != null);
      ContentHash verified = verifies ? session.replayHash() : null;
      boolean isInvalid = verifies && isInvalid(session);
      boolean makesReceipt = isLog && (isBundle || (options.receipt() && !isInvalid));
      SessionConverter converter = new SessionConverter(
          source, to, isInvalid, makesReceipt, to.dialect() == Dialect.TYPE && !isBundle);
      requireFree(out, directory != null && isLog, makesReceipt, output);
      if (directory != null) {
        output.directory(directory);
      }
      MessageDigest digest = ContentHash.newDigest();
      try {
        converter.convert(new DigestOutputStream(output.add(out), digest), session, options);
      } catch (UncheckedIOException e) {
        throw e.getCause() == null ? new IOException(e) : e.getCause();
      }
      if (verified != null && !verified.equals(session.replayHash())) {
        throw new IOException(session.log() + ": changed while it was converted");
      }
      ConversionReport report = converter.report(null, null, List.of());
      if (!report.isComplete() && !options.force()) {
        return report;
      }
      Receipt made = converter.receipt(ContentHash.of(digest.digest()));
      Path receiptFile = made == null ? null : out.resolveSibling(Session.RECEIPT_NAME);
      if (made != null && receiptFile != null) {
        output.add(receiptFile).write(ReceiptFile.toText(made).getBytes(UTF_8));
      }
      if (directory != null && isLog) {
        converter.copyAttachments(session, directory, output);
        converter.removeStale(session, directory, made != null, output);
      } else if (isLog) {
        converter.warnOfBlobs(session);
      }
      for (Path old : output.commit()) {
        converter.warnings.add("cannot delete " + old + ", which is what a file was before");
      }
      return converter.report(out, receiptFile, output.files());
    }
  }

  /** A receipt of the result must not hide that the source contradicts itself or its receipt. */
  private static boolean isInvalid(Session session) throws IOException {
    Verdict verdict =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(session).verdict();
    return verdict == Verdict.INVALID || verdict == Verdict.UNREADABLE;
  }

  /** Checks all names that are known before the source is read. */
  private static void requireFree(
      Path out, boolean isSession, boolean makesReceipt, ConversionOutput output)
      throws IOException {
    output.requireFree(out);
    if (makesReceipt || isSession) {
      output.requireFree(out.resolveSibling(Session.RECEIPT_NAME));
    }
    if (isSession) {
      output.requireFree(out.resolveSibling(Session.ENVELOPE_NAME));
      output.requireFree(out.resolveSibling(Session.SUMMARY_NAME));
      RegularFiles.directory(out.resolveSibling(Session.BLOBS_NAME));
      Path compressed = out.resolveSibling(Session.COMPRESSED_LOG_NAME);
      if (RegularFiles.file(compressed) != null) {
        throw new FileAlreadyExistsException(
            compressed.toString(), null, "there would be two logs in the directory");
      }
    }
    Path segment = LogSegments.file(out, 2);
    if (Files.exists(segment, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(
          segment.toString(), null, "it would be read as a segment of the log that is written");
    }
  }

  /** Copies the summary, and the blobs that the result refers to and that are there. */
  private void copyAttachments(Session session, Path directory, ConversionOutput output)
      throws IOException {
    if (session.summary() != null) {
      output.copy(session.summary(), directory.resolve(Session.SUMMARY_NAME));
    }
    Path blobs = directory.resolve(Session.BLOBS_NAME);
    for (ContentHash name : referred) {
      Path blob = session.blob(name);
      if (blob != null) {
        if (RegularFiles.directory(blobs) == null) {
          output.directory(blobs);
        }
        output.copy(blob, blobs.resolve(blob.getFileName()));
      }
    }
  }

  /** A single file has no place for the blobs that the result refers to. */
  private void warnOfBlobs(Session session) throws IOException {
    int left = 0;
    for (ContentHash name : referred) {
      left += session.blob(name) == null ? 0 : 1;
    }
    if (left > 0) {
      warnings.add("%,d %s not copied; give a directory as OUT"
          .formatted(left, left == 1 ? "blob is" : "blobs are"));
    }
  }

  private void removeStale(
      Session session, Path directory, boolean hasReceipt, ConversionOutput output)
      throws IOException {
    if (!hasReceipt) {
      output.remove(directory.resolve(Session.RECEIPT_NAME));
    }
    if (session.summary() == null) {
      output.remove(directory.resolve(Session.SUMMARY_NAME));
    }
    output.remove(directory.resolve(Session.ENVELOPE_NAME));
    for (Path file : output.removed()) {
      warnings.add("removed " + file + ", which was that of the session that is replaced");
    }
  }

  private void convert(OutputStream out, Session session, ConvertOptions options)
      throws IOException {
    BundleWriter bundle = to.isLog() ? null : new BundleWriter(out);
    boolean copies = source.dialect() == to.dialect();
    DialectConverter converter = new DialectConverter(
        source.dialect(), to.dialect(), new EmbeddedBlobs(session, options.maxEmbeddedBytes()));
    for (JsonObject line = source.next(); line != null; line = source.next()) {
      ReplayHeader header = read == 0 ? source.header(line) : null;
      if (header != null) {
        checkVersion(session.log(), header, options);
      }
      read++;
      addConflicts();
      if (!copies) {
        converter.convert(line, result -> writeUnchecked(result, bundle, out));
      } else if (bundle == null && source.copyTo(out)) {
        fold(line);
      } else {
        write(line, bundle, out);
      }
    }
    if (!copies) {
      converter.finish(result -> writeUnchecked(result, bundle, out));
    }
    if (bundle != null) {
      bundle.finish();
      written = bundle.events();
      ledger.addAll(bundle.ledger());
    }
    ledger.addAll(converter.ledger());
    ledger.addAll(source.ledger());
  }

  private void addConflicts() {
    for (Finding conflict : source.conflicts()) {
      if (conflicts.size() < MAX_CONFLICTS) {
        conflicts.add("event %d: %s: %s".formatted(read, conflict.code(), conflict.message()));
      }
    }
  }

  private void checkVersion(Path in, ReplayHeader header, ConvertOptions options)
      throws IOException {
    String fault = header.versionFault();
    if (fault != null && header.support() == ReplayHeader.Support.UNSUPPORTED && !options.force()) {
      throw new IOException(in + ": " + fault + "; --force reads it anyway");
    }
    if (fault != null) {
      warnings.add(fault);
    }
  }

  private void writeUnchecked(JsonObject line, @Nullable BundleWriter bundle, OutputStream out) {
    try {
      write(line, bundle, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(JsonObject line, @Nullable BundleWriter bundle, OutputStream out)
      throws IOException {
    fold(line);
    if (bundle != null) {
      bundle.add(line);
      return;
    }
    byte[] text = canonical(line);
    if (text.length > LineEncoder.MAX_LINE_BYTES) {
      throw new IOException(
          "event %d would be longer than %d bytes".formatted(written, LineEncoder.MAX_LINE_BYTES));
    }
    out.write(text);
    out.write('\n');
  }

  /** An integer that the log's canonicalization would round is written as it is. */
  private byte[] canonical(JsonObject line) {
    CanonicalJson named = canonicalization.get();
    try {
      return (named == null ? CanonicalJson.SERDE : named).bytes(line);
    } catch (IllegalArgumentException wouldBeRounded) {
      return CanonicalJson.SERDE.bytes(line);
    }
  }

  private void fold(JsonObject line) {
    boolean isFirst = written++ == 0;
    boolean refers = line.names().stream().anyMatch(name -> name.endsWith(REFERENCE));
    if (isFirst || refers || receipt != null) {
      ReplayEvent event = to.dialect().decode(line).event();
      canonicalization.accept(event);
      BlobRef blob = event.content().blob();
      if (blob != null) {
        referred.add(blob.blob());
      }
      if (receipt != null) {
        if (hasTrajectory) {
          receipt.add(event, line);
        } else {
          receipt.add(event);
        }
      }
    }
  }

  private @Nullable Receipt receipt(ContentHash replayHash) {
    if (receipt == null || !conflicts.isEmpty()) {
      return null;
    }
    return receipt.toReceipt(
        hasTrajectory ? ReceiptForm.OPENAGENTS_V1 : ReceiptForm.SESSION, replayHash, null);
  }

  private ConversionReport report(
      @Nullable Path out, @Nullable Path receiptFile, List<Path> files) {
    List<String> problems = new ArrayList<>(source.problems());
    problems.addAll(conflicts);
    return new ConversionReport(
        source.name(),
        to,
        read,
        written,
        sourceIsInvalid,
        problems,
        warnings,
        ledger,
        out,
        receiptFile,
        files);
  }
}

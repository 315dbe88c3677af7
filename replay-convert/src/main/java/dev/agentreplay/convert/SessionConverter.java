package dev.agentreplay.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
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
 * <p>A log that already has the dialect is copied byte for byte; a log in several segments becomes
 * one file. The result is written only if it has all that its specification requires, unless
 * {@link ConvertOptions#force} is set. Each file is written atomically, the log or bundle last;
 * after a failure the previous state is restored. A process that is killed while files are moved
 * may leave some of them replaced. A source that would become a different session because of
 * members that it carries over ({@code CARRIED_OVER_CONFLICT}) is not converted either; with
 * {@code force} the members of the events themselves are used, and no receipt is created. Neither
 * is a receipt created of a source that does not verify, because it would hide that. Memory is
 * bounded by the longest line, except for a bundle, which is read completely, and a receipt, which
 * takes memory for every call.
 *
 * <p>A published copy is copied, but not converted: its openings are those of its lines.
 */
public final class SessionConverter {

  /** The file name of a bundle in a directory. */
  public static final String BUNDLE_NAME = "BUNDLE.json";

  private static final Verification VERIFICATION =
      SessionVerifier.of(VerifyPolicy.defaults())::verify;

  /** Verifies a source. */
  @FunctionalInterface
  interface Verification {
    VerificationReport of(Session session) throws IOException;
  }

  private SessionConverter() {}

  /**
   * Converts a log or a bundle into a file.
   *
   * @param in the log or the bundle
   * @param out the log or bundle to write; a receipt is written to {@value Session#RECEIPT_NAME}
   *     next to it
   * @throws FileAlreadyExistsException if a file exists that must not be replaced, or the source or
   *     a file with the name of a segment of the written log, which are never replaced
   * @throws ReplayFormatException if a line cannot be read, or the version of the log is not
   *     supported; nothing is written
   * @throws PublishedCopyException if the log is a published copy that would have to be changed;
   *     nothing is written
   * @throws ConvertLimitException if the blobs to embed in the log exceed the limit; nothing is
   *     written
   * @throws IOException if a link is in the place of a file, a file cannot be read or written, or
   *     the log has changed since it was verified; nothing is written
   */
  public static ConversionReport convert(
      Path in, Path out, SessionFormat to, ConvertOptions options) throws IOException {
    return convert(Session.open(in), out, null, to, options, VERIFICATION);
  }

  /**
   * Converts a session into a directory, which is created if it does not exist: a log with its
   * usual name, the blobs that it refers to and the summary; or the bundle {@value #BUNDLE_NAME}.
   * Nothing else of the source directory is copied. A receipt, an envelope, a public checkpoint and
   * a summary in the target directory belong to the session that is replaced, and are removed. A
   * log may be converted to a log in its own directory, which then replaces it.
   *
   * @throws FileAlreadyExistsException as {@link #convert} does, also for a blob and a receipt
   * @throws IOException as {@link #convert} does, also if the directory of blobs is a link, or the
   *     target directory has a compressed log
   */
  public static ConversionReport convertInto(
      Path directory, Session session, SessionFormat to, ConvertOptions options)
      throws IOException {
    Objects.requireNonNull(to, "to");
    String name = to.isLog() ? Session.LOG_NAME : BUNDLE_NAME;
    return convert(session, directory.resolve(name), directory, to, options, VERIFICATION);
  }

  static ConversionReport convert(
      Session session,
      Path out,
      @Nullable Path directory,
      SessionFormat to,
      ConvertOptions options,
      Verification verification)
      throws IOException {
    Objects.requireNonNull(to, "to");
    if ((directory == null || !to.isLog()) && LogSegments.isSegment(session.log(), out)) {
      throw new FileAlreadyExistsException(
          out.toString(), null, "it is the source; name a different file");
    }
    try (ConversionSource source =
            ConversionSource.open(session, options.fullPrompts() || to == SessionFormat.BUNDLE);
        ConversionOutput output = new ConversionOutput(LocalDisk.INSTANCE, options.overwrite())) {
      boolean isLog = to.isLog();
      boolean isCopied = isLog && to.dialect() == source.dialect() && !options.fullPrompts();
      if (source.isPublished() && !isCopied) {
        throw new PublishedCopyException(session.log());
      }
      boolean verifies =
          !source.isBundle() && (isLog ? options.receipt() : session.receipt() != null);
      // a receipt of the result must not hide that the source contradicts itself or its receipt
      VerificationReport verified = verifies ? verification.of(session) : null;
      SessionConversion conversion = new SessionConversion(source, session, to, options, verified);
      requireFree(out, directory != null && isLog, conversion.makesReceipt(), output);
      if (directory != null) {
        output.directory(directory);
      }
      MessageDigest digest = ContentHash.newDigest();
      try {
        conversion.convert(new DigestOutputStream(output.add(out), digest));
      } catch (UncheckedIOException e) {
        throw e.getCause() == null ? new IOException(e) : e.getCause();
      }
      ConversionReport report = conversion.report(null, null, List.of());
      if (!report.isComplete() && !options.force()) {
        return report;
      }
      Receipt made = conversion.receipt(ContentHash.of(digest.digest()));
      Path receiptFile = made == null ? null : out.resolveSibling(Session.RECEIPT_NAME);
      if (made != null && receiptFile != null) {
        output.add(receiptFile).write(ReceiptFile.toText(made).getBytes(UTF_8));
      }
      if (directory != null && isLog) {
        copyAttachments(conversion.referred(), session, directory, output);
        removeStale(session, directory, made != null, output, conversion);
      } else if (isLog) {
        warnOfBlobs(session, conversion);
      }
      for (Path old : output.commit()) {
        conversion.warn(
            "cannot delete %s, which holds the previous content of a replaced file".formatted(old));
      }
      return conversion.report(out, receiptFile, output.files());
    }
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
      output.requireFree(out.resolveSibling(Session.PUBLIC_CHECKPOINT_NAME));
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

  /** Copies the summary, and those blobs that the result refers to and that exist. */
  private static void copyAttachments(
      Set<ContentHash> referred, Session session, Path directory, ConversionOutput output)
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

  /** Warns of blobs that the result refers to, because a single file has no place for them. */
  private static void warnOfBlobs(Session session, SessionConversion conversion)
      throws IOException {
    int left = 0;
    for (ContentHash name : conversion.referred()) {
      left += session.blob(name) == null ? 0 : 1;
    }
    if (left > 0) {
      conversion.warn("%,d %s not copied; give a directory as OUT"
          .formatted(left, left == 1 ? "blob is" : "blobs are"));
    }
  }

  private static void removeStale(
      Session session,
      Path directory,
      boolean hasReceipt,
      ConversionOutput output,
      SessionConversion conversion)
      throws IOException {
    if (!hasReceipt) {
      output.remove(directory.resolve(Session.RECEIPT_NAME));
    }
    if (session.summary() == null) {
      output.remove(directory.resolve(Session.SUMMARY_NAME));
    }
    output.remove(directory.resolve(Session.ENVELOPE_NAME));
    output.remove(directory.resolve(Session.PUBLIC_CHECKPOINT_NAME));
    for (Path file : output.removed()) {
      conversion.warn("removed " + file + ", which belonged to the replaced session");
    }
  }
}

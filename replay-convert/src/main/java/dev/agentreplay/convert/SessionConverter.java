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

  private static final Verification VERIFICATION =
      SessionVerifier.of(VerifyPolicy.defaults())::verify;

  /** The verification of a source. */
  @FunctionalInterface
  interface Verification {
    VerificationReport of(Session session) throws IOException;
  }

  private SessionConverter() {}

  /**
   * Converts a log or a bundle into a file.
   *
   * @param in the log or the bundle
   * @param out the log or bundle to write; a receipt is the file {@value Session#RECEIPT_NAME}
   *     beside it
   * @throws FileAlreadyExistsException if a file exists that is not to be replaced, or that has the
   *     name of a segment of the log that is written; none of those is replaced
   * @throws ReplayFormatException if a line cannot be read, or the log is of a version that is not
   *     supported; nothing is written
   * @throws ConvertLimitException if blobs that must be written into the log are more than the
   *     limit; nothing is written
   * @throws IOException if there is a link in place of a file, a file cannot be read or written, or
   *     a log that verified has changed since; nothing is written
   */
  public static ConversionReport convert(
      Path in, Path out, SessionFormat to, ConvertOptions options) throws IOException {
    return convert(Session.open(in), out, null, to, options, VERIFICATION);
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
    try (ConversionSource source = ConversionSource.open(session);
        ConversionOutput output = new ConversionOutput(LocalDisk.INSTANCE, options.overwrite())) {
      boolean isLog = to.isLog();
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
        conversion.warn("cannot delete " + old + ", which is what a file was before");
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

  /** A single file has no place for the blobs that the result refers to. */
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
    for (Path file : output.removed()) {
      conversion.warn("removed " + file + ", which was that of the session that is replaced");
    }
  }
}

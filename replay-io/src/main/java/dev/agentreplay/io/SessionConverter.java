package dev.agentreplay.io;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.BundleWriter;
import dev.agentreplay.canonical.dialect.ConversionLedger;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.DialectConverter;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.internal.LogCanonicalization;
import dev.agentreplay.io.internal.LogParts;
import dev.agentreplay.io.internal.WholeFile;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.internal.Sha256;
import dev.agentreplay.model.internal.VersionText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
 * becomes one file. The result is there whole or not at all, and only when it has everything that
 * its specification requires, unless that is asked for. A source that would become another session,
 * by what it keeps aside ({@code CARRIED_OVER_CONFLICT}), is not converted either; where it is
 * asked for, what the events say themselves wins, and no receipt is made. Memory is that of the
 * longest line, but for a bundle, which is read whole, a timeline, and a receipt, which takes some
 * for every call.
 */
public final class SessionConverter {

  /** The most conflicts that are listed. */
  private static final int MAX_CONFLICTS = 100;

  private final ConversionSource source;
  private final SessionFormat to;
  private final ConversionLedger ledger = new ConversionLedger();
  private final @Nullable ReceiptBuilder receipt;
  private final boolean hasTrajectory;
  private final LogCanonicalization canonicalization = new LogCanonicalization();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> conflicts = new ArrayList<>();
  private long read;
  private long written;

  /** A converter; a receipt takes memory for every call. */
  private SessionConverter(
      ConversionSource source, SessionFormat to, boolean makesReceipt, boolean hasTrajectory) {
    this.source = source;
    this.to = to;
    this.receipt = makesReceipt ? new ReceiptBuilder() : null;
    this.hasTrajectory = hasTrajectory;
  }

  /**
   * Converts a log or a bundle.
   *
   * @param in the log or the bundle
   * @param out the log or bundle to write; a receipt is the file {@value Session#RECEIPT_NAME}
   *     beside it
   * @throws FileAlreadyExistsException if a file exists that is not to be replaced, or that has the
   *     name of a part of the log that is written; none of those is replaced
   * @throws ReplayFormatException if a line cannot be read; nothing is written
   * @throws IOException if the log is of a version that is not supported, or a file cannot be read
   *     or written; nothing is written
   */
  public static ConversionReport convert(
      Path in, Path out, SessionFormat to, ConvertOptions options) throws IOException {
    Objects.requireNonNull(to, "to");
    try (ConversionSource source = ConversionSource.open(in)) {
      boolean isBundle = !source.name().equals(source.dialect().id());
      boolean makesReceipt = to.form() == null && (isBundle || options.receipt());
      Path receiptFile = makesReceipt ? out.resolveSibling(Session.RECEIPT_NAME) : null;
      for (Path file : receiptFile == null ? List.of(out) : List.of(out, receiptFile)) {
        if (!options.overwrite() && Files.exists(file)) {
          throw new FileAlreadyExistsException(file.toString());
        }
      }
      Path part = LogParts.file(out, 2);
      if (Files.exists(part)) {
        throw new FileAlreadyExistsException(
            part.toString(), null, "it would be read as a part of the log that is written");
      }
      SessionConverter converter =
          new SessionConverter(source, to, makesReceipt, to.dialect() == Dialect.TYPE && !isBundle);
      try (WholeFile file = WholeFile.replacing(out)) {
        MessageDigest digest = Sha256.newDigest();
        converter.convert(new DigestOutputStream(file.out(), digest), in, options);
        ConversionReport report = converter.report(out, receiptFile);
        if (!report.isComplete() && !options.force()) {
          return converter.report(null, null);
        }
        Receipt made = converter.receipt(ContentHash.of(digest.digest()));
        file.commit();
        if (receiptFile != null && made != null) {
          ReceiptFile.replace(receiptFile, made);
        }
        return report;
      }
    }
  }

  private void convert(OutputStream out, Path in, ConvertOptions options) throws IOException {
    BundleWriter bundle = to.form() == null ? null : new BundleWriter(to.form(), out);
    boolean copies = source.dialect() == to.dialect();
    Session session = Session.open(in);
    DialectConverter converter =
        new DialectConverter(source.dialect(), to.dialect(), content -> blob(session, content));
    for (JsonObject line = source.next(); line != null; line = source.next()) {
      ReplayHeader header = read == 0 ? source.header(line) : null;
      if (header != null) {
        checkVersion(in, header, options);
      }
      read++;
      addConflicts();
      if (!copies) {
        write(converter.convert(line), bundle, out);
      } else if (bundle == null && source.copyTo(out)) {
        fold(line);
      } else {
        write(List.of(line), bundle, out);
      }
    }
    if (!copies) {
      write(converter.finish(), bundle, out);
    }
    if (bundle != null) {
      bundle.finish();
      written = bundle.events();
      ledger.addAll(bundle.ledger());
    }
    if (to == SessionFormat.TIMELINE) {
      ledger.addAllBut(Action.ADDITIONAL, converter.ledger()); // what the draft was to keep
    } else {
      ledger.addAll(converter.ledger());
    }
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
    String fault = VersionText.fault(header);
    if (fault != null && header.support() == ReplayHeader.Support.UNSUPPORTED && !options.force()) {
      throw new IOException(in + ": " + fault + "; --force reads it anyway");
    }
    if (fault != null) {
      warnings.add(fault);
    }
  }

  private static @Nullable JsonValue blob(Session session, Content content) {
    try {
      return session.resolve(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(List<JsonObject> lines, @Nullable BundleWriter bundle, OutputStream out)
      throws IOException {
    for (JsonObject line : lines) {
      fold(line);
      if (bundle != null) {
        bundle.add(line);
        continue;
      }
      byte[] text = canonical(line);
      if (text.length > LineEncoder.MAX_LINE_BYTES) {
        throw new IOException("event %d would be longer than %d bytes"
            .formatted(written, LineEncoder.MAX_LINE_BYTES));
      }
      out.write(text);
      out.write('\n');
    }
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
    if (isFirst || receipt != null) {
      ReplayEvent event = to.dialect().decode(line).event();
      canonicalization.accept(event);
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
    return hasTrajectory ? receipt.toTrajectoryReceipt() : receipt.toSessionReceipt(replayHash);
  }

  private ConversionReport report(@Nullable Path out, @Nullable Path receiptFile) {
    List<String> problems = new ArrayList<>(source.problems());
    problems.addAll(conflicts);
    return new ConversionReport(
        source.name(),
        to,
        read,
        written,
        problems,
        warnings,
        ledger,
        out,
        conflicts.isEmpty() ? receiptFile : null);
  }
}

package dev.agentreplay.convert;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.dialect.BundleWriter;
import dev.agentreplay.canonical.dialect.ConversionLedger;
import dev.agentreplay.canonical.dialect.DialectConverter;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.ReceiptAccumulator;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A single conversion: converts the lines, and creates the receipt and the report. */
final class SessionConversion {

  /** The suffix of the names of members that refer to a blob. */
  private static final String REFERENCE = "_ref";

  /** The maximum number of listed conflicts. */
  private static final int MAX_CONFLICTS = 100;

  private final ConversionSource source;
  private final Session session;
  private final SessionFormat to;
  private final ConvertOptions options;
  private final @Nullable VerificationReport verified;

  /** The tree over the converted lines, to be compared with the verified ones. */
  private final @Nullable MerkleTree lines;

  private final ConversionLedger ledger = new ConversionLedger();
  private final @Nullable ReceiptAccumulator receipt;
  private final Receipt.Form receiptForm;
  private final LogCanonicalization canonicalization = new LogCanonicalization();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> conflicts = new ArrayList<>();
  private final Set<ContentHash> referred = new LinkedHashSet<>();
  private long read;
  private long bundleBytes;
  private long written;

  /**
   * Creates a conversion; a receipt takes memory for every call.
   *
   * @param verified the verification of the source; null when it was not verified
   */
  SessionConversion(
      ConversionSource source,
      Session session,
      SessionFormat to,
      ConvertOptions options,
      @Nullable VerificationReport verified) {
    this.source = source;
    this.session = session;
    this.to = to;
    this.options = options;
    this.verified = verified;
    boolean isValid = verified != null && !isInvalid(verified);
    this.lines = isValid ? new MerkleTree() : null;
    this.receipt = to.isLog() && (source.isBundle() || isValid) ? new ReceiptAccumulator() : null;
    this.receiptForm = source.isBundle() ? Receipt.Form.SESSION : to.receiptForm();
  }

  private static boolean isInvalid(@Nullable VerificationReport report) {
    return report != null
        && (report.verdict() == Verdict.INVALID || report.verdict() == Verdict.UNREADABLE);
  }

  /**
   * Writes the result.
   *
   * @throws IOException also if the source has changed since it was verified
   */
  void convert(OutputStream out) throws IOException {
    BundleWriter bundle = to.isLog() ? null : BundleWriter.open(out);
    boolean copies = source.dialect() == to.dialect();
    DialectConverter converter = DialectConverter.of(
        source.dialect(), to.dialect(), new EmbeddedBlobs(session, options.maxEmbeddedBytes()));
    for (JsonObject line = source.next(); line != null; line = source.next()) {
      ReplayHeader header = read == 0 ? source.header(line) : null;
      if (header != null) {
        checkVersion(header);
      }
      read++;
      if (lines != null) {
        source.addTo(lines);
      }
      addConflicts();
      addPromptFault();
      if (!copies) {
        converter.convert(line, result -> writeUnchecked(result, bundle, out));
      } else if (bundle == null && source.copyTo(out)) {
        fold(line);
      } else {
        write(line, bundle, out);
      }
    }
    requireUnchanged();
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

  private void requireUnchanged() throws IOException {
    if (lines != null && verified != null && !lines.head().root().equals(verified.root())) {
      throw new IOException(session.log() + ": changed while it was converted");
    }
  }

  private void addConflicts() {
    for (Finding conflict : source.conflicts()) {
      if (conflicts.size() < MAX_CONFLICTS) {
        conflicts.add("event %d: %s: %s".formatted(read, conflict.code(), conflict.message()));
      }
    }
  }

  private void addPromptFault() {
    String fault = source.promptFault();
    if (fault != null && warnings.size() < MAX_CONFLICTS) {
      warnings.add("event %d: the prompt is not in full: %s".formatted(read, fault));
    }
  }

  private void checkVersion(ReplayHeader header) throws ReplayFormatException {
    String fault = header.versionFault();
    if (fault != null && header.support() == ReplayHeader.Support.UNSUPPORTED && !options.force()) {
      throw ReplayFormatException.unsupported(session.log(), header);
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
      bundleBytes += canonical(line).length;
      if (bundleBytes > ConversionSource.MAX_BUNDLE_BYTES) {
        throw new IOException(
            "event %d: the bundle would be longer than %d bytes, the most that is read again"
                .formatted(written, ConversionSource.MAX_BUNDLE_BYTES));
      }
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

  /**
   * The canonical bytes of a line; integers that the canonicalization of the log would round are
   * written unchanged.
   */
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
        if (receiptForm == Receipt.Form.OPENAGENTS_V1) {
          receipt.add(event, line);
        } else {
          receipt.add(event);
        }
      }
    }
  }

  /** The hashes of the blobs that the result refers to. */
  Set<ContentHash> referred() {
    return referred;
  }

  /** Whether a receipt is created, unless events have conflicts. */
  boolean makesReceipt() {
    return receipt != null;
  }

  /** Adds a warning to the report. */
  void warn(String warning) {
    warnings.add(warning);
  }

  /**
   * Returns the receipt of the result; null when none is created.
   *
   * @param replayHash the hash of the bytes of the result
   */
  @Nullable
  Receipt receipt(ContentHash replayHash) {
    if (receipt == null || !conflicts.isEmpty()) {
      return null;
    }
    return receipt.toReceipt(receiptForm, replayHash, null);
  }

  /** Returns the report of the conversion so far. */
  ConversionReport report(@Nullable Path out, @Nullable Path receiptFile, List<Path> files) {
    List<String> problems = new ArrayList<>(source.problems());
    problems.addAll(conflicts);
    return new ConversionReport(
        source.name(),
        to,
        read,
        written,
        isInvalid(verified),
        problems,
        warnings,
        ledger,
        out,
        receiptFile,
        files);
  }
}

package dev.agentreplay.verify.proof;

import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.io.log.LogDigest;
import dev.agentreplay.io.log.RawLine;
import dev.agentreplay.io.log.RawLineReader;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Creates checkpoints of a log, and Merkle proofs about it (RFC 6962) for verifiers that do not
 * have the log.
 *
 * <pre>{@code
 * Ed25519Signer signer = Ed25519Signer.of(KeyPem.parsePrivateKey(text));
 * LogProver prover = LogProver.open(Session.open(directory));
 * prover.checkpoint(signer).create(Path.of("monday.json")); // kept elsewhere
 *
 * SignatureVerifier keys = Ed25519Verifier.of(List.of(signer.publicKey()));
 * LogCheckpoint monday = LogCheckpoint.read(Path.of("monday.json"), keys);
 * LogProver today = LogProver.open(Session.open(directory));
 * ConsistencyProof proof = today.consistency(monday.tree().size(), today.size());
 * boolean isAppended = proof.first().equals(monday.tree()) && proof.holds();
 * }</pre>
 *
 * <p>The log is read once when it is opened, and once more for each proof, line by line. It may
 * grow meanwhile: the proofs cover the lines that it had when it was opened. Every line must end
 * with a line feed, because one without may be incomplete.
 *
 * <p>Immutable, and safe for use by several threads.
 */
public final class LogProver {

  private final Session session;
  private final ContentHash hash;
  private final LogCheckpoint checkpoint;

  private LogProver(Session session, ContentHash hash, LogCheckpoint checkpoint) {
    this.session = session;
    this.hash = hash;
    this.checkpoint = checkpoint;
  }

  /**
   * Reads the log of a session.
   *
   * @throws ReplayFormatException if the first line is not a header; if the last line has no line
   *     feed; if a line is longer than allowed; or if a line before the first one that states the
   *     session id is not an event
   * @throws IOException if the log cannot be read
   */
  public static LogProver open(Session session) throws IOException {
    requireHeader(session);
    LogDigest digest = new LogDigest(true);
    long bytes = 0;
    try (RawLineReader lines = RawLineReader.open(session.log(), session.readerOptions())) {
      for (RawLine line = lines.read(); line != null; line = lines.read()) {
        bytes = line.position().offset() + line.length() + 1;
        if (!line.hasLineFeed()) {
          throw new ReplayFormatException(
              FindingCode.TORN_TAIL,
              session.log().toString(),
              line.position(),
              "the last line has no line feed after its %d bytes: it may be incomplete"
                  .formatted(line.length()));
        }
        line.writeTo(digest);
      }
    }
    TreeHead tree = Objects.requireNonNull(digest.toTree());
    return new LogProver(session, digest.toHash(), LogCheckpoint.of(bytes, session.id(), tree));
  }

  /** Requires that the first line is a header: any file has lines, but a proof is about a log. */
  private static void requireHeader(Session session) throws IOException {
    try (ReplayReader reader = session.reader()) {
      ReplayLine first = reader.read();
      if (first != null && !(first.event() instanceof ReplayHeader)) {
        String foreign = reader.foreignFormat();
        throw new ReplayFormatException(
            FindingCode.HEADER_MISSING,
            session.log().toString(),
            first.position(),
            foreign == null
                ? "expected the header of a log"
                : "expected the header of a log; the file looks like " + foreign);
      }
    }
  }

  /** The number of lines of the log when it was opened. */
  public long size() {
    return checkpoint.tree().size();
  }

  /** Returns a checkpoint of the log that is not signed. */
  public LogCheckpoint checkpoint() {
    return checkpoint;
  }

  /**
   * Returns a signed checkpoint of the log.
   *
   * @throws IOException if the key cannot be used
   */
  public LogCheckpoint checkpoint(Signer signer) throws IOException {
    return checkpoint.sign(hash, signer);
  }

  /**
   * Creates an inclusion proof: that a line is in the log. The proof contains the line, and the
   * first line of a salted log contains the salt, which opens all values of its published copies.
   *
   * @param line the number of the line, from 1
   * @param size the number of lines of the tree: {@link #size} for the whole log, less for an
   *     earlier state of it
   * @throws IndexOutOfBoundsException if {@code size} is negative or more than {@link #size}, or
   *     {@code line} is not from 1 to {@code size}
   * @throws IOException if the line is not UTF-8, or the log cannot be read or was changed
   */
  public InclusionProof inclusion(long line, long size) throws IOException {
    requireSize(size);
    if (line < 1 || line > size) {
      throw new IndexOutOfBoundsException("line must be from 1 to %d: %d".formatted(size, line));
    }
    InclusionProof.Builder builder = InclusionProof.builder(line, size);
    try {
      read(size, builder::add);
    } catch (IllegalArgumentException notUtf8) {
      throw new IOException(session.log() + ": " + notUtf8.getMessage(), notUtf8);
    }
    InclusionProof proof = builder.build();
    requireUnchanged(proof.tree());
    return proof;
  }

  /**
   * Creates a consistency proof: that lines were only appended.
   *
   * @param first the number of lines of the older log
   * @param second the number of lines of the newer log: {@link #size} for all
   * @throws IndexOutOfBoundsException if a number is negative or more than {@link #size}, or
   *     {@code first} is more than {@code second}
   * @throws IOException if the log cannot be read or was changed
   */
  public ConsistencyProof consistency(long first, long second) throws IOException {
    requireSize(second);
    if (first < 0 || first > second) {
      throw new IndexOutOfBoundsException(
          "size of the older log must be from 0 to %d: %d".formatted(second, first));
    }
    ConsistencyProof.Builder builder = ConsistencyProof.builder(first, second);
    read(second, builder::add);
    ConsistencyProof proof = builder.build();
    requireUnchanged(proof.second());
    return proof;
  }

  private void requireSize(long size) {
    if (size < 0 || size > size()) {
      throw new IndexOutOfBoundsException("size must be from 0 to %d: %d".formatted(size(), size));
    }
  }

  private void read(long size, Consumer<byte[]> target) throws IOException {
    try (RawLineReader lines = RawLineReader.open(session.log(), session.readerOptions())) {
      for (long read = 0; read < size; read++) {
        RawLine line = lines.read();
        if (line == null) {
          throw changed();
        }
        target.accept(line.bytes());
      }
    }
  }

  private void requireUnchanged(TreeHead tree) throws IOException {
    if (tree.size() == size() && !tree.equals(checkpoint.tree())) {
      throw changed();
    }
  }

  private IOException changed() {
    return new IOException(session.log() + ": changed while it was read");
  }
}

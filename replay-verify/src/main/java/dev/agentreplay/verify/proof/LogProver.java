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
 * Creates checkpoints of a log, and Merkle proofs about it for verifiers that do not have the log.
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
 * <p>The log is read once when it is opened, and once more for each proof, a line at a time. It may
 * grow meanwhile: the proofs are of the lines that it had. Every line must end with a line feed:
 * one that does not may not be all of it yet.
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
   * @throws ReplayFormatException if its first line is no header; if its last line has no line
   *     feed; if a line is longer than allowed; or if a line is not an event before one that names
   *     the session
   * @throws IOException if it cannot be read
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
              "the last line has no line feed after its %d bytes: it may not be whole yet"
                  .formatted(line.length()));
        }
        line.writeTo(digest);
      }
    }
    TreeHead tree = Objects.requireNonNull(digest.toTree());
    return new LogProver(session, digest.toHash(), LogCheckpoint.of(bytes, session.id(), tree));
  }

  /** Any file has lines; what is proved of them is proved of a log. */
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

  /** The number of lines that the log had. */
  public long size() {
    return checkpoint.tree().size();
  }

  /** A checkpoint of the log, not signed. */
  public LogCheckpoint checkpoint() {
    return checkpoint;
  }

  /**
   * A checkpoint of the log, signed.
   *
   * @throws IOException if the key cannot be used now
   */
  public LogCheckpoint checkpoint(Signer signer) throws IOException {
    return checkpoint.sign(hash, signer);
  }

  /**
   * Proves that a line is one of the log.
   *
   * @param line its number, from 1
   * @param size the number of lines of the tree: {@link #size} for that of the log, less for one
   *     that it had earlier
   * @throws IndexOutOfBoundsException if there is no such line, or the log had not so many
   * @throws IOException if the line is not UTF-8, or the log cannot be read, or is another one now
   */
  public InclusionProof inclusion(long line, long size) throws IOException {
    requireSize(size);
    if (line < 1 || line > size) {
      throw new IndexOutOfBoundsException("no line %d: there are %d".formatted(line, size));
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
   * Proves that lines were only appended.
   *
   * @param first the number of lines of the older log
   * @param second the number of lines of the newer log: {@link #size} for all
   * @throws IndexOutOfBoundsException if a size is negative or larger than that of the log, or the
   *     older log is the longer one
   * @throws IOException if the log cannot be read, or is another one now
   */
  public ConsistencyProof consistency(long first, long second) throws IOException {
    requireSize(second);
    if (first < 0 || first > second) {
      throw new IndexOutOfBoundsException(
          "no %d lines to grow from: there are %d".formatted(first, second));
    }
    ConsistencyProof.Builder builder = ConsistencyProof.builder(first, second);
    read(second, builder::add);
    ConsistencyProof proof = builder.build();
    requireUnchanged(proof.second());
    return proof;
  }

  private void requireSize(long size) {
    if (size < 0 || size > size()) {
      throw new IndexOutOfBoundsException("no %d lines: there are %d".formatted(size, size()));
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
    return new IOException(session.log() + ": was changed while it was read");
  }
}

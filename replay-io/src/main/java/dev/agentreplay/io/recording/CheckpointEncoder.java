package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.SignedJson;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.signature.Signer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Encodes checkpoints, signed if there is a signer. */
final class CheckpointEncoder {

  private final Path log;
  private final @Nullable Signer signer;

  CheckpointEncoder(Path log, @Nullable Signer signer) {
    this.log = log;
    this.signer = signer;
  }

  /** Encodes a checkpoint with the head of a tree. */
  Checkpoint encode(LineEncoder encoder, TreeHead tree, Timestamp now) throws IOException {
    Checkpoint checkpoint = Checkpoint.of(tree);
    encoder.encode(checkpoint, now);
    if (signer == null) {
      return checkpoint;
    }
    Checkpoint signed = checkpoint.withSignature(sign(encoder, signer));
    encoder.encode(signed, now);
    return signed;
  }

  /** The signature of the line that was encoded last; null if signing fails. */
  private @Nullable String sign(LineEncoder encoder, Signer signer) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(encoder.length());
    encoder.writeTo(line);
    byte[] unsigned = Arrays.copyOf(line.toByteArray(), line.size() - 1);
    try {
      return signer.signature(DsseEnvelope.pae(SignedJson.CHECKPOINT, unsigned)).toString();
    } catch (IOException | RuntimeException e) { // an unavailable key must not lose events
      WriterLog.warning(log, "a checkpoint could not be signed: " + e);
      return null;
    }
  }
}

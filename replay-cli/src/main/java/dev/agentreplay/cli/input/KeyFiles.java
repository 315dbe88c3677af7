package dev.agentreplay.cli.input;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.KeyPem;
import dev.agentreplay.model.signature.SignatureVerifier;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;

/** Ed25519 key pairs in PEM files: the private key, and the public key next to it. */
public final class KeyFiles {

  private static final String PUBLIC_SUFFIX = ".pub";

  private KeyFiles() {}

  /** The signer with the private key in a file. */
  static Ed25519Signer signer(Path file) throws IOException {
    return Ed25519Signer.of(read(
        file,
        KeyPem::parsePrivateKey,
        "-----BEGIN PUBLIC KEY-----",
        "; expected the private key, which keygen writes to the file without " + PUBLIC_SUFFIX));
  }

  /** The verifier that trusts the public keys in files. */
  public static SignatureVerifier verifier(List<Path> files) throws IOException {
    List<PublicKey> keys = new ArrayList<>();
    for (Path file : files) {
      keys.add(read(
          file,
          KeyPem::parsePublicKey,
          "-----BEGIN PRIVATE KEY-----",
          "; expected the public key, which keygen writes to " + publicFile(file)));
    }
    return Ed25519Verifier.of(keys);
  }

  /**
   * Writes a key pair. The private key is readable only by its owner if the file system has owners.
   *
   * @throws FileAlreadyExistsException if one of the files exists and {@code overwrite} is false
   */
  public static void write(Ed25519Signer key, Path file, boolean overwrite) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || Files.isDirectory(file)) {
      throw new IOException(file + ": is a directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new NoSuchFileException(directory.toString());
    }
    for (Path path : List.of(file, publicFile(file))) {
      if (!overwrite && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        throw new FileAlreadyExistsException(path.toString());
      }
    }
    write(file, KeyPem.text(key.privateKey()), overwrite, OwnerOnly::createFile);
    write(publicFile(file), KeyPem.text(key.publicKey()), overwrite, Files::createFile);
  }

  /** Creates an empty file. */
  private interface Creation {
    void create(Path file) throws IOException;
  }

  /** Writes a new file; {@link WholeFile} would keep the permissions of the replaced file. */
  private static void write(Path file, String text, boolean overwrite, Creation creation)
      throws IOException {
    Path temporary = WholeFile.temporaryBeside(file);
    try {
      creation.create(temporary);
      try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.getFD().sync();
      }
      if (overwrite) {
        LocalDisk.INSTANCE.move(temporary, file);
      } else {
        LocalDisk.INSTANCE.moveIfAbsent(temporary, file);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
    LocalDisk.INSTANCE.forceParent(file);
  }

  /** The file of the public key that belongs to the private key in a file. */
  private static Path publicFile(Path file) {
    return file.resolveSibling(file.getFileName() + PUBLIC_SUFFIX);
  }

  /** Parses a key. */
  private interface KeyParser<K> {
    K parse(String pem) throws DocumentFormatException;
  }

  private static <K> K read(Path file, KeyParser<K> parser, String otherKey, String remedy)
      throws IOException {
    // the parser refuses every character outside ASCII
    String text = new String(JsonFile.bytes(file, "a key in PEM"), StandardCharsets.ISO_8859_1);
    try {
      return parser.parse(text);
    } catch (DocumentFormatException e) {
      String also = text.contains(otherKey) ? remedy : "";
      throw new IOException("%s: %s%s".formatted(file, e.getMessage(), also), e);
    }
  }
}

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

/** Ed25519 keys in files: the private one, and the public one beside it. */
public final class KeyFiles {

  private static final String PUBLIC_SUFFIX = ".pub";

  private KeyFiles() {}

  /** Signs with the private key in a file. */
  static Ed25519Signer signer(Path file) throws IOException {
    return Ed25519Signer.of(read(
        file,
        KeyPem::parsePrivateKey,
        "-----BEGIN PUBLIC KEY-----",
        "; the private key is wanted here, which keygen writes to the file without "
            + PUBLIC_SUFFIX));
  }

  /** Trusts the public keys in files. */
  public static SignatureVerifier verifier(List<Path> files) throws IOException {
    List<PublicKey> keys = new ArrayList<>();
    for (Path file : files) {
      keys.add(read(
          file,
          KeyPem::parsePublicKey,
          "-----BEGIN PRIVATE KEY-----",
          "; the public key is wanted here, which keygen writes to " + publicFile(file)));
    }
    return Ed25519Verifier.of(keys);
  }

  /**
   * Writes a key: the private one where only its owner can read it, as far as the file system knows
   * owners.
   *
   * @throws FileAlreadyExistsException if one of the files exists, and is not to be overwritten
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

  /** Not {@link WholeFile}, which replaces a file by one with the same permissions. */
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

  /** Where the public key is that belongs to a private one. */
  private static Path publicFile(Path file) {
    return file.resolveSibling(file.getFileName() + PUBLIC_SUFFIX);
  }

  /** Parses a key. */
  private interface KeyParser<K> {
    K parse(String pem) throws DocumentFormatException;
  }

  private static <K> K read(Path file, KeyParser<K> parser, String otherKey, String remedy)
      throws IOException {
    // what is no ASCII is no key either, and is refused by the parser
    String text = new String(JsonFile.bytes(file), StandardCharsets.ISO_8859_1);
    try {
      return parser.parse(text);
    } catch (DocumentFormatException e) {
      String also = text.contains(otherKey) ? remedy : "";
      throw new IOException("%s: %s%s".formatted(file, e.getMessage(), also), e);
    }
  }
}

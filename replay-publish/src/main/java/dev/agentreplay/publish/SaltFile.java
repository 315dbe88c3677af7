package dev.agentreplay.publish;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.text.PlainText;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * The file with the salt of a session whose log has none of its own. Its owner keeps it: a reader
 * who has it can guess every value of the published copies, and without it no value can be
 * disclosed.
 */
public final class SaltFile {

  /** The name of the file next to a log. */
  public static final String NAME = "PUBLICATION_SALT";

  private static final int MAX_BYTES = 1 << 10;

  private SaltFile() {}

  /** The file next to the log of a session. */
  public static Path of(Session session) {
    return session.log().resolveSibling(NAME);
  }

  /**
   * Reads the salt in a file.
   *
   * @throws IOException if the file cannot be read, or has no salt
   */
  public static Salt read(Path file) throws IOException {
    byte[] bytes = RegularFiles.read(file, MAX_BYTES);
    Salt salt = bytes == null ? null : Salt.tryParse(new String(bytes, US_ASCII).strip());
    if (salt == null) {
      throw new IOException("%s: expected a salt, 43 characters of base64url"
          .formatted(PlainText.escaped(file.toString())));
    }
    return salt;
  }

  /**
   * Reads the salt in a file, or creates the file with a new one that only its owner can read, and
   * forces it to disk (fsync).
   *
   * @throws IOException if the file cannot be read, has no salt, or cannot be written
   */
  public static Salt readOrCreate(Path file) throws IOException {
    if (RegularFiles.file(file) != null) {
      return read(file);
    }
    byte[] random = new byte[Salt.BYTES];
    new SecureRandom().nextBytes(random);
    Salt salt = Salt.of(random);
    Path temporary = WholeFile.temporaryBeside(file);
    try {
      OwnerOnly.createFile(temporary);
      try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
        out.write((salt.text() + "\n").getBytes(US_ASCII));
        out.getFD().sync();
      }
      LocalDisk.INSTANCE.moveIfAbsent(temporary, file);
    } finally {
      Files.deleteIfExists(temporary);
    }
    LocalDisk.INSTANCE.forceParent(file);
    return salt;
  }
}

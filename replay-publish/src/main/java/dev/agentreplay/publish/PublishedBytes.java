package dev.agentreplay.publish;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Salt;
import dev.agentreplay.publish.PublicationRefusedException.Reason;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last check of the files of a publication: none has the salt, or is a log of a session. */
final class PublishedBytes {

  private PublishedBytes() {}

  /**
   * Checks the files.
   *
   * @throws PublicationRefusedException if one must not be published
   */
  static void requireNone(PublicationSource source, PublishOptions options, PublicationFiles files)
      throws IOException {
    Session session = source.session();
    Salt own = source.header().salt();
    Salt salt = own != null ? own : options.salt();
    SaltForms forms = salt == null ? null : SaltForms.of(salt);
    List<String> names = new ArrayList<>(options.attachments());
    names.add(Session.LOG_NAME);
    names.add(Session.RECEIPT_NAME);
    for (String name : names) {
      Path file = files.file(name);
      boolean isAttachment = options.attachments().contains(name);
      if (isAttachment && isLog(file)) {
        throw refused(session, name + " is the log of a session, which is not attached");
      }
      if (hasSalt(session, name, file, forms)) {
        throw refused(
            session,
            "%s has a part of the salt of the log, with which every value can be guessed; withhold"
                    .formatted(name)
                + " the member with a custom rule");
      }
    }
  }

  private static boolean isLog(Path file) {
    try (ReplayReader reader = ReplayReader.open(file)) {
      ReplayLine first = reader.read();
      return first != null && first.event() instanceof ReplayHeader;
    } catch (IOException notALog) {
      return false;
    }
  }

  private static boolean hasSalt(Session session, String name, Path file, @Nullable SaltForms salt)
      throws IOException {
    try (Reader text =
        new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8.newDecoder())) {
      if (salt != null) {
        return salt.isIn(text);
      }
      text.transferTo(Writer.nullWriter()); // reads it to its end, for the error
      return false;
    } catch (CharacterCodingException notText) {
      throw refused(session, name + " is not a text in UTF-8, which alone can be scanned");
    }
  }

  private static PublicationRefusedException refused(Session session, String message) {
    return PublicationSource.refused(session, Reason.SECRETS, message);
  }
}

package dev.agentreplay.publish;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Salt;
import dev.agentreplay.publish.PublicationRefusedException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
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
  static void requireNone(Session session, PublishOptions options, PublicationFiles files)
      throws IOException {
    Salt salt = salt(session, options);
    List<String> names = new ArrayList<>(options.attachments());
    names.add(Session.LOG_NAME);
    names.add(Session.RECEIPT_NAME);
    for (String name : names) {
      Path file = files.file(name);
      boolean isAttachment = options.attachments().contains(name);
      if (isAttachment && isLog(file)) {
        throw refused(session, name + " is the log of a session, which is not attached");
      }
      String text = text(session, name, Files.readAllBytes(file));
      if (salt != null && SaltForms.of(salt).isIn(text)) {
        throw refused(
            session,
            "%s has a part of the salt of the log, with which every value can be guessed; withhold"
                    .formatted(name)
                + " the member with a custom rule");
      }
    }
  }

  private static @Nullable Salt salt(Session session, PublishOptions options) throws IOException {
    try (ReplayReader reader = session.reader()) {
      ReplayLine first = reader.read();
      Salt own =
          first != null && first.event() instanceof ReplayHeader header ? header.salt() : null;
      return own != null ? own : options.salt();
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

  private static String text(Session session, String name, byte[] bytes) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      throw refused(session, name + " is not a text in UTF-8, which alone can be scanned");
    }
  }

  private static PublicationRefusedException refused(Session session, String message) {
    return PublicationSource.refused(session, Reason.SECRETS, message);
  }
}

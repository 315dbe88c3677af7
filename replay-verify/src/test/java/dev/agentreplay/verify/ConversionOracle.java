package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.DialectConverter;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts a log that was attacked: unless verification finds the attack, it becomes the same
 * session as the genuine one in every dialect.
 */
final class ConversionOracle {

  private final Path directory;

  /**
   * An oracle.
   *
   * @param directory an empty one to write in
   */
  ConversionOracle(Path directory) {
    this.directory = directory;
  }

  /** Fails when a conversion makes another session of a log. */
  void check(Exhibit attacked, Exhibit genuine) throws IOException {
    for (Dialect to : Dialect.values()) {
      assertThat(events(attacked, to)).as("%s", to).isEqualTo(events(genuine, to));
    }
  }

  /** The lines that a log becomes, but for members that are still kept aside in them. */
  private List<JsonObject> events(Exhibit log, Dialect to) throws IOException {
    Exhibit converted = convert(log, to, directory);
    return converted.numbers().stream()
        .filter(number -> !converted.kind(number).equals(ConversionAttacks.UNKNOWN))
        .map(number -> converted.json(number).without("carried_over"))
        .toList();
  }

  /** The log in another dialect, or as it is in its own. */
  static Exhibit convert(Exhibit log, Dialect to, Path scratch) throws IOException {
    Session session = log.write(Files.createDirectories(scratch));
    List<String> lines = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      ReplayLine line = reader.read();
      Dialect from = reader.dialect();
      if (from == to) {
        return new Exhibit(log.lines(), null, null, log.blobs());
      }
      DialectConverter converter =
          DialectConverter.of(from, to, content -> resolve(session, content));
      for (; line != null; line = reader.read()) {
        converter.convert(line.json(), json -> lines.add(CanonicalJson.SERDE.text(json)));
      }
      converter.finish(json -> lines.add(CanonicalJson.SERDE.text(json)));
    }
    return new Exhibit(lines, null, null, log.blobs());
  }

  private static JsonValue resolve(Session session, Content content) {
    try {
      return session.resolve(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

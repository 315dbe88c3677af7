package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.ConversionReport;
import dev.agentreplay.io.ConvertOptions;
import dev.agentreplay.io.Session;
import dev.agentreplay.io.SessionConverter;
import dev.agentreplay.io.SessionFormat;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Converts a log that was attacked: what verification finds is refused, and anything else becomes
 * the session that the genuine log becomes.
 */
final class ConversionOracle {

  private static final List<SessionFormat> LOGS =
      List.of(SessionFormat.EVENT, SessionFormat.TYPE, SessionFormat.DRAFT);

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
  void check(Exhibit attacked, Exhibit genuine, boolean isFound) throws IOException {
    if (isFound) {
      for (SessionFormat to : SessionFormat.values()) {
        ConversionReport report = convert(attacked, to, false);
        assertThat(report.problems())
            .as("%s", to)
            .anyMatch(each -> each.contains("CARRIED_OVER_CONFLICT"));
        assertThat(report.files()).as("%s", to).isEmpty();
      }
      return;
    }
    for (SessionFormat to : LOGS) {
      assertThat(events(attacked, to)).as("%s", to).isEqualTo(events(genuine, to));
    }
  }

  /** The lines that a log becomes, but for what is still kept aside in them. */
  private List<JsonObject> events(Exhibit log, SessionFormat to) throws IOException {
    ConversionReport report = convert(log, to, true);
    Exhibit converted = Exhibit.read(report.out().getParent());
    return converted.numbers().stream()
        .filter(number -> !converted.kind(number).equals(ConversionAttacks.UNKNOWN))
        .map(number -> converted.json(number).without("carried_over"))
        .toList();
  }

  private ConversionReport convert(Exhibit log, SessionFormat to, boolean isForced)
      throws IOException {
    Session session = log.write(Files.createDirectories(directory.resolve("from")));
    return SessionConverter.convertInto(
        directory.resolve("to-" + to.id()),
        session,
        to,
        ConvertOptions.defaults().withOverwrite(true).withForce(isForced));
  }
}

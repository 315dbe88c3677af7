package dev.agentreplay.engine.attribution;

import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The implementation of reports. */
final class AttributionReports {

  private AttributionReports() {}

  record Data(
      AttributionVerdict verdict,
      Path first,
      Path second,
      @Nullable String outcome,
      @Nullable JsonValue firstOutcome,
      @Nullable JsonValue secondOutcome,
      List<Difference> differences,
      List<String> notTried,
      List<Trial> trials,
      List<Cause> causes,
      List<Difference> remaining,
      @Nullable String reason)
      implements AttributionReport {

    Data {
      differences = List.copyOf(differences);
      notTried = List.copyOf(notTried);
      trials = List.copyOf(trials);
      causes = List.copyOf(causes);
      remaining = List.copyOf(remaining);
    }
  }
}

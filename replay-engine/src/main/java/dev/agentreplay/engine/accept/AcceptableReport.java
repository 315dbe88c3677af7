package dev.agentreplay.engine.accept;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A report as JSON, {@code replay.diff/1} or {@code replay.run/1}, whose divergences can be
 * accepted.
 *
 * @param sessionId the id of the recording; null if the report does not state one
 * @param proposals the listed divergences that can be accepted and are not yet
 * @param isTruncated whether the report does not list all divergences
 */
public record AcceptableReport(
    @Nullable String sessionId, List<Proposal> proposals, boolean isTruncated) {

  /** Copies the list. */
  public AcceptableReport {
    proposals = List.copyOf(proposals);
  }

  /**
   * Reads a report.
   *
   * @throws DocumentFormatException if it is not of one of these forms, or was written by a version
   *     that does not state fingerprints; the message has the path of the member
   */
  public static AcceptableReport parse(JsonObject json) throws DocumentFormatException {
    StrictObject report = StrictObject.of(json);
    String schema = report.string("schema");
    if (!schema.equals("replay.diff/1") && !schema.equals("replay.run/1")) {
      throw report.mustBe("\"replay.diff/1\" or \"replay.run/1\"", "schema", json.get("schema"));
    }
    if (json.has("refused")) {
      throw new DocumentFormatException(
          "/refused: the replay was refused, and has no divergences to accept");
    }
    StrictObject session = report.object(schema.equals("replay.diff/1") ? "left" : "session");
    List<Proposal> proposals = new ArrayList<>();
    for (StrictObject each : report.objects("divergences")) {
      if (!each.json().has("fingerprint")) {
        throw each.mustBe("a hash or null, as this version writes it", "fingerprint", null);
      }
      if (each.json().get("fingerprint") instanceof JsonString
          && !each.json().at("/severity").equals(JsonString.of("none"))) {
        proposals.add(proposal(each));
      }
    }
    return new AcceptableReport(
        text(session.json(), Names.SESSION_ID),
        proposals,
        JsonBoolean.TRUE.equals(json.get("divergences_truncated")));
  }

  private static Proposal proposal(StrictObject json) throws DocumentFormatException {
    JsonObject left = json.json().get("left") instanceof JsonObject object ? object : null;
    JsonObject right = json.json().get("right") instanceof JsonObject object ? object : null;
    JsonObject step =
        left != null && left.has("step") ? left : right != null && right.has("step") ? right : null;
    String kind = step != null ? text(step, "step") : json.string("exchange");
    String name = step != null ? text(step, "name") : json.string("name");
    JsonObject place = left != null ? left : right;
    JsonValue line = left == null ? null : left.get("line");
    return new Proposal(
        (int) json.integer("number", 0),
        json.hash("fingerprint"),
        json.string("kind"),
        new AcceptedDivergence.Step(
            kind == null ? "value" : kind,
            name == null ? "" : name,
            place == null ? null : text(place, Names.AGENT),
            line instanceof JsonNumber number ? Long.valueOf(number.asLong()) : null),
        pointers(json.json()));
  }

  private static List<String> pointers(JsonObject divergence) {
    Set<String> pointers = new LinkedHashSet<>();
    if (divergence.get("values") instanceof JsonArray values) {
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i) instanceof JsonObject value
            && !DivergenceKind.WITHHELD.id().equals(text(value, "kind"))) {
          String pointer = text(value, "pointer");
          if (pointer != null) {
            pointers.add(pointer);
          }
        }
      }
    }
    return List.copyOf(pointers);
  }

  private static @Nullable String text(JsonObject json, String name) {
    return json.get(name) instanceof JsonString text ? text.value() : null;
  }
}

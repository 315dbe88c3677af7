package dev.agentreplay.canonical.commitment;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;

/**
 * A line of a published log: the values that it shows, and the opening of its commitment.
 * Immutable.
 *
 * @param shown the members that are shown
 * @param opening the opening of the line, as a whole
 */
public record PublishedLine(JsonObject shown, Opening opening) {

  /**
   * Reads a line.
   *
   * @param line the JSON object of the line
   * @param isFirst whether it is the first line, whose member {@code published} describes the
   *     publication
   * @throws DocumentFormatException if it has no opening, a malformed one, or one that does not
   *     open the line: the line would be a replacement as a whole
   */
  public static PublishedLine of(JsonObject line, boolean isFirst) throws DocumentFormatException {
    JsonValue opening = line.get(Names.DISCLOSURE);
    if (opening == null) {
      throw new DocumentFormatException("the line has no member " + Names.DISCLOSURE);
    }
    JsonObject shown =
        isFirst ? line.without(Names.DISCLOSURE, Names.PUBLISHED) : line.without(Names.DISCLOSURE);
    Opening read = OpeningJson.decode(opening, "/" + Names.DISCLOSURE);
    if (read instanceof Opening.Withheld || read instanceof Opening.Elements) {
      throw new DocumentFormatException(
          "/%s: must be a seed or open the members of the line".formatted(Names.DISCLOSURE));
    }
    return new PublishedLine(shown, read);
  }

  /** The JSON object of the line, without the member {@code published} of a first line. */
  public JsonObject toJson() {
    return shown.with(Names.DISCLOSURE, opening.toJson());
  }
}

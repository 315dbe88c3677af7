package dev.agentreplay.canonical.commitment;

import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.List;

/** Checks that a value shows just what its opening says. */
final class OpeningCheck {

  private final PublicForm form;

  OpeningCheck(PublicForm form) {
    this.form = form;
  }

  /**
   * Checks a value that is shown.
   *
   * @throws DocumentFormatException if the opening does not show a value, or its parts are not the
   *     ones that the value has
   */
  void check(JsonValue shown, Opening opening, JsonPointer at) throws DocumentFormatException {
    if (opening instanceof Opening.Members members) {
      if (!(shown instanceof JsonObject object)) {
        throw fault(at, "the opening is that of an object, found " + excerpt(shown));
      }
      members(object, members, at);
    } else if (opening instanceof Opening.Elements elements) {
      if (!(shown instanceof JsonArray array)) {
        throw fault(at, "the opening is that of an array, found " + excerpt(shown));
      }
      elements(array, elements, at);
    } else if (!opening.isShown()) {
      throw fault(at, "the value is withheld, found " + excerpt(shown));
    }
  }

  private void members(JsonObject object, Opening.Members opening, JsonPointer at)
      throws DocumentFormatException {
    requireSlots(opening.members().size() + opening.others().size(), at);
    for (String name : object.names()) {
      if (!opening.members().containsKey(name)) {
        throw fault(at.append(name), "the value is shown without an opening");
      }
    }
    for (var member : opening.members().entrySet()) {
      JsonPointer pointer = at.append(member.getKey());
      JsonValue value = object.get(member.getKey());
      if (value != null) {
        check(value, member.getValue(), pointer);
      } else if (member.getValue().isShown()) {
        throw fault(pointer, "the opening shows a value, but there is none");
      }
    }
    for (int i = 1; i < opening.others().size(); i++) {
      if (opening.others().get(i - 1).compareTo(opening.others().get(i)) >= 0) {
        throw fault(at, "the commitments of other members are not in ascending order");
      }
    }
  }

  private void elements(JsonArray array, Opening.Elements opening, JsonPointer at)
      throws DocumentFormatException {
    List<Opening> elements = opening.elements();
    requireSlots(elements.size(), at);
    if (array.size() > elements.size()) {
      throw fault(
          at,
          "%d elements are shown, but the opening has %d".formatted(array.size(), elements.size()));
    }
    for (int i = 0; i < elements.size(); i++) {
      Opening element = elements.get(i);
      JsonPointer pointer = at.append(i);
      boolean isShown = element.isShown();
      if (i < array.size() && isShown) {
        check(array.get(i), element, pointer);
      } else if (i < array.size() && array.get(i) != JsonNull.NULL) {
        throw fault(pointer, "the element is withheld, found " + excerpt(array.get(i)));
      } else if (i == array.size() - 1 || (i >= array.size() && isShown)) {
        throw fault(pointer, "the last element that is shown must be the last one in the array");
      }
    }
  }

  private void requireSlots(int found, JsonPointer at) throws DocumentFormatException {
    if (form.slots(found) != found) {
      throw fault(
          at,
          "%s has a multiple of %d commitments, found %d"
              .formatted(form.id(), form.padding(), found));
    }
  }

  private static String excerpt(JsonValue found) {
    return Excerpt.of(found.toString());
  }

  static DocumentFormatException fault(JsonPointer at, String message) {
    return new DocumentFormatException(at + ": " + message);
  }
}

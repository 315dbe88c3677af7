package dev.agentreplay.engine.report.embedded;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Embeds the images of a page next to the values that have them, each image once. A prompt repeats
 * the images of the conversation, and an image cut like a text is none. Not safe for use by several
 * threads.
 */
public final class EmbeddedImages {

  /** The maximum length of all images of a page together, in characters. */
  public static final long TOTAL = 12L << 20;

  private final Set<String> known = new HashSet<>();
  private long left = TOTAL;

  /** A value with an empty text in place of each image, and the images with their places. */
  public record Extracted(JsonValue value, List<JsonArray> images) {

    /** Adds the images to an embedded value, in the form that {@code ViewerData} documents. */
    void addTo(JsonObject.Builder out) {
      if (!images.isEmpty()) {
        out.add("images", JsonArray.copyOf(images));
      }
    }
  }

  /** Takes the images out of a value. */
  public Extracted of(JsonValue value) {
    List<JsonArray> images = new ArrayList<>();
    JsonValue rest = without(value, new StringBuilder(), images);
    return new Extracted(rest, images);
  }

  private JsonValue without(JsonValue value, StringBuilder pointer, List<JsonArray> images) {
    if (value instanceof JsonString text) {
      RecordedImage image = RecordedImage.of(text.value());
      if (image == null) {
        return value;
      }
      images.add(JsonArray.of(pointer.toString(), embedded(image, text.value().length())));
      return JsonString.of("");
    } else if (value instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>(array.size());
      int before = images.size();
      for (int i = 0; i < array.size(); i++) {
        elements.add(within(array.get(i), pointer, Integer.toString(i), images));
      }
      return images.size() == before ? value : JsonArray.copyOf(elements);
    } else if (value instanceof JsonObject object) {
      JsonObject.Builder members = JsonObject.builder();
      int before = images.size();
      for (int i = 0; i < object.size(); i++) {
        String token = JsonPointer.escape(object.name(i));
        members.add(object.name(i), within(object.value(i), pointer, token, images));
      }
      return images.size() == before ? value : members.build();
    }
    return value;
  }

  private JsonValue within(
      JsonValue value, StringBuilder pointer, String token, List<JsonArray> images) {
    int length = pointer.length();
    JsonValue rest = without(value, pointer.append('/').append(token), images);
    pointer.setLength(length);
    return rest;
  }

  private JsonObject embedded(RecordedImage image, int size) {
    String data = image.data();
    String hash = ContentHash.sha256(data.getBytes(StandardCharsets.ISO_8859_1)).hex();
    JsonObject described = JsonObject.of(
        "hash", hash,
        "type", image.type(),
        "width", image.width(),
        "height", image.height(),
        "size", size);
    if (data.length() > left || !known.add(hash)) {
      return described;
    }
    left -= data.length();
    return described.with("data", data);
  }
}

package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.util.function.Function;

/**
 * The rows of a recorded value: the value, its hash, the reference to a blob, and a preview.
 *
 * @param value the row of the value, which has the name of the content
 * @param hash the row {@code …_hash}
 * @param blob the row {@code …_ref}
 * @param preview the row {@code …_preview}
 */
record ContentRows<E>(
    Row<E, JsonValue> value,
    Row<E, ContentHash> hash,
    Row<E, BlobRef> blob,
    Row<E, String> preview) {

  static <E> ContentRows<E> add(
      Layout<E> t,
      String name,
      Presence valuePresence,
      Presence hashPresence,
      Function<E, Content> get) {
    Row<E, JsonValue> value =
        t.add(name, valuePresence, FieldType.VALUE, event -> get.apply(event).value());
    return new ContentRows<>(
        value,
        t.hash(name + "_hash", hashPresence, value, event -> get.apply(event).hash()),
        t.optional(name + "_ref", FieldType.BLOB, event -> get.apply(event).blob())
            .role(EventMember.Role.NONE),
        t.optional(
                name + "_preview", FieldType.STRING, event -> get.apply(event).preview())
            .role(EventMember.Role.NONE));
  }

  Content read(Members m) {
    return new Content(m.get(value), m.get(hash), m.get(blob), m.get(preview));
  }
}

package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message of JSON-RPC in its record. Paths begin in the message.
 *
 * @param record the record
 * @param member the name of the member with the message; null if it is the record itself
 * @param sender the side that sent the message
 * @param meta the time of the message
 * @param generatedId the id of a request, and of its response, that state none
 */
record McpMessage(
    SourceRecord record,
    @Nullable String member,
    Side sender,
    Meta meta,
    @Nullable JsonValue generatedId) {

  McpMessage(SourceRecord record, @Nullable String member, Side sender, Meta meta) {
    this(record, member, sender, meta, null);
  }

  @Nullable
  JsonValue get(String... path) {
    return record.get(path(path));
  }

  @Nullable
  String text(String... path) {
    return record.text(path(path));
  }

  JsonObject object(String... path) {
    return record.object(path(path));
  }

  @Nullable
  JsonValue move(String to, String... path) {
    return record.move(to, path(path));
  }

  void derive(String to, String... path) {
    record.derive(to, path(path));
  }

  private String[] path(String... path) {
    return member == null
        ? path
        : Stream.concat(Stream.of(member), Stream.of(path)).toArray(String[]::new);
  }

  /** The id of the request, or of the one that this responds to; null if it has none. */
  @Nullable
  JsonValue id() {
    JsonValue id = get("id");
    return id instanceof JsonString || id instanceof JsonNumber ? id : generatedId;
  }

  /** Takes the error of a response: its code, its message and its data. */
  Failure takeError(String to) {
    JsonValue error = move(to, "error");
    JsonObject.Builder failure = JsonObject.builder().put("name", "JsonRpcError");
    if (error instanceof JsonObject object) {
      object.without("name").forEach(failure::put);
    } else {
      failure.put("data", error);
    }
    return new Failure(failure.build());
  }
}

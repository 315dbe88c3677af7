package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The description of a tool that an agent offers to its model, as in {@link Settings#TOOLS}. The
 * annotations are those of the Model Context Protocol's {@code ToolAnnotations}: hints of the
 * tool's author, not guarantees.
 *
 * <pre>{@code
 * ToolDescription tool = ToolDescription.of("file_read")
 *     .withDescription("Reads a file of the workspace.")
 *     .withSchema(JsonObject.of("type", "object"))
 *     .withReadOnly(true)
 *     .withOpenWorld(false);
 * }</pre>
 *
 * @param json the description: {@code name}, {@code description}, {@code schema},
 *     {@code annotations}, and any other members
 */
public record ToolDescription(JsonObject json) {

  private static final String ANNOTATIONS = "annotations";

  /** Checks for null. */
  public ToolDescription {
    Objects.requireNonNull(json, "json");
  }

  /** Creates the description of a tool with a name. */
  public static ToolDescription of(String name) {
    return new ToolDescription(JsonObject.of("name", name));
  }

  /** Returns a copy with the given description in words. */
  public ToolDescription withDescription(String description) {
    return new ToolDescription(json.with("description", description));
  }

  /** Returns a copy with the given JSON Schema of the tool's parameters. */
  public ToolDescription withSchema(JsonValue schema) {
    return new ToolDescription(json.with("schema", schema));
  }

  /** Returns a copy that states whether the tool leaves its environment unchanged. */
  public ToolDescription withReadOnly(boolean readOnly) {
    return withAnnotation(Names.READ_ONLY, readOnly);
  }

  /** Returns a copy that states whether the tool may delete or overwrite. */
  public ToolDescription withDestructive(boolean destructive) {
    return withAnnotation("destructive", destructive);
  }

  /** Returns a copy that states whether a second call with the same arguments has no effect. */
  public ToolDescription withIdempotent(boolean idempotent) {
    return withAnnotation("idempotent", idempotent);
  }

  /** Returns a copy that states whether the tool reaches an open world, such as the web. */
  public ToolDescription withOpenWorld(boolean openWorld) {
    return withAnnotation(Names.OPEN_WORLD, openWorld);
  }

  private ToolDescription withAnnotation(String name, boolean value) {
    return new ToolDescription(json.with(ANNOTATIONS, annotations().with(name, value)));
  }

  /** The name of the tool; null when it is missing. */
  public @Nullable String name() {
    return json.get("name") instanceof JsonString text ? text.value() : null;
  }

  /** The description of the tool in words; null when it is missing. */
  public @Nullable String description() {
    return json.get("description") instanceof JsonString text ? text.value() : null;
  }

  /** The JSON Schema of the tool's parameters; null when it is missing. */
  public @Nullable JsonValue schema() {
    return json.get("schema");
  }

  /** Whether the tool leaves its environment unchanged; null when it is not specified. */
  public @Nullable Boolean readOnly() {
    return annotation(Names.READ_ONLY);
  }

  /** Whether the tool may delete or overwrite; null when it is not specified. */
  public @Nullable Boolean destructive() {
    return annotation("destructive");
  }

  /** Whether a second call with the same arguments has no effect; null when not specified. */
  public @Nullable Boolean idempotent() {
    return annotation("idempotent");
  }

  /** Whether the tool reaches an open world; null when it is not specified. */
  public @Nullable Boolean openWorld() {
    return annotation(Names.OPEN_WORLD);
  }

  private @Nullable Boolean annotation(String name) {
    return annotations().get(name) instanceof JsonBoolean bool ? bool.value() : null;
  }

  private JsonObject annotations() {
    return json.get(ANNOTATIONS) instanceof JsonObject object ? object : JsonObject.EMPTY;
  }
}

package dev.agentreplay.io.workspace;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import dev.agentreplay.model.text.LibraryVersion;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The circumstances of a session, which a recorder writes as one {@link Settings} event after the
 * start of the session. None by default; {@link #defaults()} are those that contain no personal
 * data:
 *
 * <pre>{@code
 * RecorderOptions options = RecorderOptions.defaults()
 *     .withCircumstances(Circumstances.defaults()
 *         .withModel("gpt-5")
 *         .withTool(ToolDescription.of("file_read").withReadOnly(true))
 *         .withEnvironment("CI", "LANG"));
 * }</pre>
 *
 * <p>Each value is read when the method is called. The recorder adds its producer to the versions,
 * and the seed of its deterministic context, unless the circumstances have a seed. Immutable.
 */
public final class Circumstances {

  private static final Circumstances NONE = new Circumstances(JsonObject.EMPTY, null);

  /** The largest integer that each reader of JSON reads exactly: 2^53 - 1 (RFC 7493, 2.2). */
  private static final long MAX_EXACT = (1L << 53) - 1;

  private final JsonObject values;
  private final @Nullable WorkspaceCapture workspace;

  private Circumstances(JsonObject values, @Nullable WorkspaceCapture workspace) {
    this.values = values;
    this.workspace = workspace;
  }

  /** No circumstances: the recorder writes no {@link Settings} by itself. */
  public static Circumstances none() {
    return NONE;
  }

  /**
   * The default circumstances: the mode {@code record}, the versions of the Java runtime, this
   * library and the operating system, the time zone and the locale. Neither the working directory
   * nor the environment, which may contain personal data or secrets.
   */
  public static Circumstances defaults() {
    String library = LibraryVersion.find(Circumstances.class);
    JsonObject versions = JsonObject.of(
        "runtime",
        "%s %s".formatted(System.getProperty("java.vendor"), Runtime.version()),
        "os",
        "%s %s %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch")));
    return NONE.with(Settings.MODE, JsonString.of("record"), Settings.DEFAULT)
        .with(
            Settings.VERSIONS,
            library == null ? versions : versions.with("library", library),
            Settings.RUNTIME)
        .with(Settings.TIME_ZONE, JsonString.of(ZoneId.systemDefault().getId()), Settings.RUNTIME)
        .with(
            Settings.LOCALE, JsonString.of(Locale.getDefault().toLanguageTag()), Settings.RUNTIME);
  }

  /** Returns these circumstances with a different mode, such as {@code record}. */
  public Circumstances withMode(String mode) {
    return with(Settings.MODE, JsonString.of(mode), null);
  }

  /** Returns these circumstances with a seed of everything random in the agent. */
  public Circumstances withSeed(long seed) {
    boolean isExact = Math.abs(seed) <= MAX_EXACT && seed != Long.MIN_VALUE;
    return with(
        Settings.SEED, isExact ? JsonNumber.of(seed) : JsonString.of(Long.toString(seed)), null);
  }

  /** Returns these circumstances with the model that the agent calls. */
  public Circumstances withModel(String model) {
    return with(Settings.MODEL, JsonString.of(model), null);
  }

  /** Returns these circumstances with the model that the agent calls, and its parameters. */
  public Circumstances withModel(String model, Parameters parameters) {
    return withModel(model).with(Settings.MODEL_PARAMETERS, parameters.json(), null);
  }

  /** Returns these circumstances with one more tool, after those added before. */
  public Circumstances withTool(ToolDescription tool) {
    List<JsonValue> tools = new ArrayList<>();
    new Settings(values, Meta.NONE).tools().forEach(earlier -> tools.add(earlier.json()));
    tools.add(tool.json());
    return with(Settings.TOOLS, JsonArray.copyOf(tools), null);
  }

  /** Returns these circumstances with the version of a part of the agent's software. */
  public Circumstances withVersion(String part, String version) {
    JsonObject versions = values.get(Settings.VERSIONS) instanceof JsonObject setting
            && setting.get("value") instanceof JsonObject object
        ? object
        : JsonObject.EMPTY;
    return with(Settings.VERSIONS, versions.with(part, version), Settings.RUNTIME);
  }

  /** Returns these circumstances with the working directory of the process. */
  public Circumstances withWorkingDirectory() {
    String directory = Path.of("").toAbsolutePath().toString();
    return with(Settings.WORKING_DIRECTORY, text(directory), Settings.RUNTIME);
  }

  /**
   * Returns these circumstances with the environment variables that have the given names, in place
   * of those added before. Do not name variables with secrets: the log contains their values.
   */
  public Circumstances withEnvironment(String... names) {
    JsonObject.Builder variables = JsonObject.builder();
    for (String name : new TreeSet<>(List.of(names))) {
      String value = System.getenv(name);
      variables.add(name, value == null ? JsonNull.NULL : text(value));
    }
    return with(Settings.ENVIRONMENT, variables.build(), Settings.ENV);
  }

  /**
   * Returns these circumstances with a setting of any name, in place of an earlier one.
   *
   * @param value the value, of any type that {@link JsonValue#of} converts
   * @param source the source of the value, as in {@link Setting#source()}
   */
  public Circumstances with(String name, @Nullable Object value, @Nullable String source) {
    JsonObject setting = JsonObject.of("value", JsonValue.of(value));
    return new Circumstances(
        values.with(name, source == null ? setting : setting.with("source", source)), workspace);
  }

  /** Returns these circumstances with a capture of the workspace, which the recorder calls. */
  public Circumstances withWorkspace(WorkspaceCapture capture) {
    return new Circumstances(values, Objects.requireNonNull(capture, "capture"));
  }

  /** A text of the system, in which an unpaired surrogate is replaced by U+FFFD. */
  private static JsonValue text(String text) {
    return LenientJson.of(text, "").value();
  }

  /** The capture of the workspace; null if there is none. */
  public @Nullable WorkspaceCapture workspace() {
    return workspace;
  }

  /** The settings that describe the circumstances, without those that only the recorder knows. */
  public Settings settings() {
    return new Settings(values, Meta.NONE);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Circumstances that
        && values.equals(that.values)
        && Objects.equals(workspace, that.workspace);
  }

  @Override
  public int hashCode() {
    return Objects.hash(values, workspace);
  }

  @Override
  public String toString() {
    return values.toString();
  }
}

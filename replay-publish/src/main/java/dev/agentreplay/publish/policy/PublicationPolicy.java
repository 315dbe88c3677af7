package dev.agentreplay.publish.policy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A policy of publication: the decision on each member of each event, the rules for texts, and
 * rules of its own. It is a JSON document:
 *
 * <pre>
 * {
 *   "schema": "replay.policy/1",
 *   "id": "acme_public",
 *   "base": "private_repo",
 *   "texts": {"max_length": 2000},
 *   "events": {
 *     "ToolResult": {"output": "text", "error/message": "withhold"},
 *     "Settings": {"values/region/value": "text"}
 *   },
 *   "rules": [{"id": "tickets", "pattern": "ACME-[0-9]+", "action": "redact"}]
 * }
 * </pre>
 *
 * <p>A member that no decision names is hidden, as are unknown members and unknown events unless
 * {@code unknown_members} and {@code unknown_events} list their names. Required members that are
 * withheld have a placeholder. No policy shows the salt of a log, references to blobs, or the hash
 * of a value that is not shown unchanged. docs/privacy-policies.md lists the decisions of the
 * presets. Immutable, and safe for use by several threads.
 */
public final class PublicationPolicy {

  /** The schema of the document. */
  public static final String SCHEMA = "replay.policy/1";

  static final String UNKNOWN_MEMBERS = "unknown_members";

  /**
   * Shows prompts, answers, parameters, outputs, paths and commands after the text rules, and
   * withholds the data that identify machine and people beyond them. For a public repository.
   */
  public static final PublicationPolicy OPEN_SOURCE = load("open_source");

  /**
   * Shows structure, names of tools and models, times, counts and statuses, and withholds contents,
   * paths, commands and messages: Layer C of specification 001. The default.
   */
  public static final PublicationPolicy PRIVATE_REPO = load("private_repo");

  /**
   * Withholds models, durations, counts of tokens and names of errors as well, shows days instead
   * of times, and maps ids, agents and tools.
   */
  public static final PublicationPolicy PARANOID = load("paranoid");

  private final String id;
  private final String description;
  private final TextOptions texts;
  private final SortedSet<String> unknownMembers;
  private final SortedSet<String> unknownEvents;
  private final Map<String, Map<String, Action>> decisions;
  private final List<CustomRule> rules;
  private final JsonObject json;
  private final ContentHash hash;

  PublicationPolicy(
      String id,
      String description,
      TextOptions texts,
      SortedSet<String> unknownMembers,
      SortedSet<String> unknownEvents,
      Map<String, Map<String, Action>> decisions,
      List<CustomRule> rules) {
    this.id = id;
    this.description = description;
    this.texts = texts;
    this.unknownMembers = Collections.unmodifiableSortedSet(new TreeSet<>(unknownMembers));
    this.unknownEvents = Collections.unmodifiableSortedSet(new TreeSet<>(unknownEvents));
    Map<String, Map<String, Action>> copy = new TreeMap<>();
    decisions.forEach(
        (event, members) -> copy.put(event, Collections.unmodifiableMap(new TreeMap<>(members))));
    this.decisions = Collections.unmodifiableMap(copy);
    this.rules = List.copyOf(rules);
    this.json = json();
    this.hash = CanonicalJson.SERDE.hash(json);
  }

  /** The ids of the presets, the most open one first. */
  public static List<String> presets() {
    return List.of(OPEN_SOURCE.id, PRIVATE_REPO.id, PARANOID.id);
  }

  /**
   * Returns the preset with an id.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PublicationPolicy preset(String id) {
    PublicationPolicy preset = findPreset(id);
    if (preset == null) {
      throw new IllegalArgumentException("no preset has the id \"%s\", expected one of %s"
          .formatted(Excerpt.of(id), String.join(", ", presets())));
    }
    return preset;
  }

  /** The preset with an id; null if there is none. */
  static @Nullable PublicationPolicy findPreset(String id) {
    for (PublicationPolicy preset : List.of(OPEN_SOURCE, PRIVATE_REPO, PARANOID)) {
      if (preset.id.equals(id)) {
        return preset;
      }
    }
    return null;
  }

  /**
   * Parses a policy.
   *
   * @throws DocumentFormatException if the text is not a policy; the message has the place, and the
   *     nearest name of an unknown one
   */
  public static PublicationPolicy parse(String json) throws DocumentFormatException {
    return PolicyReader.read(json.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads a policy from a file.
   *
   * @throws DocumentFormatException if the content of the file is not a policy
   * @throws IOException if the file cannot be read
   */
  public static PublicationPolicy read(Path file) throws IOException {
    byte[] bytes = RegularFiles.read(file, PolicyReader.MAX_BYTES);
    try {
      if (bytes == null) {
        throw new DocumentFormatException(
            "a policy has at most %d bytes".formatted(PolicyReader.MAX_BYTES));
      }
      return PolicyReader.read(bytes);
    } catch (DocumentFormatException e) {
      throw new DocumentFormatException("%s: not a policy: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static PublicationPolicy load(String id) {
    try (InputStream stream = PublicationPolicy.class.getResourceAsStream(id + ".json")) {
      return PolicyReader.read(Objects.requireNonNull(stream, id).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("the preset " + id + " cannot be read", e);
    }
  }

  /** The id: 1 to 64 letters, digits and {@code . _ -}. */
  public String id() {
    return id;
  }

  /** Whether this is one of the presets, unmodified. */
  public boolean isPreset() {
    return equals(findPreset(id));
  }

  /** The description, for people. */
  public String description() {
    return description;
  }

  /** The hash of the canonical JSON of {@link #toJson}, in the form {@code serde}. */
  public ContentHash hash() {
    return hash;
  }

  /**
   * The policy as a document that names no base: with all decisions, so that it keeps its meaning
   * if a preset changes.
   */
  public JsonObject toJson() {
    return json;
  }

  TextOptions texts() {
    return texts;
  }

  SortedSet<String> unknownMembers() {
    return unknownMembers;
  }

  SortedSet<String> unknownEvents() {
    return unknownEvents;
  }

  /** The decisions by the name of the event, or {@code *}, and the path of the member. */
  Map<String, Map<String, Action>> decisions() {
    return decisions;
  }

  List<CustomRule> rules() {
    return rules;
  }

  /** The decision on a member of an event, or of every event; null if there is none. */
  @Nullable
  Action decision(String event, String path) {
    return decisions.getOrDefault(event, Map.of()).get(path);
  }

  private JsonObject json() {
    JsonObject.Builder events = JsonObject.builder();
    decisions.forEach((event, members) -> {
      JsonObject.Builder decided = JsonObject.builder();
      members.forEach((path, action) -> decided.put(path, action.id()));
      events.add(event, decided.build());
    });
    List<JsonObject> ruleList = new ArrayList<>();
    rules.forEach(rule -> ruleList.add(rule.toJson()));
    return JsonObject.builder()
        .put("description", description)
        .add("events", events.build())
        .put("id", id)
        .add("rules", JsonArray.copyOf(ruleList))
        .put("schema", SCHEMA)
        .add("texts", texts.toJson())
        .put(Names.UNKNOWN_EVENTS, unknownEvents)
        .put(UNKNOWN_MEMBERS, unknownMembers)
        .build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PublicationPolicy that && json.equals(that.json);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }

  /** The id and the hash. */
  @Override
  public String toString() {
    return id + " " + hash;
  }
}

package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules and limits of a snapshot. Patterns have the form of {@code .gitignore}: {@code logs/},
 * {@code *.tmp}, {@code /out/*.bin}, {@code a/**}, {@code !keep.tmp}; the last one that matches
 * decides. Immutable.
 */
public final class SnapshotOptions {

  /** The default patterns of what is left out: version control, dependencies, builds, caches. */
  public static final List<String> DEFAULT_IGNORED = List.of(
      ".git/",
      ".hg/",
      ".svn/",
      ".jj/",
      "target/",
      "build/",
      "node_modules/",
      ".gradle/",
      "__pycache__/",
      ".venv/",
      "venv/",
      ".tox/",
      ".mypy_cache/",
      ".pytest_cache/",
      ".ruff_cache/",
      ".DS_Store",
      ".replay-*.tmp"); // files that Workspace has not moved to their place yet

  /**
   * The patterns of files with secrets, which are left out unless they are included by name. Upper
   * and lower case are the same.
   */
  public static final List<String> SECRETS = List.of(
      ".env",
      ".env.*",
      "!.env.example",
      "!.env.sample",
      "!.env.template",
      ".envrc",
      "*.pem",
      "*.key",
      "*.p12",
      "*.pfx",
      "*.jks",
      "*.keystore",
      "*.ppk",
      "*.kdbx",
      "id_rsa*",
      "id_dsa*",
      "id_ecdsa*",
      "id_ed25519*",
      ".netrc",
      "_netrc",
      ".npmrc",
      ".pypirc",
      ".pgpass",
      ".my.cnf",
      ".s3cfg",
      ".boto",
      ".vault-token",
      ".dockercfg",
      "**/.docker/config.json",
      "**/.config/gcloud/",
      ".git-credentials",
      ".htpasswd",
      "credentials",
      "credentials.json",
      "credentials.toml",
      ".ssh/",
      ".gnupg/",
      ".aws/",
      ".azure/",
      ".kube/");

  private static final SnapshotOptions DEFAULTS = new SnapshotOptions(
      DEFAULT_IGNORED, SECRETS, List.of(), SnapshotLimits.defaults(), null, List.of(), List.of());

  private final List<String> ignored;
  private final List<String> secrets;
  private final List<String> included;
  private final SnapshotLimits limits;
  private final @Nullable Path base;
  private final List<String> databases;
  private final List<Path> excluded;
  private final EntryRules rules;

  private SnapshotOptions(
      List<String> ignored,
      List<String> secrets,
      List<String> included,
      SnapshotLimits limits,
      @Nullable Path base,
      List<String> databases,
      List<Path> excluded) {
    this.ignored = ignored;
    this.secrets = secrets;
    this.included = included;
    this.limits = limits;
    this.base = base;
    this.databases = databases;
    this.excluded = excluded;
    this.rules = new EntryRules(ignored, secrets, included);
  }

  /** {@link #DEFAULT_IGNORED} and {@link #SECRETS} are left out, within the default limits. */
  public static SnapshotOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The rules of a snapshot, as the header of its manifest states them, within the default limits.
   *
   * @throws DocumentFormatException if they do not have this form
   */
  public static SnapshotOptions of(JsonObject rules) throws DocumentFormatException {
    try {
      SnapshotOptions options = new SnapshotOptions(
          texts(rules, "ignored"),
          texts(rules, "secrets"),
          texts(rules, "included"),
          SnapshotLimits.defaults(),
          null,
          List.of(),
          List.of());
      if (rules.get("databases") != null) {
        for (String database : texts(rules, "databases")) {
          options = options.withDatabase(database);
        }
      }
      return options;
    } catch (IllegalArgumentException e) {
      throw new DocumentFormatException("the rules of the snapshot: " + e.getMessage(), e);
    }
  }

  private static List<String> texts(JsonObject rules, String name) {
    if (!(rules.get(name) instanceof JsonArray array)) {
      throw new IllegalArgumentException("expected an array of strings as \"%s\"".formatted(name));
    }
    List<String> texts = new ArrayList<>();
    for (JsonValue value : array) {
      if (!(value instanceof JsonString text)) {
        throw new IllegalArgumentException(
            "expected an array of strings as \"%s\"".formatted(name));
      }
      texts.add(text.value());
    }
    return List.copyOf(texts);
  }

  /**
   * Returns these options with more patterns of what is left out, after those before.
   *
   * @throws IllegalArgumentException if a pattern is empty or has an empty name
   */
  public SnapshotOptions withIgnored(String... patterns) {
    return new SnapshotOptions(
        plus(ignored, patterns), secrets, included, limits, base, databases, excluded);
  }

  /** Returns these options without patterns of what is left out; secrets still are. */
  public SnapshotOptions withNothingIgnored() {
    return new SnapshotOptions(List.of(), secrets, included, limits, base, databases, excluded);
  }

  /**
   * Returns these options with more patterns of what is taken although it is ignored or a secret. A
   * directory that is ignored is searched only if a pattern with a slash leads into it, as
   * {@code target/classes}.
   *
   * @throws IllegalArgumentException if a pattern is empty or has an empty name
   */
  public SnapshotOptions withIncluded(String... patterns) {
    return new SnapshotOptions(
        ignored, secrets, plus(included, patterns), limits, base, databases, excluded);
  }

  /** Returns these options with different limits. */
  public SnapshotOptions withLimits(SnapshotLimits newLimits) {
    Objects.requireNonNull(newLimits, "limits");
    return new SnapshotOptions(ignored, secrets, included, newLimits, base, databases, excluded);
  }

  /**
   * Returns these options with an earlier snapshot of the same workspace: the contents of files
   * that are unchanged since then, by size, times, inode and mode, are hard links to its contents,
   * and are not read. Null for none.
   */
  public SnapshotOptions withBase(@Nullable Path snapshot) {
    return new SnapshotOptions(ignored, secrets, included, limits, snapshot, databases, excluded);
  }

  /**
   * Returns these options with one more database: a file of the workspace that other programs may
   * be writing, which is copied in one state together with its journals.
   *
   * @param path the file, relative to the workspace, with {@code /} between names
   * @throws IllegalArgumentException if the path does not have this form
   */
  public SnapshotOptions withDatabase(String path) {
    String checked = SnapshotEntry.requirePath(path);
    return new SnapshotOptions(
        ignored, secrets, included, limits, base, plus(databases, checked), excluded);
  }

  /** Returns these options with one more file or directory that is left out, as a session is. */
  public SnapshotOptions without(Path path) {
    List<Path> more = new ArrayList<>(excluded);
    more.add(path.toAbsolutePath());
    return new SnapshotOptions(
        ignored, secrets, included, limits, base, databases, List.copyOf(more));
  }

  private static List<String> plus(List<String> list, String... more) {
    List<String> all = new ArrayList<>(list);
    all.addAll(List.of(more));
    return List.copyOf(all);
  }

  /** The patterns of what is left out. */
  public List<String> ignored() {
    return ignored;
  }

  /** The patterns of what is taken although it is ignored or a secret. */
  public List<String> included() {
    return included;
  }

  /** The limits. */
  public SnapshotLimits limits() {
    return limits;
  }

  /** The earlier snapshot; null if there is none. */
  public @Nullable Path base() {
    return base;
  }

  /** The databases, relative to the workspace. */
  public List<String> databases() {
    return databases;
  }

  /** The files and directories that are left out by their absolute path. */
  List<Path> excluded() {
    return excluded;
  }

  EntryRules rules() {
    return rules;
  }

  /** The rules and limits as the header of a manifest states them. */
  JsonObject json() {
    return JsonObject.of(
        "databases", JsonArray.of(databases.toArray()),
        "ignored", JsonArray.of(ignored.toArray()),
        "included", JsonArray.of(included.toArray()),
        "limits",
            JsonObject.of(
                "bytes", limits.bytes(),
                "file_bytes", limits.fileBytes(),
                "files", (long) limits.files()),
        "secrets", JsonArray.of(secrets.toArray()));
  }
}

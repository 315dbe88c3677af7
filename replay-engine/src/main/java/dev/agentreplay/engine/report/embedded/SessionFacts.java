package dev.agentreplay.engine.report.embedded;

import dev.agentreplay.engine.view.SessionOrigin;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ImportOrigin;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The task, labels and outcome of a session, from its first and last events. They name a session
 * whose directory has a generated name.
 */
public final class SessionFacts {

  private static final int LONGEST_TEXT = 2_000;
  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_LABEL = 100;
  private static final int MAX_TAGS = 50;

  /** The number of lines in which the start of a session is searched for the title of a page. */
  private static final int FIRST_LINES = 20;

  /** A UUID, or a hash. */
  private static final Pattern GENERATED =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{16,}");

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final String name;
  private @Nullable ReplayHeader header;
  private @Nullable SessionStart start;
  private @Nullable SessionEnd end;
  private @Nullable String id;

  /** Creates facts of a session that has this name if it states no better one. */
  public SessionFacts(String name) {
    this.name = name;
  }

  /** Reads the facts that the first lines of a session state. */
  public static SessionFacts ofBeginning(Session session, String name) throws IOException {
    SessionFacts facts = new SessionFacts(name);
    if (!Files.isRegularFile(session.log())) { // a pipe can be read only once
      return facts;
    }
    try (ReplayReader reader = session.reader()) {
      ReplayLine line = reader.read();
      for (int i = 0; line != null && facts.start == null && i < FIRST_LINES; i++) {
        facts.add(line.event());
        line = reader.read();
      }
    }
    return facts;
  }

  /** Adds an event; they must be added in the order of the log. */
  public void add(ReplayEvent event) {
    id = id == null ? event.meta().sessionId() : id;
    if (event instanceof SessionStart first && start == null) {
      start = first;
    } else if (event instanceof ReplayHeader first && header == null) {
      header = first;
    } else if (event instanceof SessionEnd last) {
      end = last;
    }
  }

  /** The title of a page of the session. */
  public String title() {
    String label = label();
    return label.equals(name) ? name : withTime(label);
  }

  /** The name of the session, or its title if the name is a generated one. */
  public String shortTitle() {
    return isGenerated() ? title() : name;
  }

  private String withTime(String label) {
    Instant time = started();
    return time == null ? label : label + ", " + MINUTE.format(time);
  }

  private boolean isGenerated() {
    String path = name.replaceFirst("[/\\\\]REPLAY\\.jsonl(\\.gz)?$", "");
    String last = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    return GENERATED.matcher(last).matches();
  }

  /** The service and the task in one line; the name if neither is known. */
  private String label() {
    String service = labels().service();
    String task = start == null ? null : start.task().text();
    String who = service == null ? "" : simpleName(service);
    String method = labels().method();
    who = who.isEmpty() || method == null ? who : who + "." + method;
    String what = task == null ? "" : task.strip().replaceAll("\\s+", " ");
    String label = who.isEmpty() || what.isEmpty() ? who + what : who + ": " + what;
    return label.isEmpty() ? name : shortened(label);
  }

  private static String shortened(String label) {
    return label.length() <= LONGEST_LABEL
        ? label
        : Excerpt.beginning(label, LONGEST_LABEL).strip() + "…";
  }

  private static String simpleName(String type) {
    return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
  }

  private @Nullable Instant started() {
    Timestamp time = start == null ? null : start.time();
    return time == null ? null : time.instant();
  }

  private Labels labels() {
    return start == null ? Labels.NONE : start.labels();
  }

  /**
   * The facts as {@code ViewerData} documents them. Texts are shortened, so that a page has them
   * however long the session is.
   */
  public JsonObject json() {
    JsonObject.Builder out = JsonObject.builder();
    put(out, "label", label());
    put(out, "id", id == null ? null : EmbeddedOrigin.id(id));
    Instant started = started();
    put(out, "started", started == null ? null : started.toEpochMilli());
    put(out, "origin", header == null ? null : EmbeddedOrigin.of(SessionOrigin.of(header)));
    put(out, "directory", isGenerated() || label().equals(name) ? null : name);
    if (start != null) {
      put(out, "task", text(start.task().text()));
      put(out, "facts", facts(start));
    }
    if (end != null) {
      JsonObject.Builder ending = JsonObject.builder();
      put(ending, "status", name(end.status().spelling()));
      put(ending, "ok", end.succeeded());
      put(ending, "summary", text(end.summary()));
      put(ending, "error", text(end.errorMessage()));
      put(ending, "confidence", end.confidence());
      out.put("end", ending.build());
    }
    return out.build();
  }

  private JsonValue facts(SessionStart begun) {
    List<JsonValue> facts = new ArrayList<>();
    fact(facts, "service", labels().service());
    fact(facts, "method", labels().method());
    fact(facts, "user", begun.labels().user());
    fact(facts, "environment", begun.labels().environment());
    String tags = String.join(
        ", ",
        labels().tags().stream()
            .filter(
                tag -> !tag.startsWith(Labels.SERVICE_TAG) && !tag.startsWith(Labels.METHOD_TAG))
            .limit(MAX_TAGS)
            .toList());
    fact(facts, "tags", tags.isEmpty() ? null : tags);
    JsonObject repository = begun.repository();
    for (String member : List.of("remote", "branch", "commit")) {
      JsonValue stated = repository == null ? null : repository.get(member);
      fact(facts, member, stated instanceof JsonString text ? text.value() : null);
    }
    fact(facts, "issue", begun.issueNumber() == null ? null : "#" + begun.issueNumber());
    fact(facts, "lane", begun.lane());
    PolicyId policy = begun.policy();
    fact(facts, "policy", policy == null ? null : policy.id());
    fact(facts, "producer", header == null ? null : header.producer());
    ImportOrigin origin = header == null ? null : ImportOrigin.of(header);
    fact(facts, "imported from", origin == null ? null : origin.text());
    fact(facts, "session", begun.meta().sessionId());
    return JsonValue.of(facts);
  }

  private static void fact(List<JsonValue> facts, String label, @Nullable String value) {
    if (value != null) {
      facts.add(JsonValue.of(List.of(label, Excerpt.beginning(value, LONGEST_TEXT))));
    }
  }

  private static void put(JsonObject.Builder out, String member, @Nullable Object value) {
    if (value != null) {
      out.put(member, value);
    }
  }

  private static @Nullable String text(@Nullable String text) {
    return text == null ? null : Excerpt.beginning(text, LONGEST_TEXT);
  }

  private static String name(String text) {
    return Excerpt.beginning(text, LONGEST_NAME);
  }
}

package dev.agentreplay.cli;

import dev.agentreplay.cli.folder.HitText;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.input.SessionLocations;
import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.Progress;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.view.EventHit;
import dev.agentreplay.engine.view.EventSearch;
import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.SessionFolder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.NearestName;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay search}. */
@Command(
    name = "search",
    header = "Search the events of sessions for a text or a value.",
    description = {
      "Searches every session in a directory and below it, except packed ones, which must be named. A",
      "text is found in strings, without their escapes, and in numbers. /POINTER=VALUE finds events with",
      "this value at a JSON Pointer, in which * is any name and ** any number of names; it continues into",
      "strings that are JSON. One line for each event, with its line in the log and its first match."
    },
    exitCodeList = {
      "0:Found.",
      "1:Not found.",
      "2:Wrong usage.",
      "3:A session or directory cannot be read, or there is none; the others are searched."
    },
    footer = {
      "  replay search sessions denied",
      "  replay search --tool read_file sessions /params/path=src/auth.rs",
      "  replay search --ignore-case --kind ModelResult sessions sorry"
    })
final class SearchCommand extends TerminalCommand {

  private static final Pattern VALUE = Pattern.compile("(/[^=]*)=(.*)", Pattern.DOTALL);

  private static final String SCHEMA = "replay.search/1";

  /**
   * The hits of a session.
   *
   * @param unsearched the number of values in blobs that were not searched
   * @param failure the failure that ended its search
   */
  private record Hits(List<EventHit> all, long unsearched, @Nullable IOException failure) {}

  @Mixin
  SessionInput input = new SessionInput(terminal);

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "Directory of sessions, session, or id.")
  String directory = "";

  @Parameters(index = "1", paramLabel = "TEXT", description = "Text to find, or /POINTER=VALUE.")
  String text = "";

  @Option(names = "--text", description = "Take /POINTER=VALUE as a text, too.")
  boolean isText;

  @Option(
      names = {"-i", "--ignore-case"},
      description = "Ignore the case of letters.")
  boolean ignoreCase;

  @Option(
      names = "--kind",
      paramLabel = "EVENT",
      description = "Only events of this type, such as ToolCall, ToolResult or ModelResult.")
  @Nullable
  String kind;

  @Option(
      names = "--tool",
      paramLabel = "NAME",
      description = "Only calls of this tool, and their results.")
  @Nullable
  String tool;

  @Option(
      names = "--blobs",
      description = "Search values that are stored as blobs, too; reads all of them.")
  boolean blobs;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Maximum number of events that are printed (default: ${DEFAULT-VALUE}).")
  int limit;

  @Mixin
  FormatOption format = new FormatOption();

  private long found;
  private long sessions;
  private long places;
  private long unsearched;

  /** Whether there is a hit beyond the limit, so that the search ended. */
  private boolean isMore;

  private boolean isReadable = true;

  SearchCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new UsageException("--limit: expected 1 or more, found " + limit);
    }
    EventSearch search = search();
    int width = terminal.lineWidth();
    HitText hitText = new HitText(terminal.style(), width);
    Progress progress =
        new Progress(terminal.progressLine(), terminal.progress(), System::nanoTime);
    SessionLocations locations = new SessionLocations(input, List.of(directory));
    try (Stream<FolderEntry<Hits>> entries =
        SessionFolder.of(locations).read(session -> hits(search, session))) {
      Iterator<FolderEntry<Hits>> each = entries.iterator();
      while (!isMore && each.hasNext() && !terminal.out().checkError()) {
        FolderEntry<Hits> entry = each.next();
        places++;
        progress.count();
        progress.erase();
        if (entry instanceof FolderEntry.Loaded<Hits> read) {
          print(read.path(), read.value(), hitText);
        } else if (entry instanceof FolderEntry.Failed<Hits> failed) {
          failed(failed.path(), failed.failure());
        }
      }
    }
    progress.erase();
    summary(isMore ? locations.count() - places : 0);
    return isReadable ? (found > 0 ? ExitCode.OK : ExitCode.FINDINGS) : ExitCode.UNREADABLE;
  }

  private EventSearch search() {
    Matcher value = VALUE.matcher(text);
    EventSearch search;
    try {
      search = !isText && value.matches()
          ? EventSearch.value(value.group(1), value.group(2))
          : EventSearch.text(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("TEXT: " + e.getMessage());
    }
    search = ignoreCase ? search.withIgnoredCase() : search;
    search = kind == null ? search : search.withKind(known(kind));
    search = tool == null ? search : search.withTool(tool);
    return blobs ? search.withBlobs() : search;
  }

  /**
   * The type of events that a text is, whose case does not matter if it is a known one. A log may
   * have types that this version does not know.
   */
  private String known(String type) {
    List<String> types = Stream.of(EventKind.values())
        .filter(known -> known != EventKind.UNKNOWN)
        .map(EventKind::id)
        .toList();
    String known = types.stream().filter(type::equalsIgnoreCase).findFirst().orElse(null);
    if (known != null) {
      return known;
    }
    String suggestion = NearestName.suggestion(type, types);
    if (!suggestion.isEmpty()) {
      complain("--kind: no known event has the type " + Excerpt.of(type) + suggestion);
    }
    return type;
  }

  /** The hits of a session; called by several threads. */
  private Hits hits(EventSearch search, Session session) {
    List<EventHit> hits = new ArrayList<>();
    try {
      // one more than is printed tells whether there are more
      long stored = search.run(session, hit -> hits.add(hit) && hits.size() <= limit);
      return new Hits(hits, stored, null);
    } catch (IOException e) {
      return new Hits(hits, 0, e);
    }
  }

  private void print(Path path, Hits hits, HitText hitText) {
    List<EventHit> shown = hits.all.subList(0, (int) Math.min(hits.all.size(), limit - found));
    isMore = shown.size() < hits.all.size();
    if (!shown.isEmpty()) {
      sessions++;
      found += shown.size();
      if (format.isJson()) {
        shown.forEach(hit -> print(hit.toJson(path)));
      } else {
        print(terminal.style().bold(Style.plain(path.toString())) + "\n");
        shown.forEach(hit -> print(hitText.render(hit)));
      }
      terminal.out().flush(); // a reader in a pipe gets each session at once
    }
    unsearched += hits.unsearched;
    if (hits.unsearched > 0 && format.isJson()) {
      print(JsonObject.of(
          "schema", SCHEMA, "path", path.toString(), "values_not_searched", hits.unsearched));
    }
    if (hits.failure != null) {
      failed(path, hits.failure);
    }
  }

  private void failed(Path path, IOException failure) {
    isReadable = false;
    String reason = Failures.describe(failure);
    if (format.isJson()) {
      print(JsonObject.of("schema", SCHEMA, "path", path.toString(), "error", reason));
    }
    complain(reason);
  }

  /**
   * Prints what was found, and what was not searched.
   *
   * @param rest the number of sessions that were not searched, because there are too many hits
   */
  private void summary(long rest) {
    if (format.isJson()) {
      if (isMore) {
        print(JsonObject.of("schema", SCHEMA, "limit", limit, "sessions_not_searched", rest));
      }
      return;
    }
    if (found > 0) {
      String more = isMore ? "; there are more, --limit N prints them" : "";
      String skipped = rest > 0 ? "; " + PlainText.count(rest, "session") + " not searched" : "";
      print("\n%s in %s%s%s\n"
          .formatted(
              PlainText.count(found, "event"),
              PlainText.count(sessions, "session"),
              more,
              skipped));
    } else if (isReadable) {
      complain("not found");
    }
    if (unsearched > 0) {
      complain(PlainText.count(unsearched, "value")
          + (blobs
              ? " not searched: the blobs are missing"
              : " in blobs not searched; --blobs searches them"));
    }
  }
}

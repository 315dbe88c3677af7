package dev.agentreplay.cli.folder;

import dev.agentreplay.cli.input.OpenOption;
import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Failures;
import dev.agentreplay.cli.text.Progress;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.engine.report.FolderOptions;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.report.ViewerOptions;
import dev.agentreplay.engine.view.FolderEntry;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.SessionSummary;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options {@code --html} and {@code --pages}: a page of a folder, and of its sessions. */
public final class FolderOutput {

  private static final String SUFFIX = ".html";

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a self-contained HTML page of the sessions instead of printing them.")
  private @Nullable Path html;

  @Option(
      names = "--pages",
      paramLabel = "DIR",
      description = "Also write a page of each session to this directory; the rows of --html link"
          + " to them.")
  private @Nullable Path pages;

  @Mixin
  private OpenOption opener = new OpenOption();

  @Option(names = "--overwrite", description = "Replace existing files.")
  private boolean overwrite;

  /** Whether pages are written. */
  public boolean isWanted() {
    return html != null;
  }

  /** Refuses options that do not go together. */
  public void check() {
    if (html == null && (pages != null || overwrite)) {
      throw new UsageException((pages != null ? "--pages" : "--overwrite") + " requires --html");
    }
    opener.check(html);
    if (html != null
        && pages != null
        && !Objects.equals(
            html.toAbsolutePath().getRoot(), pages.toAbsolutePath().getRoot())) {
      throw new UsageException(
          "--pages: expected a directory on the drive of --html, because links cannot lead to"
              + " a different one");
    }
  }

  /**
   * Writes the pages of sessions, and then the page that links to them. Returns whether the page of
   * each session was written; those that were not are reported.
   */
  public boolean write(
      List<FolderEntry<SessionSummary>> entries,
      List<String> names,
      Prices prices,
      SessionInput input,
      Terminal terminal)
      throws IOException {
    Path file = html;
    if (file == null) {
      throw new IllegalStateException("no --html");
    }
    Map<Path, Path> places = pages == null ? Map.of() : places(entries, pages, file);
    for (Path page : places.values()) {
      requireAbsent(page);
    }
    requireAbsent(file);
    Map<Path, Path> written = writePages(places, prices, input, terminal);
    Path base = file.toAbsolutePath().normalize().getParent();
    Path only = names.size() == 1 ? Path.of(names.get(0)) : null;
    Path named = only == null ? null : only.toAbsolutePath().normalize().getFileName();
    FolderOptions options = FolderOptions.titled(named == null ? "sessions" : named.toString())
        .withDirectory(only)
        .withPrices(prices)
        .withPages(path -> {
          Path page = written.get(path);
          return page == null || base == null
              ? null
              : base.relativize(page.toAbsolutePath().normalize()).toString().replace('\\', '/');
        });
    try (WholeFile page = begin(file, input)) {
      HtmlViewer.render(entries.stream(), options, page.out());
      page.commit();
    }
    OutFile.tell(file, terminal);
    opener.open(file, terminal);
    return written.size() == places.size();
  }

  /**
   * The page of each session: named like it, with a number if an earlier one has the name, or the
   * page that links to them.
   */
  private static Map<Path, Path> places(
      List<FolderEntry<SessionSummary>> entries, Path directory, Path links) {
    Map<Path, Path> places = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>();
    Path linking = links.getFileName();
    if (linking != null) {
      taken.add(linking.toString().toLowerCase(Locale.ROOT));
    }
    for (FolderEntry<SessionSummary> entry : entries) {
      if (entry instanceof FolderEntry.Loaded<SessionSummary>) {
        Path last = entry.path().toAbsolutePath().normalize().getFileName();
        String name = last == null ? "session" : last.toString();
        String page = name;
        for (int i = 2; !taken.add((page + SUFFIX).toLowerCase(Locale.ROOT)); i++) {
          page = name + "-" + i;
        }
        places.put(entry.path(), directory.resolve(page + SUFFIX));
      }
    }
    return places;
  }

  /** Writes the pages of sessions. Returns those that were written. */
  private Map<Path, Path> writePages(
      Map<Path, Path> places, Prices prices, SessionInput input, Terminal terminal)
      throws IOException {
    if (pages == null) {
      return Map.of();
    }
    Files.createDirectories(pages);
    ViewerOptions options = ViewerOptions.defaults().withPrices(prices);
    Map<Path, Path> written = new HashMap<>();
    Progress progress =
        new Progress(terminal.progressLine(), terminal.progress(), System::nanoTime);
    for (Map.Entry<Path, Path> place : places.entrySet()) {
      try (WholeFile page = begin(place.getValue(), input)) {
        render(place.getKey(), options, page);
        page.commit();
        written.put(place.getKey(), place.getValue());
      } catch (FileAlreadyExistsException e) {
        throw e;
      } catch (IOException e) {
        progress.erase();
        terminal.complain("no page of %s: %s".formatted(place.getKey(), Failures.describe(e)));
      }
      progress.count();
    }
    progress.erase();
    terminal
        .err()
        .println("wrote %s to %s"
            .formatted(PlainText.count(written.size(), "page"), Style.plain(pages.toString())));
    return written;
  }

  private static void render(Path session, ViewerOptions options, WholeFile page)
      throws IOException {
    SessionLocation location = Files.isRegularFile(session) && PackedSession.isPacked(session)
        ? SessionLocation.of(session, PackedSession::open)
        : SessionLocation.of(session);
    try (OpenSession open = location.open()) {
      HtmlViewer.render(open.session(), options, page.out());
    }
  }

  /** Refuses to write at all if a file exists that is not to be replaced. */
  private void requireAbsent(Path file) throws IOException {
    if (!overwrite && Files.exists(file)) {
      throw new FileAlreadyExistsException(
          file.toString(), null, "exists; --overwrite replaces it");
    }
  }

  private WholeFile begin(Path file, SessionInput input) throws IOException {
    input.requireOutput(file);
    return overwrite ? WholeFile.replacing(file) : WholeFile.creating(file);
  }
}

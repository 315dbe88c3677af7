package dev.agentreplay.cli;

import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options {@code --html} and {@code --pages}: a page of a folder, and of its sessions. */
final class FolderOutput {

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

  @Option(names = "--overwrite", description = "Replace existing files.")
  private boolean overwrite;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /** Whether pages are written. */
  boolean isWanted() {
    return html != null;
  }

  /** Refuses options that do not go together. */
  void check() {
    if (html == null && (pages != null || overwrite)) {
      throw new ParameterException(
          spec.commandLine(), (pages != null ? "--pages" : "--overwrite") + " requires --html");
    }
  }

  /** Writes the pages of sessions, and then the page that links to them. */
  void write(
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
    Map<Path, Path> written = pages == null ? Map.of() : places(entries, pages);
    for (Path page : written.values()) {
      requireAbsent(page);
    }
    requireAbsent(file);
    writePages(written, prices, input, terminal);
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
  }

  /** The page of each session: named like it, with a number if an earlier one has the name. */
  private static Map<Path, Path> places(List<FolderEntry<SessionSummary>> entries, Path directory) {
    Map<Path, Path> places = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>();
    for (FolderEntry<SessionSummary> entry : entries) {
      if (entry instanceof FolderEntry.Loaded<SessionSummary>) {
        Path last = entry.path().toAbsolutePath().normalize().getFileName();
        String name = last == null ? "session" : last.toString();
        String page = name;
        for (int i = 2; !taken.add(page.toLowerCase(Locale.ROOT)); i++) {
          page = name + "-" + i;
        }
        places.put(entry.path(), directory.resolve(page + ".html"));
      }
    }
    return places;
  }

  private void writePages(
      Map<Path, Path> places, Prices prices, SessionInput input, Terminal terminal)
      throws IOException {
    if (pages == null) {
      return;
    }
    Files.createDirectories(pages);
    ViewerOptions options = ViewerOptions.defaults().withPrices(prices);
    for (Map.Entry<Path, Path> place : places.entrySet()) {
      Path path = place.getKey();
      SessionLocation location = Files.isRegularFile(path) && PackedSession.isPacked(path)
          ? SessionLocation.of(path, PackedSession::open)
          : SessionLocation.of(path);
      try (OpenSession open = location.open();
          WholeFile page = begin(place.getValue(), input)) {
        HtmlViewer.render(open.session(), options, page.out());
        page.commit();
      }
    }
    terminal
        .err()
        .println("wrote %s to %s"
            .formatted(PlainText.count(places.size(), "page"), Style.plain(pages.toString())));
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

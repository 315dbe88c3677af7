package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.workspace.SnapshotHeader;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.sandbox.snapshot.SnapshotLimits;
import dev.agentreplay.sandbox.snapshot.SnapshotOptions;
import dev.agentreplay.sandbox.snapshot.SnapshotReport;
import dev.agentreplay.sandbox.snapshot.SnapshotWriter;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay snapshot}. */
@Command(
    name = "snapshot",
    header = "Copy a workspace, to replay sessions on it.",
    description = {
      "Copies the files, directories and links of DIR with modes and times. Left out, and listed, are",
      ".git/, target/, node_modules/ and other directories that are not sources, files with secrets such",
      "as .env, *.pem and id_rsa*, sockets, pipes and devices. Patterns have the form of .gitignore."
    },
    exitCodeList = {
      "0:Copied.",
      "2:Wrong usage, or OUT is not empty.",
      "3:A file cannot be read, changes all the time, or exceeds a limit."
    },
    footer = {
      "  replay snapshot . /tmp/before",
      "  replay snapshot --base /tmp/before --ignore 'logs/' --include .env.test . /tmp/after",
      "  replay snapshot --database data/app.db . /tmp/before"
    })
final class SnapshotCommand extends TerminalCommand {

  @Parameters(index = "0", paramLabel = "DIR", description = "Directory of the workspace.")
  Path workspace = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "OUT",
      description = "Directory of the snapshot; new or empty.")
  Path out = Path.of("");

  @Option(
      names = "--ignore",
      paramLabel = "PATTERN",
      description = "Leave out more files. Repeatable.")
  List<String> ignored = List.of();

  @Option(
      names = "--include",
      paramLabel = "PATTERN",
      description = "Copy files although they are left out, also secrets. Repeatable.")
  List<String> included = List.of();

  @Option(
      names = "--database",
      paramLabel = "FILE",
      description = "Database in DIR, copied in one state with its WAL or journal; that of a server"
          + " cannot be copied. Repeatable.")
  List<Path> databases = List.of();

  @Option(
      names = "--base",
      paramLabel = "SNAPSHOT",
      description = "Earlier snapshot of DIR; unchanged files are linked to it, not read.")
  @Nullable
  Path base;

  @Option(
      names = "--max-bytes",
      paramLabel = "N",
      description = "Maximum size of all files in bytes (default: 4 GiB, 1 GiB per file).")
  @Nullable
  Long maxBytes;

  @Mixin
  FormatOption format = new FormatOption();

  SnapshotCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    SnapshotReport report;
    try {
      report = SnapshotWriter.take(workspace, out, options());
    } catch (DirectoryNotEmptyException | FileAlreadyExistsException e) {
      throw new UsageException("OUT: expected a new or empty directory, found " + out, e);
    }
    SnapshotManifest manifest = report.manifest();
    if (format.isJson()) {
      print(JsonObject.of(
          "schema",
          "replay.snapshot/1",
          "manifest",
          manifest.hash().toString(),
          "tree",
          manifest.treeHash().toString(),
          "files",
          manifest.files(),
          "bytes",
          manifest.bytes(),
          "linked",
          report.linkedContents(),
          SnapshotHeader.LEFT_OUT,
          manifest.header().leftOut()));
      return ExitCode.OK;
    }
    print("copied %,d files, %,d bytes, into %s%s\n"
        .formatted(
            manifest.files(),
            manifest.bytes(),
            Style.plain(out.toString()),
            base == null
                ? ""
                : "; %,d contents are links to the base".formatted(report.linkedContents())));
    print("manifest %s\n".formatted(manifest.hash()));
    manifest.header().leftOut().forEach(this::leftOut);
    return ExitCode.OK;
  }

  /** Prints the number and the first names of the entries that were left out for a reason. */
  private void leftOut(String reason, JsonValue entries) {
    StringBuilder names = new StringBuilder();
    JsonObject object = entries.asObject();
    if (object.get("first") instanceof JsonArray first) {
      for (int i = 0; i < first.size(); i++) {
        if (first.get(i) instanceof JsonString name) {
          names.append(i == 0 ? "" : ", ").append(Style.plain(name.value()));
        }
      }
      boolean hasMore = !String.valueOf(object.get("count")).equals(Integer.toString(first.size()));
      names.append(hasMore ? ", …" : "");
    }
    print("left out, %s: %s: %s\n".formatted(reason.replace('_', ' '), object.get("count"), names));
  }

  private SnapshotOptions options() throws IOException {
    SnapshotOptions options = SnapshotOptions.defaults().withBase(base);
    try {
      options = options
          .withIgnored(ignored.toArray(String[]::new))
          .withIncluded(included.toArray(String[]::new));
      if (maxBytes != null) {
        SnapshotLimits limits = options.limits();
        options = options.withLimits(limits.withBytes(maxBytes).withFileBytes(maxBytes));
      }
      for (Path database : databases) {
        options = options.withDatabase(relative(database));
      }
      return options;
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The path of a database in the workspace; FILE may be relative to DIR or to this directory. */
  private String relative(Path database) throws IOException {
    boolean isInWorkspace = Files.exists(workspace.resolve(database), LinkOption.NOFOLLOW_LINKS);
    Path file = isInWorkspace ? workspace.resolve(database) : database;
    Path root = workspace.toAbsolutePath().normalize();
    Path absolute = file.toAbsolutePath().normalize();
    if (!absolute.startsWith(root) || absolute.equals(root)) {
      throw new UsageException("--database: expected a file in DIR, found " + database);
    }
    return root.relativize(absolute).toString().replace(root.getFileSystem().getSeparator(), "/");
  }
}

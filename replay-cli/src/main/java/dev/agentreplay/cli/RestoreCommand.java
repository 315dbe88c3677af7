package dev.agentreplay.cli;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.convert.pack.PackedSession;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.sandbox.snapshot.SessionSnapshot;
import dev.agentreplay.sandbox.snapshot.SnapshotRestorer;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code replay restore}. */
@Command(
    name = "restore",
    header = "Restore the workspace of a snapshot or a session.",
    description = {
      "Writes the files, directories and links with their modes and times into DIR, and nothing outside",
      "of it. Each content is checked by its hash, and the snapshot of a session by the hash in its log:",
      "if one does not match, nothing is restored."
    },
    exitCodeList = {
      "0:Restored.",
      "2:Wrong usage, or DIR is not empty.",
      "3:The snapshot is missing, malformed or damaged."
    },
    footer = {"  replay restore /tmp/before copy", "  replay restore sessions/fix-auth copy"})
final class RestoreCommand extends TerminalCommand {

  @Parameters(
      index = "0",
      paramLabel = "SNAPSHOT",
      description = "Directory of a snapshot, manifest in it, or session, packed or not.")
  Path snapshot = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "DIR",
      description = "Directory to restore to; new or empty.")
  Path directory = Path.of("");

  RestoreCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    SnapshotManifest manifest;
    try {
      manifest = restore();
    } catch (DirectoryNotEmptyException | FileAlreadyExistsException e) {
      throw new UsageException("DIR: expected a new or empty directory, found " + directory, e);
    }
    print("restored %,d files, %,d bytes, of %s into %s\n"
        .formatted(
            manifest.files(),
            manifest.bytes(),
            Style.plain(manifest.header().root()),
            Style.plain(directory.toString())));
    return ExitCode.OK;
  }

  private SnapshotManifest restore() throws IOException {
    if (PackedSession.isPacked(snapshot)) {
      try (OpenSession packed = PackedSession.open(snapshot)) {
        return restore(packed.session());
      }
    }
    return isSession()
        ? restore(Session.open(snapshot))
        : SnapshotRestorer.restore(snapshot, directory);
  }

  private boolean isSession() {
    return Files.isDirectory(snapshot)
        && !Files.exists(snapshot.resolve(SnapshotManifest.NAME), LinkOption.NOFOLLOW_LINKS);
  }

  private SnapshotManifest restore(Session session) throws IOException {
    SessionSnapshot found = SessionSnapshot.find(session);
    if (found == null) {
      throw new NoSuchFileException(
          snapshot.toString(), null, "the session has no snapshot of its workspace");
    }
    found.restore(directory);
    return found.manifest();
  }
}

package dev.agentreplay.verify;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the snapshots that a log names: the manifest and the contents of its files, and the
 * contents that tools have written, if they are stored. The manifest counts as one file.
 */
final class SnapshotVerifier {

  private final Tally tally;
  private final Session session;

  private final PublishedLines published;

  /** The contents that were found to match; they are read once. */
  private final Set<BlobRef> verified = new HashSet<>();

  SnapshotVerifier(Tally tally, Session session, PublishedLines published) {
    this.tally = tally;
    this.session = session;
    this.published = published;
  }

  /** Verifies the snapshot that settings name, if they do. */
  void settings(Settings settings, ReplayLine line) {
    Settings.Setting setting = settings.get(Settings.WORKSPACE);
    if (setting == null
        || !(setting.value() instanceof JsonObject workspace)
        || !(workspace.get(WorkspaceSnapshot.HASH) instanceof JsonString hashText)
        || !(workspace.get(WorkspaceSnapshot.LOCATION) instanceof JsonString location)) {
      return;
    }
    ContentHash hash = ContentHash.tryParse(hashText.value());
    String place = Excerpt.of(PlainText.escaped(location.value()));
    if (hash == null) {
      unverifiable(line, null, "the hash of the snapshot \"%s\" is not known".formatted(place));
      return;
    }
    try {
      Path manifest = session.find(location.value());
      if (manifest == null) {
        unverifiable(line, hash, "the snapshot \"%s\" is missing".formatted(place));
      } else {
        manifest(manifest, place, hash, line);
      }
    } catch (IllegalArgumentException e) {
      unverifiable(
          line,
          hash,
          "the snapshot \"%s\" is not in the directory of the session".formatted(place));
    } catch (IOException e) {
      mismatch(
          line, "the snapshot \"%s\" cannot be read: %s".formatted(place, reason(e)), hash, null);
    }
  }

  private void manifest(Path file, String place, ContentHash stated, ReplayLine line)
      throws IOException {
    ContentHash found = RegularFiles.measure(
            file, SnapshotManifest.MAX_BYTES + 1L, OutputStream.nullOutputStream())
        .blob();
    if (!found.equals(stated)) {
      mismatch(line, "the snapshot \"%s\" has the hash %s".formatted(place, found), stated, found);
      return;
    }
    SnapshotManifest manifest = SnapshotManifest.read(file);
    count(Counter.SNAPSHOT_FILES_VERIFIED);
    SnapshotFiles files = SnapshotFiles.in(Objects.requireNonNull(file.getParent()));
    for (SnapshotEntry entry : manifest.entries()) {
      if (entry instanceof SnapshotEntry.File content) {
        content(files, BlobRef.of(content.hash(), content.bytes()), content.path(), line, true);
      }
    }
  }

  /** Verifies the content of a file after a change, if it is stored. */
  void fileState(FileState state, ReplayLine line) {
    Path directory = session.directory();
    if (directory == null || state.after() == null || state.bytes() == null) {
      return;
    }
    Path snapshot = directory.resolve(Session.SNAPSHOT_NAME);
    try {
      if (RegularFiles.directory(snapshot) == null) {
        return;
      }
    } catch (IOException e) {
      mismatch(line, "the snapshot cannot be read: " + reason(e), state.after(), null);
      return;
    }
    BlobRef after = BlobRef.of(state.after(), state.bytes());
    content(SnapshotFiles.in(snapshot), after, state.path(), line, false);
  }

  /** Verifies a content, which may be missing if it is not required. */
  private void content(
      SnapshotFiles files, BlobRef stated, String path, ReplayLine line, boolean isRequired) {
    if (verified.contains(stated)) {
      count(Counter.SNAPSHOT_FILES_VERIFIED);
      return;
    }
    String name = Excerpt.of(PlainText.escaped(path));
    try {
      Path file = files.find(stated.blob());
      if (file == null) {
        if (isRequired) {
          unverifiable(
              line,
              stated.blob(),
              "the content %s of \"%s\" is missing in the snapshot".formatted(stated.blob(), name));
        }
        return;
      }
      long size = Files.size(file);
      if (size != stated.bytes()) {
        mismatch(
            line,
            "the content %s of \"%s\" in the snapshot has %d bytes, but %d are stated"
                .formatted(stated.blob(), name, size, stated.bytes()),
            stated.blob(),
            null);
        return;
      }
      ContentHash found = RegularFiles.measure(
              file, stated.bytes() + 1, OutputStream.nullOutputStream())
          .blob();
      if (!found.equals(stated.blob())) {
        mismatch(
            line,
            "the content %s of \"%s\" in the snapshot has the hash %s"
                .formatted(stated.blob(), name, found),
            stated.blob(),
            found);
        return;
      }
      verified.add(stated);
      count(Counter.SNAPSHOT_FILES_VERIFIED);
    } catch (IOException e) {
      mismatch(
          line,
          "the content %s of \"%s\" in the snapshot cannot be read: %s"
              .formatted(stated.blob(), name, reason(e)),
          stated.blob(),
          null);
    }
  }

  private void unverifiable(ReplayLine line, @Nullable ContentHash stated, String message) {
    count(Counter.SNAPSHOT_FILES_UNVERIFIABLE);
    if (published.isPublished()) {
      return; // its files are not published
    }
    FindingCode code = FindingCode.HASH_UNVERIFIABLE;
    tally.report(code, () -> new Finding(code, line.position(), message)
        .withValues(ContentVerifier.text(stated), null));
  }

  private void mismatch(
      ReplayLine line, String message, ContentHash stated, @Nullable ContentHash found) {
    count(Counter.SNAPSHOT_FILES_MISMATCHED);
    tally.report(new Finding(FindingCode.BLOB_MISMATCH, line.position(), message)
        .withValues(stated.toString(), ContentVerifier.text(found)));
  }

  private void count(Counter counter) {
    tally.count(Counter.SNAPSHOT_FILES);
    tally.count(counter);
  }

  private static String reason(IOException e) {
    return e instanceof FileSystemException system && system.getReason() == null
        ? system.getClass().getSimpleName()
        : String.valueOf(e.getMessage());
  }
}

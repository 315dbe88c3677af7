package dev.agentreplay.convert.pack;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import dev.agentreplay.io.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the content of a packed session. Packing and unpacking apply the same rules, so
 * that every archive that is packed can be unpacked.
 */
final class PackRules {

  private static final String MANIFEST = PortablePath.folded(PackManifest.NAME);

  private final UnpackLimits limits;
  private final PackSelection selection;
  private final PathSet paths = new PathSet();
  private long total;
  private boolean hasLog;
  private boolean hasCompressedLog;

  private PackRules(UnpackLimits limits, PackSelection selection) {
    this.limits = limits;
    this.selection = selection;
  }

  /** Returns the rules for a number of files, each of which must then be added. */
  static PackRules of(int files, PackOptions options) throws BrokenException {
    UnpackLimits limits = options.limits();
    if (files > limits.maxFiles()) {
      throw new BrokenException(
          Reason.LIMIT,
          null,
          "%d files, at most %d are read (--max-files)".formatted(files, limits.maxFiles()));
    }
    return new PackRules(limits, PackSelection.of(options.include()));
  }

  /** Checks the length of a manifest. */
  static void checkManifest(long bytes, UnpackLimits limits) throws BrokenException {
    if (bytes > limits.maxManifestBytes()) {
      throw new BrokenException(
          Reason.LIMIT,
          PackManifest.NAME,
          "a manifest of %d bytes, at most %d are read"
              .formatted(bytes, limits.maxManifestBytes()));
    }
  }

  /** Adds a file, and checks it. */
  void add(String path, long bytes) throws BrokenException {
    checkPath(path);
    if (bytes > limits.maxFileBytes() || bytes > limits.maxTotalBytes() - total) {
      throw new BrokenException(
          Reason.SIZE,
          path,
          "%d bytes, after %d of the files before; at most %d of one file and %d of all are read"
              .formatted(bytes, total, limits.maxFileBytes(), limits.maxTotalBytes()));
    }
    total += bytes;
    hasLog |= path.equals(Session.LOG_NAME);
    hasCompressedLog |= path.equals(Session.COMPRESSED_LOG_NAME);
  }

  /** Checks the rules that need all files. */
  void finish() throws BrokenException {
    if (!hasLog && !hasCompressedLog) {
      throw new BrokenException(Reason.MANIFEST, null, "the archive holds no " + Session.LOG_NAME);
    }
    if (hasLog && hasCompressedLog) {
      throw new BrokenException(
          Reason.MANIFEST,
          null,
          "the archive holds both " + Session.LOG_NAME + " and " + Session.COMPRESSED_LOG_NAME);
    }
  }

  private void checkPath(String path) throws BrokenException {
    String fault = PortablePath.fault(path);
    if (fault != null) {
      throw new BrokenException(Reason.PATH, path, fault);
    }
    int length = PortablePath.bytes(path);
    int depth = PortablePath.depth(path);
    if (length > limits.maxPathBytes() || depth > limits.maxDepth()) {
      throw new BrokenException(
          Reason.LIMIT,
          path,
          "a path of %d bytes and %d segments, at most %d and %d are read"
              .formatted(length, depth, limits.maxPathBytes(), limits.maxDepth()));
    }
    int end = path.indexOf('/');
    if (PortablePath.folded(end < 0 ? path : path.substring(0, end)).equals(MANIFEST)) {
      throw new BrokenException(
          Reason.DUPLICATE,
          path,
          "the name " + PackManifest.NAME + " is reserved for the manifest");
    }
    if (!selection.takes(path)) {
      throw new BrokenException(Reason.NOT_OF_SESSION, path, "not a file of a session");
    }
    String other = paths.add(path);
    if (other != null) {
      throw new BrokenException(Reason.DUPLICATE, path, other);
    }
    if (paths.directories() > limits.maxDirectories()) {
      throw new BrokenException(
          Reason.LIMIT,
          path,
          "%d directories, at most %d are made (--max-directories)"
              .formatted(paths.directories(), limits.maxDirectories()));
    }
  }

  /** Thrown when a rule is broken. */
  static final class BrokenException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final @Nullable String path;
    private final String detail;

    BrokenException(Reason reason, @Nullable String path, String detail) {
      super(detail);
      this.reason = reason;
      this.path = path;
      this.detail = detail;
    }

    Reason reason() {
      return reason;
    }

    /** The path of the file that breaks the rule, or null when it is not about one. */
    @Nullable
    String path() {
      return path;
    }

    String detail() {
      return detail;
    }
  }
}

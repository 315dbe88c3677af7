/**
 * Crash-safe files: an append-only file with fsync, atomic replacement, the lock of a log's writer,
 * temporary directories, and directories whose content is not trusted.
 *
 * <pre>{@code
 * try (WholeFile page = WholeFile.creating(Path.of("report.html"))) {
 *   page.out().write(text.getBytes(StandardCharsets.UTF_8));
 *   page.commit();
 * }
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.io.file.WholeFile} is written atomically: to a temporary file, which
 * is forced to disk (fsync) and then renamed. A crash leaves the complete file, or what was there
 * before. Only its owner can read the file, unless it replaces a file that others can read;
 * {@link dev.agentreplay.io.file.OwnerOnly} creates other files and directories that only their
 * owner can read. {@link dev.agentreplay.io.file.RegularFiles} reads files from a directory that
 * may contain symbolic links and pipes, and refuses these. A {@link dev.agentreplay.io.file.Disk}
 * is the file system through which a log is written; {@link dev.agentreplay.io.file.LocalDisk} is
 * that of this machine, and a test can simulate a different one.
 *
 * <p>A {@link dev.agentreplay.io.file.TemporaryDirectory} is deleted when it is closed, or by the
 * next JVM if its own was killed; {@link dev.agentreplay.io.file.FileTree} deletes directories
 * without following links.
 *
 * <p>Classes with static methods, {@code LocalDisk} and {@code TemporaryDirectory} are safe for use
 * by several threads; streams and files are not. The files of a session are described in
 * docs/format.md.
 */
@NullMarked
package dev.agentreplay.io.file;

import org.jspecify.annotations.NullMarked;

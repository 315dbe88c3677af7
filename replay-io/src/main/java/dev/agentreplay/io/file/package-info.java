/**
 * Files that survive a crash, and directories that come from somebody else.
 *
 * <pre>{@code
 * try (WholeFile page = WholeFile.creating(Path.of("report.html"))) {
 *   page.out().write(text.getBytes(StandardCharsets.UTF_8));
 *   page.commit();
 * }
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.io.file.WholeFile} is there whole or not at all, and its owner alone
 * can read it; {@link dev.agentreplay.io.file.OwnerOnly} creates other files and directories so.
 * {@link dev.agentreplay.io.file.RegularFiles} reads a directory that may hold links and pipes,
 * which it refuses. A {@link dev.agentreplay.io.file.Disk} is what a log is written through: a test
 * can take the place of {@link dev.agentreplay.io.file.LocalDisk}.
 */
@NullMarked
package dev.agentreplay.io.file;

import org.jspecify.annotations.NullMarked;

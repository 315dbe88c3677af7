/**
 * Packs the directory of a session into one file, and unpacks it: a tar archive compressed with
 * gzip, with the hash of every file. {@link dev.agentreplay.convert.pack.PackedSession} packs and
 * unpacks; unpacking does not trust the file, and is bounded by
 * {@link dev.agentreplay.convert.pack.UnpackLimits}.
 *
 * <pre>{@code
 * PackedSession.pack(directory, Path.of("fix-auth.tar.gz"));
 *
 * PackOptions options =
 *     PackOptions.defaults().withLimits(UnpackLimits.defaults().withMaxTotalBytes(1L << 30));
 * PackedSession.unpack(Path.of("fix-auth.tar.gz"), Path.of("fix-auth"), options);
 * }</pre>
 */
@NullMarked
package dev.agentreplay.convert.pack;

import org.jspecify.annotations.NullMarked;

/**
 * Packs the directory of a session into one file, and unpacks it: a tar archive compressed with
 * gzip, with the hash of every file. {@link dev.agentreplay.convert.pack.PackedSession} packs and
 * unpacks; unpacking does not trust the file, and is bounded by
 * {@link dev.agentreplay.convert.pack.UnpackLimits}.
 */
@NullMarked
package dev.agentreplay.convert.pack;

import org.jspecify.annotations.NullMarked;

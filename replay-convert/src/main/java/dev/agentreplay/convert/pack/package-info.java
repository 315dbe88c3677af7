/**
 * A session's directory in one file, and back: a tar archive, compressed with gzip, with the hash
 * of every file. {@link dev.agentreplay.convert.pack.PackedSession} packs and unpacks; unpacking
 * trusts nothing in the file, within {@link dev.agentreplay.convert.pack.UnpackLimits}.
 */
@NullMarked
package dev.agentreplay.convert.pack;

import org.jspecify.annotations.NullMarked;

/**
 * A session's directory in one file, and back: a tar archive, compressed with gzip, with the hash
 * of every file. {@link dev.agentreplay.io.pack.PackedSession} packs and unpacks; unpacking trusts
 * nothing in the file, within {@link dev.agentreplay.io.pack.UnpackLimits}.
 */
@NullMarked
package dev.agentreplay.io.pack;

import org.jspecify.annotations.NullMarked;

/**
 * Parts of a session that a verification reads: answered calls, blobs, the digests of lines, and
 * the trajectory that the events of a runtime tell. They are compared by
 * {@link dev.agentreplay.verify}.
 */
@NullMarked
package dev.agentreplay.verify.input;

import org.jspecify.annotations.NullMarked;

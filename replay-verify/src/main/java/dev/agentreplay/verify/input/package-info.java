/**
 * Inputs of a verification: answered calls, blobs, digests of lines, and the trajectory of the
 * events of a runtime. {@link dev.agentreplay.verify} compares them.
 */
@NullMarked
package dev.agentreplay.verify.input;

import org.jspecify.annotations.NullMarked;

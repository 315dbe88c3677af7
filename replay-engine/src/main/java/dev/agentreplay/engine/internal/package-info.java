/** Shared with the command line; not part of the API. */
@NullMarked
package dev.agentreplay.engine.internal;

import org.jspecify.annotations.NullMarked;

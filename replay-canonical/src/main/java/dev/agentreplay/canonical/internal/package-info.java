/** Shared by the modules of this project; not part of the API. */
@NullMarked
package dev.agentreplay.canonical.internal;

import org.jspecify.annotations.NullMarked;

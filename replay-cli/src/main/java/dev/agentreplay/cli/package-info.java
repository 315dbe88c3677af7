/** The command {@code replay}: a thin face over the library. */
@NullMarked
package dev.agentreplay.cli;

import org.jspecify.annotations.NullMarked;

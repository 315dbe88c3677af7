/** Files and directories: what the packages of this module share, and nobody else may use. */
@NullMarked
package dev.agentreplay.io.internal;

import org.jspecify.annotations.NullMarked;

/** Options that commands share, and the sessions, files and keys that a command line names. */
@NullMarked
package dev.agentreplay.cli.input;

import org.jspecify.annotations.NullMarked;

/** The sessions of a directory: the options that select them, and their lists, hits and totals. */
@NullMarked
package dev.agentreplay.cli.folder;

import org.jspecify.annotations.NullMarked;

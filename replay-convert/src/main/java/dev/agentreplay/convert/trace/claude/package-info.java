/**
 * Reads the session transcripts of Claude Code: one JSON line a record, the files of sub-agents
 * next to them.
 */
@NullMarked
package dev.agentreplay.convert.trace.claude;

import org.jspecify.annotations.NullMarked;

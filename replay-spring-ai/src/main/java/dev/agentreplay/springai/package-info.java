/** Records and replays Spring AI agents (chat clients). */
@NullMarked
package dev.agentreplay.springai;

import org.jspecify.annotations.NullMarked;

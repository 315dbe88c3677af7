/** The comparison of texts that are not members of events. */
@NullMarked
package dev.agentreplay.engine.diff.text;

import org.jspecify.annotations.NullMarked;

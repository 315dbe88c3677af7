/** Text that may hold anything, cut and shown without doing harm. */
@NullMarked
package dev.agentreplay.model.text;

import org.jspecify.annotations.NullMarked;

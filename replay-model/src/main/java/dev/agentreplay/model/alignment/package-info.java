/** The alignment of two sequences on their equal elements, after Myers (1986). */
@NullMarked
package dev.agentreplay.model.alignment;

import org.jspecify.annotations.NullMarked;

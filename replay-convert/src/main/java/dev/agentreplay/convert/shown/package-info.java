/** Files of sessions that exist only while they are read, shown under the name of their source. */
@NullMarked
package dev.agentreplay.convert.shown;

import org.jspecify.annotations.NullMarked;

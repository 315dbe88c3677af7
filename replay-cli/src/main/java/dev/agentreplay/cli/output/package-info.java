/** The files and reports that commands write on request. */
@NullMarked
package dev.agentreplay.cli.output;

import org.jspecify.annotations.NullMarked;

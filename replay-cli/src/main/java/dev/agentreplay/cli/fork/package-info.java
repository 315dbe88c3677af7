/** The options and tables of forks. */
@NullMarked
package dev.agentreplay.cli.fork;

import org.jspecify.annotations.NullMarked;

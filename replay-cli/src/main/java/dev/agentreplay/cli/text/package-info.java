/** The texts of the command, and the terminal that shows them. */
@NullMarked
package dev.agentreplay.cli.text;

import org.jspecify.annotations.NullMarked;

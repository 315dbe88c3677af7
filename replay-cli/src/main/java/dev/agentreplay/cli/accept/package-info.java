/** Accepted divergences on the command line: options, and what is selected and printed. */
@org.jspecify.annotations.NullMarked
package dev.agentreplay.cli.accept;

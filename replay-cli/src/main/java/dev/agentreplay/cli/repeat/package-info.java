/** Repeated replays on the command line. */
@org.jspecify.annotations.NullMarked
package dev.agentreplay.cli.repeat;

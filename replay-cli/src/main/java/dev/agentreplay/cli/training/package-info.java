/** The training run for archives of classes, with which the command starts faster. */
@NullMarked
package dev.agentreplay.cli.training;

import org.jspecify.annotations.NullMarked;

/** The data of sessions that HTML pages embed: events, values within limits, images and facts. */
@NullMarked
package dev.agentreplay.engine.report.embedded;

import org.jspecify.annotations.NullMarked;

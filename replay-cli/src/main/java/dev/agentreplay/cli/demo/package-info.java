/** The scripted agent of {@code replay demo}, and its tools. */
@NullMarked
package dev.agentreplay.cli.demo;

import org.jspecify.annotations.NullMarked;

/**
 * The files of tools that run inside the JVM: a {@link dev.agentreplay.sandbox.workspace.Workspace}
 * opens only what is in its directory.
 */
@NullMarked
package dev.agentreplay.sandbox.workspace;

import org.jspecify.annotations.NullMarked;

/** The processes of this machine, and the names of what they leave; for this module only. */
@NullMarked
package dev.agentreplay.sandbox.internal;

import org.jspecify.annotations.NullMarked;

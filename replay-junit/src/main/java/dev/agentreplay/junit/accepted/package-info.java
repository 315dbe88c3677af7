/** Accepted divergences of the recordings of tests. Internal to the module. */
@NullMarked
package dev.agentreplay.junit.accepted;

import org.jspecify.annotations.NullMarked;

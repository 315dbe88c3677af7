/** Test data and generators shared by the tests of several modules; never published. */
@NullMarked
package dev.agentreplay.testkit;

import org.jspecify.annotations.NullMarked;

/** Data and generators that the tests of several modules share; never published. */
@NullMarked
package dev.agentreplay.testkit;

import org.jspecify.annotations.NullMarked;

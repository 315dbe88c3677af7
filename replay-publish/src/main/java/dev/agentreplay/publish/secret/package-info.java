/** Secrets in the values of a session: rules, and a scanner that applies them. */
@NullMarked
package dev.agentreplay.publish.secret;

import org.jspecify.annotations.NullMarked;

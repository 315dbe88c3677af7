/** Policies of publication as data: the members of each event that a published log shows. */
@NullMarked
package dev.agentreplay.publish.policy;

import org.jspecify.annotations.NullMarked;

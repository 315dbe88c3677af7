/**
 * Published copies of sessions, which show a part of the values of their originals: the policy of a
 * copy, and the values that a line withholds or shows a replacement of.
 *
 * <pre>{@code
 * PublishedCopy copy = PublishedCopy.find(session);
 * if (copy != null) {
 *   System.out.println("published under the policy " + copy.policy());
 * }
 * }</pre>
 */
@NullMarked
package dev.agentreplay.engine.published;

import org.jspecify.annotations.NullMarked;

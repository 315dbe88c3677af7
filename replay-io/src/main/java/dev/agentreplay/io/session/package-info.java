/**
 * Finds sessions, and what belongs to the log of one: its receipt, and the values that are too
 * large for it.
 *
 * <pre>{@code
 * for (SessionLocation place : Sessions.find(Path.of("sessions"))) {
 *   Session session = place.open();
 *   try (ReplayReader reader = session.reader()) {
 *     System.out.println(session.log() + ": " + reader.read());
 *   }
 * }
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.io.session.Session} knows where its files are;
 * {@link dev.agentreplay.io.session.Sessions} finds those below a directory, and
 * {@link dev.agentreplay.io.session.SessionDirectory} lists what belongs to one. A value in a blob
 * is read with {@link dev.agentreplay.io.session.Session#resolve(dev.agentreplay.model.Content)}.
 * Sessions are recorded by {@code dev.agentreplay.io.recording}.
 */
@NullMarked
package dev.agentreplay.io.session;

import org.jspecify.annotations.NullMarked;

package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * What was filled in when an event was encoded.
 *
 * @param time the time that was written; null where none was
 * @param contentHash the hash of the event's parameters, output or other value, whether it was
 *     written or not; null for events that have none
 * @param length the length of the line in bytes, with its line feed
 */
public record EncodedLine(
    @Nullable Timestamp time, @Nullable ContentHash contentHash, int length) {}

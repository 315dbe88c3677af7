/**
 * Reading and writing of session records with an {@code ObjectMapper} of Jackson. It requires the
 * artifact {@code replay-jackson}.
 *
 * <pre>{@code
 * ObjectMapper mapper = new ObjectMapper().registerModule(new SessionRecordModule());
 * String json = mapper.writeValueAsString(SessionRecord.createEmpty("RS20260101"));
 * SessionRecord again = mapper.readValue(json, SessionRecord.class);
 * }</pre>
 *
 * <p>The module is immutable and safe for use by several threads. The JSON is described in
 * docs/session-records.md.
 */
@NullMarked
package dev.agentreplay.records.jackson;

import org.jspecify.annotations.NullMarked;

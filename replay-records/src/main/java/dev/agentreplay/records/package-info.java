/**
 * Session records, as defined by specification 004: the inputs of a session of several agents, the
 * hashes of their messages in each round, the interventions of operators, and the outputs.
 *
 * <pre>{@code
 * AgentRosterEntry agent = AgentRosterEntry.of(
 *     "BlueLake", AgentRosterEntry.Role.HYPOTHESIS_GENERATOR, "claude-code", "opus-4.5");
 * SessionRecord empty = SessionRecord.createEmpty("RS20260101");
 * SessionRecord record = empty.withInputs(empty.inputs().withAgentRoster(List.of(agent)));
 * JsonObject json = record.toJson();
 * SessionRecord same = RecordForm.of(SessionRecord.class).read(json);
 * }</pre>
 *
 * <p>Constructors check for null and copy, nothing else. The constraints of the specification apply
 * to the JSON form: {@link dev.agentreplay.records.RecordForm#check} lists those that a value
 * breaks, each as a {@link dev.agentreplay.records.InvalidRecordException.Problem} with the path of
 * the member; {@link dev.agentreplay.records.RecordObject#problems} does the same for a record in
 * memory. Methods that read throw {@link dev.agentreplay.records.InvalidRecordException} with that
 * list. Only constraints of the specification are checked: for example, a round may end before it
 * starts. {@link dev.agentreplay.records.RecordForm#warnings} lists values that are read but cannot
 * be used: hashes that cannot be compared.
 *
 * <p>{@link dev.agentreplay.records.SessionRecords} reads and writes records as text:
 *
 * <pre>{@code
 * String text = SessionRecords.write(SessionRecord.createEmpty("RS20260101"));
 * SessionRecord read = SessionRecords.read(text.getBytes(StandardCharsets.UTF_8));
 * }</pre>
 *
 * <p>Members that this version does not know are kept and written back unchanged; see
 * {@link dev.agentreplay.records.RecordObject#extra}. All types are immutable and safe to share
 * between threads. The format is described in docs/session-records.md.
 */
@NullMarked
package dev.agentreplay.records;

import org.jspecify.annotations.NullMarked;

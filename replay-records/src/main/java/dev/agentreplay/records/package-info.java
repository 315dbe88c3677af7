/**
 * Session records, which specification 004 defines: who took part in a session of several agents,
 * what they said in each round, by its hash, what operators changed, and what came of it.
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
 * <p>Constructors check for null and copy, nothing else. The constraints of the specification are
 * those of the JSON form: {@link dev.agentreplay.records.RecordForm#check} lists all that a value
 * breaks, each a {@link dev.agentreplay.records.InvalidRecordException.Problem} with the path of
 * where it is; {@link dev.agentreplay.records.RecordObject#problems} does so for a record in
 * memory. A value that breaks one is not read:
 * {@link dev.agentreplay.records.InvalidRecordException} carries the list. Only what the
 * specification says is a constraint; that a round ends before it begins, for one, is not.
 * {@link dev.agentreplay.records.RecordForm#warnings} lists what is read and should be otherwise:
 * hashes that cannot be compared.
 *
 * <p>{@link dev.agentreplay.records.SessionRecords} reads and writes records as text:
 *
 * <pre>{@code
 * String text = SessionRecords.write(SessionRecord.createEmpty("RS20260101"));
 * SessionRecord read = SessionRecords.read(text.getBytes(StandardCharsets.UTF_8));
 * }</pre>
 *
 * <p>Members that this version does not know are kept and written back; see
 * {@link dev.agentreplay.records.RecordObject#extra}. All types are immutable and safe to share
 * between threads. The format is described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.records;

import org.jspecify.annotations.NullMarked;

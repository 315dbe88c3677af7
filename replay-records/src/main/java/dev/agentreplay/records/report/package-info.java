/**
 * Renders the replay of a session record as text, JSON, Markdown, JUnit XML and HTML.
 *
 * <pre>{@code
 * SessionReplayResult result = SessionReplay.of(record).texts(texts).agents(runner).run();
 * System.out.print(SessionReplayText.render(result));
 * }</pre>
 *
 * <p>Each report renders one {@link dev.agentreplay.records.replay.SessionReplayResult}, or a
 * {@link dev.agentreplay.records.replay.SessionMatrix} of several, and adds no decision of its own:
 * {@link dev.agentreplay.records.report.SessionReplayText} for a terminal,
 * {@link dev.agentreplay.records.report.SessionReplayMarkdown} for a comment on a pull request,
 * {@link dev.agentreplay.records.report.SessionReplayPage} for a browser,
 * {@link dev.agentreplay.records.report.SessionReplayJUnit} for build servers, and
 * {@link dev.agentreplay.records.report.SessionReplayJson} for programs. docs/session-records.md
 * describes them.
 *
 * <p>Rounds and messages have the numbers of the record, from 0. Recorded text is untrusted input:
 * characters that a terminal, a browser or a parser would interpret are escaped or shown as visible
 * symbols; JSON reports contain them unchanged. All methods are safe for use by several threads if
 * the {@linkplain dev.agentreplay.records.store.RecordTexts texts} of the result are.
 */
@NullMarked
package dev.agentreplay.records.report;

import org.jspecify.annotations.NullMarked;

/**
 * Renders reports of comparisons and replays as text, JSON, Markdown, JUnit XML and HTML, and
 * sessions as a self-contained HTML page.
 *
 * <pre>{@code
 * SessionDiff diff = SessionDiff.between(Session.open(before), Session.open(after));
 * System.out.print(TextReport.render(diff, TextOptions.defaults().withWidth(120)));
 * }</pre>
 *
 * <p>Each report renders one {@link dev.agentreplay.engine.diff.SessionDiff} or
 * {@link dev.agentreplay.engine.replay.ReplayReport}, and adds no decision of its own:
 * {@link dev.agentreplay.engine.report.TextReport} for a terminal,
 * {@link dev.agentreplay.engine.report.MarkdownReport} for a comment on a pull request,
 * {@link dev.agentreplay.engine.report.HtmlViewer} for a browser,
 * {@link dev.agentreplay.engine.report.JUnitReport} for build servers, and
 * {@link dev.agentreplay.engine.report.DiffJson} and {@link dev.agentreplay.engine.report.RunJson}
 * for programs (schemas {@code replay.diff/1} and {@code replay.run/1}, see docs/reports.md).
 * {@code TextReport} and {@link dev.agentreplay.engine.report.FlakinessJson} also render the
 * comparison of several runs, {@link dev.agentreplay.engine.report.StatsJson} the statistics of a
 * session. {@code HtmlViewer} also renders a {@link dev.agentreplay.engine.report.Conversation} of
 * several agents. All are static methods {@code render}; those with options also have a form
 * without.
 *
 * <p>Recorded text is untrusted input: characters that a terminal, a browser or a parser would
 * interpret are escaped or shown as visible symbols. Long values are cut around the change, and the
 * report states their full size. A value that is equal under the rules of the comparison is shown
 * as it was recorded and is not marked as changed. JSON reports contain the values unchanged.
 */
@NullMarked
package dev.agentreplay.engine.report;

import org.jspecify.annotations.NullMarked;

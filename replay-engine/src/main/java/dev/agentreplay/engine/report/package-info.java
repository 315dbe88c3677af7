/**
 * Renders comparisons, for people, for programs, for a pull request, for a build server; and
 * sessions, for a browser.
 *
 * <pre>{@code
 * SessionDiff diff = SessionDiff.between(Session.open(before), Session.open(after));
 * System.out.print(TextReport.render(diff, TextOptions.defaults().withWidth(120)));
 * }</pre>
 *
 * <p>Each report is made of one value, {@link dev.agentreplay.engine.diff.SessionDiff}, and decides
 * nothing: {@link dev.agentreplay.engine.report.TextReport} for a terminal,
 * {@link dev.agentreplay.engine.report.MarkdownReport} for a comment on a pull request,
 * {@link dev.agentreplay.engine.report.HtmlViewer} for a browser,
 * {@link dev.agentreplay.engine.report.JUnitReport} for build servers,
 * {@link dev.agentreplay.engine.report.DiffJson} for programs: schema {@code replay.diff/1}, which
 * docs/reports.md describes. All have one shape, {@code render(result, options)}, and so has
 * {@link dev.agentreplay.engine.report.StatsJson}; what there is to choose has a default.
 *
 * <p>What was recorded is never trusted: characters that a terminal, a browser or a parser would
 * obey are shown as pictures or escaped, and long values are cut around what changed, with their
 * sizes said. What the rules of a comparison made equal is shown as it was recorded, and not as
 * changed. JSON is for programs, and holds values as they are.
 */
@NullMarked
package dev.agentreplay.engine.report;

import org.jspecify.annotations.NullMarked;

/**
 * Renders verifications: {@link dev.agentreplay.verify.report.VerificationText} one session and
 * {@link dev.agentreplay.verify.report.VerificationTable} many sessions for people, and
 * {@link dev.agentreplay.verify.report.ReportJson} both for programs, in the schemas that
 * docs/reports.md describes. {@link dev.agentreplay.verify.report.ProofReport} renders the check of
 * a proof as text and as JSON.
 *
 * <pre>{@code
 * VerificationReport report =
 *     SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
 * System.out.print(VerificationText.render(report, "fix-auth", VerificationText.PLAIN));
 * JsonObject json = ReportJson.render(report);
 * }</pre>
 */
@NullMarked
package dev.agentreplay.verify.report;

import org.jspecify.annotations.NullMarked;

/**
 * Renders verifications: {@link dev.agentreplay.verify.report.VerificationText} of one session and
 * {@link dev.agentreplay.verify.report.VerificationTable} of many for people,
 * {@link dev.agentreplay.verify.report.ReportJson} for programs, in the schema that docs/reports.md
 * describes. {@link dev.agentreplay.verify.report.ProofReport} renders the check of a proof for
 * both.
 */
@NullMarked
package dev.agentreplay.verify.report;

import org.jspecify.annotations.NullMarked;

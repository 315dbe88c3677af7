/**
 * Receipts: what a session claims to have done, to be held against its log.
 *
 * <p>A {@link dev.agentreplay.model.receipt.Receipt} is what the specifications call RECEIPT.json,
 * in one of its forms. It lists the answered calls in the order of their results. Members that this
 * version does not know are kept, because the digest of a receipt covers them.
 */
@NullMarked
package dev.agentreplay.model.receipt;

import org.jspecify.annotations.NullMarked;

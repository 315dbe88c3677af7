/**
 * The texts of session records, which are kept next to them by hash, and the directory in which
 * records, texts and reports are stored.
 */
@NullMarked
package dev.agentreplay.records.store;

import org.jspecify.annotations.NullMarked;

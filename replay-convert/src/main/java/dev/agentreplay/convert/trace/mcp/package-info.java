/**
 * Reads logs of the messages between a client and a server of the Model Context Protocol: one
 * message of JSON-RPC 2.0 a line, as it was sent, or in the envelope of the program that recorded
 * it.
 *
 * <p>There is no standard of such envelopes. What is common to them is looked for: a member with
 * the message, or its text, one with the direction, and one with the time. Words for a direction
 * that are not known are learned from the first request, because a method is called by the client
 * or by the server, never by both.
 */
@NullMarked
package dev.agentreplay.convert.trace.mcp;

import org.jspecify.annotations.NullMarked;

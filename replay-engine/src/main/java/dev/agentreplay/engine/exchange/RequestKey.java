package dev.agentreplay.engine.exchange;

import dev.agentreplay.model.ContentHash;

/**
 * The canonical form of a request, by which it is matched.
 *
 * @param kind the kind of its exchange
 * @param name the tool or model
 * @param hash the hash of its parameters, or of prompt and parameters
 */
record RequestKey(ExchangeKind kind, String name, ContentHash hash) {}

/** The order of requests that arrive in an order, and are answered at the same time. */
@NullMarked
package dev.agentreplay.engine.order;

import org.jspecify.annotations.NullMarked;

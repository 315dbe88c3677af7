package dev.agentreplay.convert.trace.span;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A span in the tree of a session. */
final class SpanNode {

  final Span span;
  SpanRole role;

  @Nullable
  SpanNode parent;

  final List<SpanNode> children = new ArrayList<>();

  /** The time at which it begins; that of the span before it if it states none. */
  Instant start = Instant.EPOCH;

  /** The numbers of its beginning and its end in a walk of the tree. */
  long startOrder;

  long endOrder;

  /** The lane; null for that of the main agent. */
  @Nullable
  String lane;

  /** The tool call that started the agent of the lane. */
  @Nullable
  SpanNode startedBy;

  /** Whether it is an agent whose span states its answer in place of the requests to the model. */
  boolean isAnswered;

  /** The other spans of the same request to a model, inner ones first. */
  final List<SpanNode> sameRequest = new ArrayList<>();

  SpanNode(Span span, SpanRole role) {
    this.span = span;
    this.role = role;
  }

  /** Whether a call of a model is made from it. */
  boolean isRequest() {
    return role == SpanRole.MODEL || isAnswered;
  }

  /** The time at which it ends; that of its start if it states none, or an earlier one. */
  Instant end() {
    Instant end = span.times().end();
    return end == null || end.isBefore(start) ? start : end;
  }
}

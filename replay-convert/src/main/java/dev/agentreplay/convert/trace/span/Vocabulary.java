package dev.agentreplay.convert.trace.span;

import org.jspecify.annotations.Nullable;

/** States what the attributes of a span mean. Without state, safe for use by several threads. */
public interface Vocabulary {

  /** The role of a span, by what it states itself. */
  SpanRole role(Span span);

  /** The type of the record of a span, in the words of the vocabulary. */
  String type(Span span);

  /** Whether the vocabulary knows the kind that the span states, if it states one. */
  boolean isKnown(Span span);

  /** The name of the agent or tool of a span; null if it states none. */
  @Nullable
  String name(Span span);

  /** The id of the session that a span belongs to; null if it states none. */
  @Nullable
  String session(Span span);

  /** Whether a span states messages to or from a model. */
  boolean hasContent(Span span);

  /** Whether a span states the answer or the tokens of a model. */
  boolean hasAnswer(Span span);

  /** Takes what a span states of a request to a model. */
  ModelFacts model(SpanRecord record);

  /** Derives the tokens from a span of which the rest is kept. */
  ModelFacts.Usage usage(SpanRecord record);

  /** Takes what a span states of the execution of a tool. */
  ToolFacts tool(SpanRecord record);
}

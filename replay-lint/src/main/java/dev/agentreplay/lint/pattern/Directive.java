package dev.agentreplay.lint.pattern;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The directives of a file of patterns, each of which answers one question. */
public enum Directive {
  /** A call that is reported. */
  REPORT(Question.VERDICT),
  /** A call that is not reported, and not followed. */
  ALLOW(Question.VERDICT),
  /** A type whose implementations are tools or models, or a method with arguments that are. */
  BOUNDARY(Question.BOUNDARY),
  /** A type that makes the methods of its implementations entry points, or those that take it. */
  ENTRY(Question.ENTRY),
  /** Classes whose methods are judged by patterns alone, and not followed. */
  TRUST(Question.TRUST),
  /** Classes whose methods are followed. */
  DESCEND(Question.TRUST),
  /** A collection without a specified order. */
  UNORDERED(Question.TYPE),
  /** A collection with an order, or a method that returns one. */
  ORDERED(Question.TYPE),
  /** A method whose result has no specified order. */
  SOURCE(Question.FLOW),
  /** A method whose result has the order of its receiver and arguments. */
  PASSES(Question.FLOW),
  /** A method whose receiver gets the order of its arguments. */
  FILLS(Question.FLOW),
  /** A method that gives its receiver or arguments an order, or a collection that is sorted. */
  SORTS(Question.FLOW),
  /** A method whose result or effect depends on the order of its receiver or arguments. */
  ITERATES(Question.FLOW),
  /** A method that writes its arguments as JSON, in which arrays have an order, and objects not. */
  CONVERTS(Question.FLOW),
  /** A method that iterates, and whose result has the order that its argument, a collector, has. */
  COLLECTS(Question.FLOW),
  /** A method that returns a collector whose result has the order of the stream. */
  KEEPS(Question.FLOW),
  /** A method or function whose result depends on no order, or that returns such a collector. */
  COMMUTES(Question.FLOW);

  /** The questions that patterns answer; of the patterns of one question the most specific wins. */
  public enum Question {
    /** The verdict on a call: reported or allowed. */
    VERDICT,
    /** The types and arguments that are tools or models. */
    BOUNDARY,
    /** The methods that are entry points. */
    ENTRY,
    /** The classes whose methods are followed. */
    TRUST,
    /** The order of a collection. */
    TYPE,
    /** The treatment of the order of receiver and arguments by a method. */
    FLOW
  }

  private final Question question;

  Directive(Question question) {
    this.question = question;
  }

  /** The name in files, in lower case. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The question that the directive answers, given whether its pattern is one of a type. */
  Question question(boolean ofType) {
    if (this == ORDERED || this == SORTS) {
      return ofType ? Question.TYPE : Question.FLOW;
    }
    return question;
  }

  static @Nullable Directive ofId(String id) {
    for (Directive directive : values()) {
      if (directive.id().equals(id)) {
        return directive;
      }
    }
    return null;
  }
}

package dev.agentreplay.lint.code;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lambda or object that a method creates, and where it goes.
 *
 * @param type the functional interface of a lambda, or the class of an object
 * @param body the call of the method that implements a lambda; null for an object
 * @param line the line
 * @param uses the uses of the value
 */
public record Creation(String type, @Nullable CallSite body, int line, Set<Use> uses) {

  Creation(String type, @Nullable CallSite body, int line) {
    this(type, body, line, new LinkedHashSet<>());
  }

  /** The use of a value. */
  public sealed interface Use {

    /** A use in the method itself. */
    enum Direct implements Use {
      /** The value is stored in a field or array, or returned. */
      STORED
    }

    /**
     * A method of the value is called.
     *
     * @param call the call
     */
    record Called(CallSite call) implements Use {}

    /**
     * The value is an argument.
     *
     * @param call the call
     * @param position the position from 0, without the receiver
     */
    record Passed(CallSite call, int position) implements Use {}

    /**
     * The value is captured by a lambda.
     *
     * @param creation the position of the instruction that creates the lambda
     * @param position the position from 0 among the captured values
     */
    record Captured(int creation, int position) implements Use {}
  }
}

package dev.agentreplay.lint.code;

/** The source of a value, as far as one method shows it. */
public sealed interface Origin {

  /**
   * A parameter of the method, or {@link #RECEIVER}.
   *
   * @param position the position from 0, without the receiver
   */
  record Parameter(int position) implements Origin {

    /** The object of an instance method or constructor. */
    public static final Parameter RECEIVER = new Parameter(-1);
  }

  /**
   * A lambda or object that the method creates.
   *
   * @param position the position of the instruction
   */
  record Created(int position) implements Origin {}

  /**
   * A collection or stream without an order.
   *
   * @param source the API that it comes from
   */
  record Unordered(String source) implements Origin {}

  /**
   * A collection or stream with an order.
   *
   * @param sorted whether the order does not depend on that in which elements are added
   */
  record Ordered(boolean sorted) implements Origin {}

  /** A collector, by what it does with the order of the elements that it gets. */
  enum Treatment implements Origin {
    /** The result has the order of the elements. */
    KEEPS,
    /** The result does not depend on the order of the elements. */
    COMMUTES,
    /** The result depends on the order of the elements, whatever order it has itself. */
    DEPENDS
  }

  /**
   * A list or array that a call makes, and that keeps the order of the elements it is made of.
   *
   * @param position the position of the call
   */
  record Copied(int position) implements Origin {}

  /**
   * The result of a call, or of a load of a field, which tells values of equal order apart.
   *
   * @param position the position of the instruction
   */
  record Result(int position) implements Origin {}

  /**
   * The value of a field.
   *
   * @param owner the class in the instruction
   * @param name the name of the field
   */
  record FieldValue(String owner, String name) implements Origin {}

  /**
   * The order of elements that are added to the value of a field. It counts unless that is sorted,
   * which the whole class shows.
   *
   * @param field the field
   * @param order the order
   */
  record Filled(FieldValue field, Origin order) implements Origin {}

  /**
   * The order of a map among the elements of an array.
   *
   * @param order the order
   */
  record OfMap(Origin order) implements Origin {}

  /** Whether values with the origin are the same object. */
  default boolean isIdentity() {
    return this instanceof Created || this instanceof Result || this instanceof Parameter;
  }

  /** Whether the origin says something of the order of elements. */
  default boolean isOfOrder() {
    return this instanceof Unordered
        || this instanceof Ordered
        || this instanceof Treatment
        || this instanceof Copied
        || this instanceof Filled
        || this instanceof OfMap
        || this instanceof FieldValue;
  }
}

package dev.agentreplay.lint;

import dev.agentreplay.lint.Dispatch.Target;
import dev.agentreplay.lint.code.CallSite;
import dev.agentreplay.lint.code.CodeStore;
import dev.agentreplay.lint.code.Creation;
import dev.agentreplay.lint.code.Creation.Use;
import dev.agentreplay.lint.code.Hierarchy.Resolved;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.MethodSummary;
import dev.agentreplay.lint.code.Verdicts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds lambdas and objects whose code may run outside of a tool: those that are not only passed to
 * boundaries, directly or through parameters of scanned methods. Values that lead to each other,
 * such as lambdas that capture earlier ones, are each looked at once.
 */
final class Leaks {

  private final Verdicts verdicts;
  private final Dispatch dispatch;
  private final CodeStore code;
  private final Map<Parameter, Boolean> known = new HashMap<>();
  private final Map<Created, Boolean> knownOfMethod = new HashMap<>();
  private @Nullable MethodSummary judged;

  /** A place that a value reaches. */
  private sealed interface Place {}

  /** A parameter of a scanned method. */
  private record Parameter(MethodRef method, int position) implements Place {}

  /** A value that a method creates, or a lambda that captures it. */
  private record Created(MethodSummary method, int position) implements Place {}

  Leaks(Verdicts verdicts, Dispatch dispatch, CodeStore code) {
    this.verdicts = verdicts;
    this.dispatch = dispatch;
    this.code = code;
  }

  /**
   * Whether what a method creates may run outside of a tool. The results of the last method are
   * kept.
   *
   * @param creating the method
   * @param position the position of the instruction
   */
  boolean leaks(MethodSummary creating, int position) {
    if (judged != creating) {
      judged = creating;
      knownOfMethod.clear();
    }
    Created created = new Created(creating, position);
    Boolean leaks = knownOfMethod.get(created);
    return leaks == null ? new Search().leads(created) : leaks;
  }

  /**
   * The line of a method in which its object is passed to code that may run any of it outside of a
   * tool; empty if there is none. The methods that the method calls have lines of their own.
   *
   * @param first the first line of the method
   */
  OptionalInt ofReceiver(Resolved method, MethodSummary summary, int first) {
    for (Use use : summary.receiver()) {
      if (use instanceof Use.Called called) {
        if (!isFollowed(method.type().name(), called.call())) {
          return OptionalInt.of(called.call().line());
        }
      } else if (!isReceiver(use, summary) && new Search().leads(summary, use)) {
        return OptionalInt.of(line(use, summary, first));
      }
    }
    return OptionalInt.empty();
  }

  /** Whether an object remains the receiver, in a lambda or method reference. */
  private boolean isReceiver(Use use, MethodSummary method) {
    if (!(use instanceof Use.Captured captured) || captured.position() != 0) {
      return false;
    }
    Creation lambda = method.creations().get(captured.creation());
    CallSite body = lambda == null ? null : lambda.body();
    return body != null
        && body.opcode() != Opcodes.INVOKESTATIC
        && !body.method().name().equals(MethodRef.INIT)
        && isFollowed(body.method().owner(), body);
  }

  private static int line(Use use, MethodSummary method, int first) {
    if (use instanceof Use.Passed passed) {
      return passed.call().line();
    }
    Creation lambda =
        use instanceof Use.Captured captured ? method.creations().get(captured.creation()) : null;
    return lambda == null ? first : lambda.line();
  }

  /** The places that one value reaches, until one is found where it may run outside of a tool. */
  private final class Search {

    private final Deque<Place> pending = new ArrayDeque<>();
    private final Map<Parameter, Resolved> methods = new HashMap<>();
    private final Set<Place> seen = new HashSet<>();
    private final Map<Place, @Nullable Place> origins = new HashMap<>();

    boolean leads(Created first) {
      reach(first, null);
      return leads();
    }

    /** Whether a use of a value that is not one of the places leads to code outside of tools. */
    boolean leads(MethodSummary method, Use use) {
      return use(null, method, use) || leads();
    }

    private boolean leads() {
      while (!pending.isEmpty()) {
        Place place = pending.remove();
        boolean leaks =
            place instanceof Created created ? created(created) : parameter((Parameter) place);
        if (leaks) {
          mark(place);
          return true;
        }
      }
      // all that is reachable from these places was looked at
      seen.forEach(place -> know(place, false));
      return false;
    }

    private void mark(Place last) {
      for (@Nullable Place place = last; place != null; place = origins.get(place)) {
        know(place, true);
      }
    }

    private void know(Place place, boolean leaks) {
      if (place instanceof Parameter parameter) {
        known.put(parameter, leaks);
      } else if (place instanceof Created created && created.method() == judged) {
        knownOfMethod.put(created, leaks);
      }
    }

    private boolean created(Created created) {
      Creation creation = created.method().creations().get(created.position());
      if (creation == null) {
        return true;
      }
      boolean isLambda = creation.body() != null;
      if (isLambda && verdicts.isBoundary(creation.type())) {
        return false;
      }
      for (Use use : creation.uses()) {
        boolean leaks = use instanceof Use.Called called
            ? isLambda || !isFollowed(creation.type(), called.call())
            : use(created, created.method(), use);
        if (leaks) {
          return true;
        }
      }
      return false;
    }

    private boolean parameter(Parameter parameter) {
      Resolved target = methods.get(parameter);
      MethodSummary method = target == null ? null : code.method(target);
      if (method == null || !isObject(parameter)) {
        return true;
      }
      for (Use use : method.parameter(parameter.position())) {
        if (use instanceof Use.Called || use(parameter, method, use)) {
          return true;
        }
      }
      return false;
    }

    /** Whether the position is one at which the uses of an object are known. */
    private boolean isObject(Parameter parameter) {
      Type[] types = Type.getArgumentTypes(parameter.method().descriptor());
      int position = parameter.position();
      return position >= 0 && position < types.length && types[position].getSort() == Type.OBJECT;
    }

    private boolean use(@Nullable Place place, MethodSummary method, Use use) {
      if (use instanceof Use.Passed passed) {
        return passed(place, passed.call(), passed.position());
      }
      if (use instanceof Use.Captured captured) {
        Created lambda = new Created(method, captured.creation());
        Boolean leaks = knownOfMethod.get(lambda);
        if (leaks == null) {
          reach(lambda, place);
        }
        return leaks != null && leaks;
      }
      return true;
    }

    private boolean passed(@Nullable Place place, CallSite call, int position) {
      if (verdicts.boundaryArguments(call.method()).contains(position + 1)) {
        return false;
      }
      Set<Target> targets = dispatch.takers(call);
      if (targets == null || targets.isEmpty() || verdicts.of(call) != null) {
        return true;
      }
      for (Target target : targets) {
        Resolved method = target.method();
        Parameter parameter = new Parameter(method.ref(), position + target.shift());
        Boolean leaks = known.get(parameter);
        if (leaks == null) {
          methods.put(parameter, method);
          reach(parameter, place);
        } else if (leaks) {
          return true;
        }
      }
      return false;
    }

    private void reach(Place place, @Nullable Place origin) {
      if (seen.add(place)) {
        origins.put(place, origin);
        pending.add(place);
      }
    }
  }

  /**
   * Whether the code of an object that a call runs is found by the call. A call of a type of the
   * JDK, or of a method that is inherited from a class that is not scanned, may run any of it.
   */
  private boolean isFollowed(String type, CallSite call) {
    String owner = call.opcode() == Opcodes.INVOKESPECIAL ? call.method().owner() : type;
    return verdicts.isOfBoundary(call.method())
        || verdicts.of(call) != null
        || !dispatch.targets(call).isEmpty()
        || dispatch.isOfObject(owner, call.method());
  }
}

package dev.agentreplay.lint;

import dev.agentreplay.lint.code.CallSite;
import dev.agentreplay.lint.code.CodeStore;
import dev.agentreplay.lint.code.Creation;
import dev.agentreplay.lint.code.Creation.Use;
import dev.agentreplay.lint.code.Hierarchy.Resolved;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.MethodSummary;
import dev.agentreplay.lint.code.Verdicts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds lambdas and objects whose code may run outside of a tool: those that are not only passed to
 * boundaries, directly or through parameters of scanned methods.
 */
final class Leaks {

  private final Verdicts verdicts;
  private final Dispatch dispatch;
  private final CodeStore code;
  private final Map<Parameter, Boolean> parameters = new HashMap<>();

  private record Parameter(MethodRef method, int position) {}

  Leaks(Verdicts verdicts, Dispatch dispatch, CodeStore code) {
    this.verdicts = verdicts;
    this.dispatch = dispatch;
    this.code = code;
  }

  /** Whether what a method creates may run outside of a tool. */
  boolean leaks(MethodSummary method, Creation creation) {
    boolean isLambda = creation.body() != null;
    if (isLambda && verdicts.isBoundary(creation.type())) {
      return false;
    }
    for (Use use : creation.uses()) {
      // an object that is called is followed by the call
      boolean isCall = use == Use.Direct.CALLED;
      if (isCall ? isLambda : leaks(method, use)) {
        return true;
      }
    }
    return false;
  }

  private boolean leaks(MethodSummary method, Use use) {
    if (use instanceof Use.Passed passed) {
      return leaks(passed.call(), passed.position());
    }
    if (use instanceof Use.Captured captured) {
      Creation lambda = method.creations().get(captured.creation());
      return lambda == null || leaks(method, lambda);
    }
    return true;
  }

  private boolean leaks(CallSite call, int position) {
    if (verdicts.boundaryArguments(call.method()).contains(position + 1)) {
      return false;
    }
    List<Resolved> targets = dispatch.targets(call);
    if (targets.isEmpty() || verdicts.of(call) != null) {
      return true;
    }
    for (Resolved target : targets) {
      if (parameterLeaks(target, position)) {
        return true;
      }
    }
    return false;
  }

  private boolean parameterLeaks(Resolved target, int position) {
    Parameter parameter = new Parameter(target.ref(), position);
    Boolean known = parameters.get(parameter);
    if (known != null) {
      return known;
    }
    parameters.put(parameter, false); // a recursive call adds no use
    MethodSummary method = code.method(target);
    boolean leaks = method == null;
    if (method != null) {
      for (Use use : method.parameter(position)) {
        leaks |= use == Use.Direct.CALLED || leaks(method, use);
      }
    }
    parameters.put(parameter, leaks);
    return leaks;
  }
}

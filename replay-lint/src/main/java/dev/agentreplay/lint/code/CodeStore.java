package dev.agentreplay.lint.code;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The code of the classes that are in use, read again when needed, so that memory is bounded. */
public final class CodeStore {

  /** The number of methods whose summaries are kept; one takes a few kilobytes. */
  private static final int MOST_METHODS = 40_000;

  private final ClassIndex index;
  private final OrderRules rules;
  private final Map<String, ClassCode> kept = new LinkedHashMap<>(64, 0.75f, true);
  private final Set<MethodRef> unfollowed = new HashSet<>();
  private int methods;

  /** Creates a store of the code of the scanned classes. */
  public CodeStore(ClassIndex index, OrderRules rules) {
    this.index = index;
    this.rules = rules;
  }

  /** The code of a scanned class; an empty one, with a problem in the index, if it is broken. */
  public ClassCode of(ClassInfo type) {
    ClassCode code = kept.get(type.name());
    if (code == null) {
      code = read(type);
      kept.put(type.name(), code);
      methods += type.methods().size();
      var oldest = kept.entrySet().iterator();
      while (methods > MOST_METHODS && kept.size() > 1) {
        ClassInfo removed = index.find(oldest.next().getKey());
        methods -= removed == null ? 0 : removed.methods().size();
        oldest.remove();
      }
    }
    return code;
  }

  private ClassCode read(ClassInfo type) {
    byte[] bytes = index.code(type);
    ClassPlace place = type.place();
    if (bytes == null || place == null) {
      return ClassCode.NONE;
    }
    ClassCode code = BrokenClasses.guard(
        place.describe(type.file()), index.problems(), () -> ClassCode.read(type, bytes, rules));
    return code == null ? ClassCode.NONE : code;
  }

  /** The summary of a method, with a problem if it is too large; null if it has no code. */
  public @Nullable MethodSummary method(Hierarchy.Resolved method) {
    ClassInfo type = method.type();
    MethodSummary summary =
        of(type).method(method.method().name(), method.method().descriptor());
    if (summary != null && !summary.isFollowed() && unfollowed.add(method.ref())) {
      ClassPlace place = type.place();
      index
          .problems()
          .add(new ReadProblem(
              place == null ? type.file() : place.describe(type.file()),
              ReadProblem.Kind.METHOD_TOO_LARGE,
              ("%s%s has too many variables, jumps or handlers: the order of elements in it is not"
                      + " checked")
                  .formatted(method.method().name(), method.ref().parameters())));
    }
    return summary;
  }
}

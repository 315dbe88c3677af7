package dev.agentreplay.lint.watch;

import dev.agentreplay.lint.code.PathList;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.MemberPattern;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A check while an agent runs that it uses its context: in the classes of chosen packages, and
 * nowhere else, each call that {@link LintPatterns} reports is announced to a listener, and then
 * made as before. Calls in tools and models, that is, below the method of a boundary on the stack,
 * are not announced.
 *
 * <pre>{@code
 * try (ContextWatch watch = ContextWatch.start(System.out::println, "com.acme.agents.**")) {
 *   ClassLoader loader = watch.classLoader(ClassLoader.getSystemClassLoader());
 *   Class<?> agent = loader.loadClass("com.acme.agents.MyAgent");
 * }
 * }</pre>
 *
 * <p>The class files are changed when the classes are loaded, by {@link #classLoader}, or by
 * {@link #transformer} in an agent of the JVM. The iteration of collections without an order,
 * inherited methods of Object, and calls by a method reference such as {@code UUID::randomUUID},
 * are found by a scan only. The types that a call inherits from are looked up in class path and
 * module path of the JVM: a call of an inherited method is not announced if a class between its
 * type and that of the pattern is known to a different class loader only. Watched classes must see
 * this package: on the module path their module has to read {@code dev.agentreplay.lint}.
 *
 * <p>Safe for use by several threads. The listener is called on the thread that makes the call;
 * what it throws, the call throws. Calls that the listener makes itself are not announced.
 */
public final class ContextWatch implements AutoCloseable {

  private static final ConcurrentHashMap<Integer, ContextWatch> WATCHES = new ConcurrentHashMap<>();
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final ThreadLocal<Boolean> ANNOUNCING = ThreadLocal.withInitial(() -> false);

  private final int number = NUMBERS.incrementAndGet();
  private final Consumer<WatchedCall> listener;
  private final List<MemberPattern> classes;
  private final ToolFrames tools;
  private final CallSiteRewriter rewriter;
  private final List<WatchedCall> sites = new CopyOnWriteArrayList<>();

  private ContextWatch(
      Consumer<WatchedCall> listener, List<MemberPattern> classes, LintPatterns patterns) {
    this.listener = Objects.requireNonNull(listener, "listener");
    this.classes = classes;
    tools = new ToolFrames(patterns);
    rewriter = new CallSiteRewriter(patterns, PathList.ofJvm());
    WATCHES.put(number, this);
  }

  /**
   * Starts to watch classes with the patterns of the library.
   *
   * @param listener is called before each nondeterministic call
   * @param classes patterns of packages and classes, such as {@code com.acme.agents.**}; a class is
   *     watched with its nested classes
   * @throws IllegalArgumentException if there is no pattern, or one is invalid or that of a method
   */
  public static ContextWatch start(Consumer<WatchedCall> listener, String... classes) {
    return start(listener, LintPatterns.defaults(), classes);
  }

  /** Starts to watch classes, as {@link #start(Consumer, String...)} does, with other patterns. */
  public static ContextWatch start(
      Consumer<WatchedCall> listener, LintPatterns patterns, String... classes) {
    List<MemberPattern> parsed =
        Arrays.stream(classes).map(MemberPattern::parse).toList();
    if (parsed.isEmpty() || !parsed.stream().allMatch(MemberPattern::isOfType)) {
      throw new IllegalArgumentException(
          "expected patterns of packages or classes, found " + Arrays.toString(classes));
    }
    return new ContextWatch(listener, parsed, patterns);
  }

  /**
   * Returns a class loader that defines the watched classes itself, changed, from the class files
   * of its parent, and has all others loaded by the parent.
   */
  public ClassLoader classLoader(ClassLoader parent) {
    return new WatchingLoader(this, parent);
  }

  /**
   * Returns a transformer for {@code java.lang.instrument}, which changes the watched classes when
   * they are loaded or transformed again.
   */
  public ClassFileTransformer transformer() {
    return new ClassFileTransformer() {
      @Override
      public byte @Nullable [] transform(
          @Nullable ClassLoader loader,
          @Nullable String name,
          @Nullable Class<?> redefined,
          @Nullable ProtectionDomain domain,
          byte[] bytes) {
        return name == null || !isWatched(name) ? null : rewrite(bytes);
      }
    };
  }

  /** Whether a class, by its internal name, is watched; those of the library never are. */
  boolean isWatched(String name) {
    if (name.startsWith("dev/agentreplay/lint/")) {
      return false;
    }
    // nested classes share the private members of their outer class, and need the same loader
    int nested = name.indexOf('$', name.lastIndexOf('/') + 2);
    String outer = nested < 0 ? name : name.substring(0, nested);
    return classes.stream()
        .anyMatch(pattern -> pattern.matchesType(name) || pattern.matchesType(outer));
  }

  byte[] rewrite(byte[] bytes) {
    return rewriter.rewrite(bytes, number, this::register);
  }

  /** Adds a call; called under the lock of the rewriter. */
  private int register(WatchedCall site) {
    sites.add(site);
    return sites.size() - 1;
  }

  /** Announces a call; called by {@link WatchHook}. */
  static void announce(int watch, int site) {
    ContextWatch announced = WATCHES.get(watch);
    if (announced == null || ANNOUNCING.get()) {
      return;
    }
    ANNOUNCING.set(true);
    try {
      if (!announced.tools.isRunning()) {
        announced.listener.accept(announced.sites.get(site));
      }
    } finally {
      ANNOUNCING.set(false);
    }
  }

  /** Ends the announcements; classes that were changed keep working. */
  @Override
  public void close() throws IOException {
    WATCHES.remove(number);
    rewriter.close();
  }
}

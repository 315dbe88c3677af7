package dev.agentreplay.springai;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Lets Reactor restore the invocation of a stream in the threads that it runs in, if the
 * application has enabled that. Only this class may refer to the library for it, which is optional.
 */
final class ThreadPropagation {

  private ThreadPropagation() {}

  /** Registers the invocation, if the library is there. */
  static void register() {
    try {
      ContextRegistry.getInstance().registerThreadLocalAccessor(new Accessor());
    } catch (LinkageError e) {
      // without the library there is no propagation
    }
  }

  private static final class Accessor implements ThreadLocalAccessor<CurrentInvocation> {

    @Override
    public Object key() {
      return CurrentInvocation.class;
    }

    @Override
    public @Nullable CurrentInvocation getValue() {
      return CurrentInvocation.ofThread();
    }

    @Override
    public void setValue(CurrentInvocation value) {
      CurrentInvocation.set(value);
    }

    @Override
    public void setValue() {
      CurrentInvocation.set(null);
    }
  }
}

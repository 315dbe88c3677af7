package dev.agentreplay.springai;

import dev.agentreplay.io.agent.RunningCall;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.GroupedFlux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.util.context.Context;

/**
 * Restores the invocation of a stream in the threads that its operators run in, so that an advisor
 * or a tool that blocks there is a part of it. The operators are those that are assembled by a
 * thread with an invocation; all others are left as they are.
 */
final class RestoredThreads {

  /** Different if the class is loaded twice, next to one Reactor. */
  private static final String HOOK =
      "dev.agentreplay.springai." + System.identityHashCode(RestoredThreads.class);

  private RestoredThreads() {}

  /** Lets Reactor restore invocations in the operators of their streams, from now on. */
  static void register() {
    Hooks.onEachOperator(HOOK, source -> {
      CurrentInvocation current = CurrentInvocation.ofThread();
      return current == null || current.invocation().hasEnded() ? source : assembled(source);
    });
  }

  private static Publisher<Object> assembled(Publisher<Object> source) {
    if (source instanceof ConnectableFlux || source instanceof GroupedFlux) {
      return source; // they must keep their class
    }
    if (source instanceof Flux<Object> flux) {
      return restored(flux);
    }
    return source instanceof Mono<Object> mono ? new RestoredMono<>(mono) : source;
  }

  /**
   * Returns a stream that is subscribed to, and whose signals are passed on, with the invocation of
   * its subscriber, or of the subscribing thread if that has none.
   */
  static <T> Flux<T> restored(Flux<T> source) {
    return new RestoredFlux<>(source);
  }

  private static final class RestoredFlux<T> extends FluxOperator<T, T> {

    RestoredFlux(Flux<? extends T> source) {
      super(source);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      Restoring<T> subscriber = new Restoring<>(actual);
      subscriber.run(() -> source.subscribe(subscriber));
    }
  }

  private static final class RestoredMono<T> extends MonoOperator<T, T> {

    RestoredMono(Mono<? extends T> source) {
      super(source);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      Restoring<T> subscriber = new Restoring<>(actual);
      subscriber.run(() -> source.subscribe(subscriber));
    }
  }

  /** Passes signals on in a thread that works for the invocation of the subscriber. */
  private static final class Restoring<T> implements CoreSubscriber<T>, Subscription {

    private final CoreSubscriber<? super T> actual;
    private final @Nullable CurrentInvocation invocation;
    private final @Nullable RunningCall running;
    private final Context context;
    private @Nullable Subscription subscription;

    Restoring(CoreSubscriber<? super T> actual) {
      this.actual = actual;
      Context known = actual.currentContext();
      invocation = CurrentInvocation.of(known);
      running = known.getOrDefault(RunningCall.class, RunningCall.innermost());
      Context extended = invocation == null ? known : invocation.in(known);
      context = running == null ? extended : extended.put(RunningCall.class, running);
    }

    void run(Runnable action) {
      CurrentInvocation.call(invocation, () -> {
        RunningCall.runIn(running, action);
        return null;
      });
    }

    @Override
    public Context currentContext() {
      return context;
    }

    @Override
    public void onSubscribe(Subscription upstream) {
      subscription = upstream;
      run(() -> actual.onSubscribe(this)); // without fusion, which would pass signals by
    }

    @Override
    public void onNext(T value) {
      run(() -> actual.onNext(value));
    }

    @Override
    public void onError(Throwable error) {
      run(() -> actual.onError(error));
    }

    @Override
    public void onComplete() {
      run(actual::onComplete);
    }

    @Override
    public void request(long count) {
      Subscription upstream = subscription;
      if (upstream != null) {
        run(() -> upstream.request(count));
      }
    }

    @Override
    public void cancel() {
      Subscription upstream = subscription;
      if (upstream != null) {
        run(upstream::cancel);
      }
    }
  }
}

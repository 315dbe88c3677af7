package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolTaskTest {

  @Test
  void work_is_done_once_by_the_thread_that_needs_its_result() throws IOException {
    AtomicInteger runs = new AtomicInteger();
    PoolTask<Thread> task = new PoolTask<>(isAbandoned -> {
      runs.incrementAndGet();
      return Thread.currentThread();
    });

    assertThat(task.isDone()).isFalse();
    assertThat(task.result()).isSameAs(Thread.currentThread());
    task.offer();
    task.runIfNotBegun();
    assertThat(task.result()).isSameAs(Thread.currentThread());
    assertThat(task.isDone()).isTrue();
    assertThat(runs).hasValue(1);
  }

  @Test
  void exception_of_the_work_is_thrown_as_it_is() {
    for (Throwable thrown : List.of(
        new IOException("read"),
        new IllegalStateException("state"),
        new OutOfMemoryError("heap"))) {
      PoolTask<Integer> task = new PoolTask<>(isAbandoned -> {
        if (thrown instanceof IOException io) {
          throw io;
        } else if (thrown instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) thrown;
      });

      assertThatThrownBy(task::result).isSameAs(thrown);
    }
  }

  @Test
  void abandoned_work_does_not_begin() {
    AtomicInteger runs = new AtomicInteger();
    PoolTask<Integer> task = new PoolTask<>(isAbandoned -> runs.incrementAndGet());

    task.abandon();

    assertThat(runs).hasValue(0);
    assertThat(task.isDone()).isTrue();
  }

  @Test
  void work_that_has_begun_learns_that_it_is_abandoned_and_is_awaited() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger ended = new AtomicInteger();
    PoolTask<Integer> task = new PoolTask<>(isAbandoned -> {
      begun.countDown();
      while (!isAbandoned.getAsBoolean()) {
        Thread.onSpinWait();
      }
      return ended.incrementAndGet();
    });
    new Thread(task::runIfNotBegun).start();
    begun.await();

    task.abandon();

    assertThat(ended).hasValue(1);
  }

  @Test
  void interruption_neither_ends_the_wait_nor_is_lost() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    PoolTask<String> task = new PoolTask<>(isAbandoned -> {
      begun.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return "done";
    });
    new Thread(task::runIfNotBegun).start();
    begun.await();
    Thread reader = Thread.currentThread();
    new Thread(() -> {
          reader.interrupt();
          end.countDown();
        })
        .start();

    assertThat(task.result()).isEqualTo("done");
    assertThat(Thread.interrupted()).isTrue();
  }
}

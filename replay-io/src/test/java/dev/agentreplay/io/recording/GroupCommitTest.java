package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GroupCommitTest {

  private final AtomicLong written = new AtomicLong();
  private final AtomicInteger forces = new AtomicInteger();
  private final Semaphore allowed = new Semaphore(0);
  private final Semaphore begun = new Semaphore(0);
  private final GroupCommit commit = new GroupCommit(
      () -> {
        long upTo = written.get();
        forces.incrementAndGet();
        begun.release();
        allowed.acquireUninterruptibly();
        return upTo;
      },
      0);

  @Test
  void who_comes_while_the_disk_is_forced_shares_the_next_force() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    threads.add(start());
    begun.acquire();
    for (int i = 0; i < 7; i++) {
      Thread waiting = start();
      threads.add(waiting);
      while (waiting.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
    allowed.release(2);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(forces).hasValue(2);
  }

  @Test
  void what_is_forced_already_is_not_forced_again() throws IOException {
    written.set(10);
    allowed.release();
    commit.await(10);
    commit.await(4);
    assertThat(forces).hasValue(1);
  }

  @Test
  void waiting_is_not_for_ever_when_the_others_do_not_come_back() throws Exception {
    who_comes_while_the_disk_is_forced_shares_the_next_force();
    allowed.release(100);
    for (int i = 0; i < 5; i++) {
      commit.await(written.incrementAndGet());
    }
    assertThat(forces).hasValue(7);
  }

  @Test
  void after_a_failure_every_force_fails_without_a_try() {
    AtomicInteger tries = new AtomicInteger();
    GroupCommit failing = new GroupCommit(
        () -> {
          tries.incrementAndGet();
          throw new IOException("the disk is gone");
        },
        5);
    assertThatThrownBy(() -> failing.await(6)).hasMessage("the disk is gone");
    assertThatThrownBy(() -> failing.await(6))
        .isInstanceOf(IOException.class)
        .hasMessage("fsync is not attempted any more: the disk is gone")
        .hasRootCauseMessage("the disk is gone");
    assertThatThrownBy(() -> failing.exclusively(() -> 7))
        .hasMessage("fsync is not attempted any more: the disk is gone");
    assertThat(tries).hasValue(1);
  }

  @Test
  void an_interrupt_is_kept_and_nothing_is_left_unforced() throws IOException {
    allowed.release();
    Thread.currentThread().interrupt();
    written.set(3);
    commit.await(3);
    assertThat(forces).hasValue(1);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void nothing_is_forced_while_something_else_has_the_disk_to_itself() throws Exception {
    Thread leader = start();
    begun.acquire();
    AtomicInteger forcesBefore = new AtomicInteger();
    Thread other = new Thread(() -> {
      try {
        commit.exclusively(() -> {
          forcesBefore.set(forces.get());
          return written.get();
        });
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
    other.start();
    while (other.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(forcesBefore).hasValue(0);
    allowed.release();
    leader.join();
    other.join();
    assertThat(forcesBefore).hasValue(1);
  }

  @Test
  @Timeout(60)
  void error_of_the_thread_that_forces_is_a_failed_force_for_all() throws Exception {
    GroupCommit failing = new GroupCommit(
        () -> {
          begun.release();
          allowed.acquireUninterruptibly();
          throw new OutOfMemoryError("injected");
        },
        0);
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Thread thread = new Thread(() -> {
        try {
          failing.await(1);
        } catch (Throwable e) {
          thrown.add(e);
        }
      });
      thread.start();
      threads.add(thread);
      if (i == 0) {
        begun.acquire();
      } else {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
          Thread.onSpinWait();
        }
      }
    }
    allowed.release();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(thrown).hasSize(3).allSatisfy(e -> assertThat(e)
        .hasStackTraceContaining("injected"));
    assertThatThrownBy(() -> failing.exclusively(() -> 1)).hasMessageContaining("injected");
    failing.close();
  }

  /** A thread that writes something, and waits until it is forced. */
  private Thread start() {
    long upTo = written.incrementAndGet();
    Thread thread = new Thread(() -> {
      try {
        commit.await(upTo);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
    thread.start();
    return thread;
  }
}

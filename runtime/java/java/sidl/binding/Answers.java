package sidl.binding;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads that take in answers and end futures, with whatever depends on those. A few are
 * enough for any number of answers. But what depends on a future may wait, for another future even:
 * a thread that has been at one answer for longer than {@link #HELD_UP} makes room for another one.
 *
 * <p>While answers wait, a thread that has none looks at how long the others are held up.
 */
final class Answers {
  /** Threads that are at an answer and are not held up. */
  private static final int RUNNING =
      Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

  /** Threads altogether: behind so many that are held up, answers wait. */
  private static final int MOST =
      Math.max(RUNNING + 1, Integer.getInteger("sidl.answers.threads", 500));

  private static final long HELD_UP = 10_000_000; // nanoseconds
  private static final long IDLE = 5_000_000_000L;

  private static final ReentrantLock LOCK = new ReentrantLock();

  // What follows is guarded by it.

  private static final Deque<Runnable> WAITING = new ArrayDeque<>();

  /** At an answer, and not found to be held up; who began first is first. */
  private static final List<Answers> AT_WORK = new ArrayList<>();

  /** Without an answer; the last one is called first, so that the others end. */
  private static final Deque<Answers> RESTING = new ArrayDeque<>();

  /** Threads that start, look for an answer, or look at how long the others are held up. */
  private static int attentive;

  private static int count; // of all threads

  // Of each thread:

  private final Condition called = LOCK.newCondition();
  private long began; // its answer

  private Answers() {}

  /** Takes in an answer, on this thread if there is no other and none can be started. */
  static void execute(Runnable answer) {
    if (!hasTaken(answer)) {
      answer.run();
    }
  }

  private static boolean hasTaken(Runnable answer) {
    LOCK.lock();
    try {
      WAITING.addLast(answer);
      if (AT_WORK.size() + attentive < RUNNING || attentive == 0) {
        callOne();
      }
      if (attentive > 0 || count >= MOST) {
        return true;
      }
      WAITING.removeLast();
      return false;
    } finally {
      LOCK.unlock();
    }
  }

  /** One that rests, or a new one. */
  private static void callOne() {
    final Answers resting = RESTING.pollLast();
    if (resting != null) {
      ++attentive;
      resting.called.signal();
    } else if (count < MOST) {
      start();
    }
  }

  private static void start() {
    ++count;
    ++attentive;
    boolean isStarted = false;
    try {
      final Thread thread = new Thread(new Answers()::work, "sidl-answers");
      thread.setDaemon(true);
      thread.start();
      isStarted = true;
    } catch (OutOfMemoryError noThread) {
      // Whoever has an answer sees that nobody is attentive.
    } finally {
      if (!isStarted) {
        --count;
        --attentive;
      }
    }
  }

  private void work() {
    LOCK.lock();
    try {
      for (Runnable answer = next(); answer != null; answer = next()) {
        LOCK.unlock();
        try {
          answer.run();
        } finally {
          LOCK.lock();
          AT_WORK.remove(this);
          ++attentive;
        }
      }
    } finally {
      --attentive;
      --count;
      if (attentive == 0 && !WAITING.isEmpty()) {
        callOne(); // this one ends with an error
      }
      LOCK.unlock();
    }
  }

  /** Null if none came for a long time. */
  private Runnable next() {
    while (true) {
      final long now = System.nanoTime();
      while (!AT_WORK.isEmpty() && now - AT_WORK.get(0).began >= HELD_UP) {
        AT_WORK.remove(0);
      }
      if (WAITING.isEmpty() || (AT_WORK.size() >= RUNNING && attentive > 1)) {
        if (!rest()) {
          return null;
        }
      } else if (AT_WORK.size() >= RUNNING) {
        await(HELD_UP - (now - AT_WORK.get(0).began));
      } else {
        return take(now);
      }
    }
  }

  private Runnable take(long now) {
    began = now;
    AT_WORK.add(this);
    --attentive;
    final Runnable answer = WAITING.pollFirst();
    if (attentive == 0 && !WAITING.isEmpty()) {
      callOne();
    }
    return answer;
  }

  /** Until it is called; false if it was not. */
  private boolean rest() {
    RESTING.addLast(this);
    --attentive;
    for (long left = IDLE; left > 0 && RESTING.contains(this); ) {
      left = await(left);
    }
    if (!RESTING.remove(this)) {
      return true;
    }
    ++attentive;
    return false;
  }

  /** How much of the time is left. */
  private long await(long nanoseconds) {
    try {
      return called.awaitNanos(nanoseconds);
    } catch (InterruptedException byWhatDepended) {
      return nanoseconds; // the flag is clear now
    }
  }
}

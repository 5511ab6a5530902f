package sidl.binding;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much native memory arrays in Java hold that nobody has closed. The garbage collector does not
 * see it: when there is a lot of it, it is asked to look for arrays that were forgotten.
 */
final class HeldMemory {
  /** Bytes; less is not worth a collection. */
  private static final long LEAST = 256L << 20;

  private static final AtomicLong HELD = new AtomicLong();
  private static final AtomicLong LIMIT = new AtomicLong(LEAST);

  private HeldMemory() {}

  /** An array with so many bytes came to Java. */
  static void add(long bytes) {
    final long limit = LIMIT.get();
    if (HELD.addAndGet(bytes) <= limit || !LIMIT.compareAndSet(limit, Long.MAX_VALUE)) {
      return; // or another thread collects
    }
    System.gc();
    await(limit);
    // What is left is in use: the next collection is due when there is twice as much.
    LIMIT.set(Math.max(LEAST, 2 * HELD.get()));
  }

  /** Gives the thread that frees what was found a moment. */
  private static void await(long limit) {
    for (int i = 0; i < 20 && HELD.get() > limit / 2; ++i) {
      try {
        Thread.sleep(1L << Math.min(i, 4));
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** It was closed, or found. */
  static void remove(long bytes) {
    HELD.addAndGet(-bytes);
  }
}

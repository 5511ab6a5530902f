import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import jv.Listener;
import jv.Tool;
import sidl.IntArray;

/** Plain objects that are called back, futures, and many threads. */
final class Calls extends Checks {
  static void plainObjectsAreCalled() {
    final Ear ear = new Ear();
    try (Tool tool = Tool.create()) {
      tool.tell(ear, "one");
      equal(ear.heard, List.of("one"));
      equal(tool.askTwice(ear, 3), 12);
      equal(tool.give(ear, 3).get(2), 2.0);
      tool.keep(ear);
      require(tool.kept() == ear, "it comes back as itself");
      tool.keep(null);
      require(tool.kept() == null, "null is null");
    }
  }

  /** Each passing made another SIDL object: nobody could forget a listener that he knew. */
  static void plainObjectsAreTheSameEverywhere() throws Exception {
    final Ear ear = new Ear();
    final Listener other = new Ear();
    try (Tool tool = Tool.create()) {
      require(ear.isSame(ear) && Listener.cast(ear).isSame(ear), "isSame");
      require(!ear.isSame(other), "another one");
      tool.keep(ear);
      require(tool.isKept(ear) && !tool.isKept(other), "while it is kept");
      final AtomicBoolean differed = new AtomicBoolean();
      final List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; ++t) {
        threads.add(new Thread(() -> {
          for (int i = 0; i < 2000; ++i) {
            final Ear own = new Ear();
            if (!tool.isKept(ear) || tool.isKept(own) || !own.isSame(own) || tool.askTwice(own, 1) != 4) {
              differed.set(true);
            }
          }
        }));
      }
      threads.forEach(Thread::start);
      for (final Thread each : threads) {
        each.join();
      }
      require(!differed.get(), "on all threads");
      tool.keep(null);
      tool.keep(other);
      require(tool.isKept(other) && !tool.isKept(ear), "when it was forgotten");
    }
  }

  static void keptObjectsStay() {
    try (Tool tool = Tool.create()) {
      tool.keep(new Ear());
      for (int i = 0; i < 5; ++i) {
        System.gc();
      }
      equal(tool.kept().ask(21), 42);
      final WeakReference<Object> ear = new WeakReference<>(tool.kept());
      tool.keep(null);
      eventually(() -> ear.get() == null, "nobody keeps it any more");
    }
  }

  static void callsThatAreNotWaitedFor() throws Exception {
    try (Tool tool = Tool.create()) {
      final IntArray array = IntArray.of(1, 2, 3);
      final CompletableFuture<Integer> future = tool.laterAsync(50, array, 3);
      equal(future.get(10, TimeUnit.SECONDS), 3);
      equal(array.toArray()[2], 4);
      equal(tool.later(0, array), 3);
      equal(array.toArray()[2], 5);
      final List<CompletableFuture<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 100; ++i) {
        all.add(tool.laterAsync(0, IntArray.create(i), i));
      }
      for (int i = 0; i < 100; ++i) {
        equal(all.get(i).get(10, TimeUnit.SECONDS), i);
      }
    }
  }

  /** Their results were lost when the object was closed that they had been called of. */
  static void callsOutliveWhatTheCallerHasOfTheObject() throws Exception {
    final CompletableFuture<Integer> future;
    final IntArray array = IntArray.of(1, 2, 3);
    try (Tool tool = Tool.create()) {
      future = tool.laterAsync(50, array, 3);
    }
    equal(future.get(10, TimeUnit.SECONDS), 3);
    equal(array.toArray()[2], 4);
  }

  static void manyThreadsCallBack() throws Exception {
    try (Tool tool = Tool.create()) {
      final AtomicBoolean failed = new AtomicBoolean();
      final List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; ++i) {
        threads.add(new Thread(() -> {
          final Ear ear = new Ear();
          for (int n = 0; n < 2000; ++n) {
            if (tool.askTwice(ear, n) != 4 * n) {
              failed.set(true);
            }
          }
        }));
      }
      threads.forEach(Thread::start);
      for (final Thread each : threads) {
        each.join();
      }
      require(!failed.get(), "all answers");
    }
  }

  /** Who closes does not look at threads that rest, until they call again. */
  static void objectsAreClosedWhileOthersCallThemOrRest() throws Exception {
    final int before = Tool.alive();
    final AtomicReferenceArray<Tool> tools = new AtomicReferenceArray<>(4);
    for (int i = 0; i < tools.length(); ++i) {
      tools.set(i, Tool.create());
    }
    final AtomicBoolean isOver = new AtomicBoolean();
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    final List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 32; ++t) {
      final int number = t;
      threads.add(new Thread(() -> {
        final Ear ear = new Ear();
        for (int n = number; !isOver.get(); ++n) {
          try {
            final Tool tool = tools.get(n % tools.length());
            equal(n % 3 == 0 ? tool.askTwice(ear, n) : tool.add(2 * n, 2 * n), 4 * n);
          } catch (IllegalStateException closed) {
            continue;
          } catch (Throwable seen) {
            failure.set(seen);
          }
          if (n % (number + 1) == 0) {
            LockSupport.parkNanos(1000 * number);
          }
        }
      }));
    }
    threads.forEach(Thread::start);
    for (int n = 0; n < 20_000; ++n) {
      tools.getAndSet(n % tools.length(), Tool.create()).close();
    }
    isOver.set(true);
    for (final Thread each : threads) {
      each.join();
    }
    for (int i = 0; i < tools.length(); ++i) {
      tools.get(i).close();
    }
    require(failure.get() == null, failure);
    equal(Tool.alive(), before);
  }

  /** More calls within calls than there is room for at first. */
  static void callsWithinCallsOfAThreadThatRested() throws Exception {
    final Tool tool = Tool.create();
    final CountDownLatch hasRested = new CountDownLatch(1);
    final CountDownLatch rests = new CountDownLatch(1);
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    final class Deep extends Ear {
      private final Tool inner = Tool.create();

      @Override
      public int ask(int n) {
        return n <= 0 ? n : inner.askTwice(this, n - 1) - 1;
      }
    }
    final Thread thread = new Thread(() -> {
      try {
        final Deep deep = new Deep();
        equal(tool.add(1, 1), 2);
        rests.countDown();
        hasRested.await();
        equal(tool.askTwice(deep, 100), -100);
        deep.inner.close();
      } catch (Throwable seen) {
        failure.set(seen);
      }
    });
    thread.start();
    rests.await();
    for (int n = 0; n < 100; ++n) {
      Tool.create().close();
    }
    hasRested.countDown();
    thread.join();
    tool.close();
    require(failure.get() == null, failure);
  }

  static void virtualThreadsCall() throws Exception {
    final Method start;
    try {
      start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    } catch (NoSuchMethodException old) {
      System.out.println("skipped: this Java has no virtual threads");
      return;
    }
    final List<Thread> threads = new ArrayList<>();
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    try (Tool tool = Tool.create()) {
      for (int i = 0; i < 1000; ++i) {
        threads.add((Thread) start.invoke(null, (Runnable) () -> {
          try {
            equal(tool.askTwice(new Ear(), 3), 12);
            Thread.yield();
            equal(tool.name(), "tool");
          } catch (Throwable seen) {
            failure.set(seen);
          }
        }));
      }
      for (final Thread each : threads) {
        each.join();
      }
      require(failure.get() == null, failure);
    }
  }
}

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import jv.Tool;
import jv.Worker;
import sidl.BaseInterface;

/** The ends of implementations in Java: who may use what is being destroyed, and what outlives it. */
final class Destruction extends Checks {
  /** The JVM crashed when the garbage collector found what another object had had of it. */
  static void objectsThatAreDestroyedTellOthers() {
    for (int i = 0; i < 20; ++i) {
      try (Worker told = Worker.create()) {
        Worker gone = Worker.create();
        gone.remember(told);
        gone.close();
        try (Tool kept = Tool.cast(jv.Worker_Impl.forgotten)) {
          thrown(sidl.rmi.ObjectDoesNotExistException.class, "", kept::name);
        }
      }
      System.gc();
    }
    for (int i = 0; i < 5; ++i) {
      System.gc();
      System.runFinalization();
    }
    equal(Worker.create().ask(1), Worker.create().ask(1));
  }

  /** Calls the object that a destructor has passed on, until it has gone; false if it says no more. */
  static boolean callWhatIsBeingDestroyed() {
    BaseInterface who = null;
    while (who == null) {
      who = jv.Worker_Impl.forgotten;
    }
    try (Tool kept = Tool.cast(who)) {
      while (true) {
        kept.name();
      }
    } catch (sidl.rmi.ObjectDoesNotExistException gone) {
      return true;
    } catch (IllegalStateException ending) {  // of its `this`, that it uses
      require(ending.getMessage().contains("has been destroyed: "), ending.getMessage());
    }
    return false;
  }

  static void othersMayCallWhatIsBeingDestroyed() throws Exception {
    for (int i = 0; i < 500; ++i) {
      jv.Worker_Impl.forgotten = null;
      try (Worker told = Worker.create()) {
        final CompletableFuture<Boolean> other =
            CompletableFuture.supplyAsync(Destruction::callWhatIsBeingDestroyed);
        final Worker gone = Worker.create();
        gone.remember(told);
        gone.close();
        other.get(20, TimeUnit.SECONDS);
      }
    }
  }

  /** On another thread. */
  static <T> T elsewhere(java.util.function.Supplier<T> action) {
    return CompletableFuture.supplyAsync(action).join();
  }

  static void destructorsKeepThisForThemselves() {
    final AtomicBoolean wasRight = new AtomicBoolean();
    jv.Worker_Impl.atEnd =
        own -> {
          final Worker counted = Worker.cast(own);
          final String name = own.name();
          equal(elsewhere(counted::first_name), own.first_name());
          thrown(java.util.concurrent.CompletionException.class, "", () -> elsewhere(own::name));
          equal(elsewhere(own::hashCode), counted.hashCode());
          equal(elsewhere(() -> own.equals(counted)), true);
          equal(elsewhere(() -> counted.equals(own)), true);
          equal(own.name(), name);
          equal(own.hashCode(), counted.hashCode());
          counted.close();
          wasRight.set(true);
        };
    try {
      Worker.create().close();
    } finally {
      jv.Worker_Impl.atEnd = null;
    }
    require(wasRight.get(), "the destructor has thrown");
  }

  /** The JVM crashed when the garbage collector found the reference that another object had. */
  static void constructorsThatThrowHaveToldOthers() {
    for (int i = 0; i < 300; ++i) {
      thrown(IllegalStateException.class, "no such luck", jv.Broken::create);
      if (i % 100 == 0) {
        System.gc();
      }
    }
    eventually(() -> Tool.alive() == 0, "all workers are gone");
  }

  /** Who gets an object closes it; the implementation's own `this` may be what it gets. */
  static void whoGetsAnImplementationMayCloseIt() {
    try (Worker worker = Worker.create()) {
      worker.introduce(Tool::close, false);
      worker.introduce(Tool::close, true);
      equal(worker.name(), worker.first_name());
      worker.introduce(each -> equal(each.name(), worker.name()), false);
    }
  }

  /** Calls until the object is gone; each has a reference of its own, which may be the last one. */
  static void useUntilItIsGone(Tool own, CountDownLatch begun) {
    for (int i = 0; ; ++i) {
      try {
        equal(own.add(i, 1), i + 1);
        Tool.cast(own).close();
        begun.countDown();
      } catch (IllegalStateException gone) {
        require(gone.getMessage().contains("has been destroyed"), gone.getMessage());
        return;
      }
    }
  }

  static void thisIsRefusedOnceTheLastReferenceHasGone() throws Exception {
    final int before = Tool.alive();
    for (int i = 0; i < 500; ++i) {
      final Worker worker = Worker.create();
      final Tool[] own = new Tool[1];
      worker.introduce(each -> own[0] = each, false);
      final CountDownLatch begun = new CountDownLatch(2);
      final List<CompletableFuture<Void>> users = new ArrayList<>();
      for (int u = 0; u < 2; ++u) {
        users.add(CompletableFuture.runAsync(() -> useUntilItIsGone(own[0], begun)));
      }
      begun.await();
      worker.close();
      for (final CompletableFuture<Void> each : users) {
        each.get(20, TimeUnit.SECONDS);
      }
    }
    equal(Tool.alive(), before);
  }
}

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import jv.Listener;
import jv.Tool;
import jv.Worker;
import sidl.BaseInterface;

/** What is closed, forgotten or collected, and who is equal to whom. */
final class Lifetime extends Checks {
  static void closedObjectsSaySo() {
    final Tool tool = Tool.create();
    tool.close();
    tool.close();
    thrown(IllegalStateException.class, "closed", () -> tool.add(1, 2));
    thrown(IllegalStateException.class, "closed", tool::name);
    thrown(IllegalStateException.class, "closed", () -> tool.isType("jv.Tool"));
    require(tool.toString().contains("closed"), tool);
    try (Tool other = Tool.create()) {
      thrown(IllegalArgumentException.class, "argument 'l' of jv.Tool.tell is closed",
          () -> other.tell((Listener) closedWorker(), "x"));
      require(!other.equals(tool) && !tool.equals(other), "a closed one is equal to nothing");
    }
    equal(Tool.alive(), 0);
  }

  private static BaseInterface closedWorker() {
    final Worker worker = Worker.create();
    return new Closing(worker).listener;
  }

  /** Gives a reference that is closed when it is used. */
  private static final class Closing {
    final Listener listener;

    Closing(Worker worker) {
      listener = Listener.cast(worker);
      worker.close();
      listener.close();
    }
  }

  static void closeDestroysAtOnce() {
    try (Tool tool = Tool.create()) {
      equal(Tool.alive(), 1);
      try (Tool again = Tool.cast(tool)) {
        equal(again, tool);
      }
      equal(tool.add(1, 2), 3);
    }
    equal(Tool.alive(), 0);
  }

  static void forgottenObjectsGo() {
    for (int i = 0; i < 1000; ++i) {
      Tool.create().name();
    }
    eventually(() -> Tool.alive() == 0, "1000 tools were forgotten");
  }

  static void forgottenWorkersGo() {
    for (int i = 0; i < 1000; ++i) {
      Worker.create().name();
    }
    eventually(() -> Tool.alive() == 0, "1000 workers in Java were forgotten");
  }

  static void programsThatRestGiveBackWhatWasForgotten() throws Exception {
    System.setProperty("sidl.idle.collection", "100");
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 10; ++i) {
        Tool.create();
      }
      for (int i = 0; i < 1000 && Tool.alive() > 0; ++i) {
        Thread.sleep(10);
      }
      equal(Tool.alive(), 0);
    }
  }

  static void callsGoOnThoughTheirObjectIsClosed() throws Exception {
    for (int round = 0; round < 200; ++round) {
      final Tool tool = Tool.create();
      final AtomicReference<Throwable> failure = new AtomicReference<>();
      final List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; ++i) {
        threads.add(new Thread(() -> {
          try {
            while (true) {
              equal(tool.add(1, 2), 3);
              equal(tool.name(), "tool");
            }
          } catch (IllegalStateException closed) {
            // As it should be.
          } catch (Throwable other) {
            failure.set(other);
          }
        }));
      }
      threads.forEach(Thread::start);
      Thread.sleep(1);
      tool.close();
      for (final Thread each : threads) {
        each.join();
      }
      require(failure.get() == null, failure);
      equal(Tool.alive(), 0);
    }
  }

  static void aCallKeepsItsObject() throws Exception {
    final Tool tool = Tool.create();
    final Thread napping = new Thread(() -> tool.nap(300));
    napping.start();
    Thread.sleep(100);
    tool.close();
    equal(Tool.alive(), 1);
    napping.join();
    equal(Tool.alive(), 0);
  }

  static void theSameObjectIsEqual() {
    final Worker worker = Worker.create();
    final Tool asTool = Tool.cast(worker);
    final Listener asListener = Listener.cast(worker);
    final Tool other = Tool.create();
    equal(asTool, worker);
    equal(asListener, asTool);
    require(!other.equals(worker) && !worker.equals(null) && !worker.equals("x"), "others");
    require(worker.isSame(asListener) && !worker.isSame(other) && !worker.isSame(null), "isSame");
    final Set<Object> all = new HashSet<>(List.of(worker));
    require(all.contains(asTool) && all.contains(asListener) && !all.contains(other), "hashes");
    require(asTool instanceof Worker, "as what it is: " + asTool.getClass());
    equal(asTool.getClassInfo().getName(), "jv.Worker");
    require(Listener.cast(other) == null, "a tool is no listener");
  }

  static void setsFindWhatIsClosed() {
    final Tool tool = Tool.create();
    final Tool neverAsked = Tool.create();
    final Set<Object> all = new HashSet<>(List.of(tool));
    tool.close();
    neverAsked.close();
    require(all.remove(tool) && all.isEmpty(), "it was in the set");
    equal(neverAsked.hashCode(), neverAsked.hashCode());
  }
}

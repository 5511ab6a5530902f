import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import jv.Listener;
import jv.Tool;
import jv.Worker;
import sidl.DoubleArray;
import vault.Vault;

/** What implementations in Java do when they are called, and where they are loaded. */
final class Implementations extends Checks {
  static void constructorsCallMethods() {
    try (Worker worker = Worker.create();
        jv.Foreman foreman = jv.Foreman.create()) {
      equal(worker.first_name(), worker.name());
      equal(foreman.first_name(), worker.name());
    }
  }

  static void staticMethodsAreSwitched() throws java.io.IOException {
    Tool._type._set_hooks_static(true);
    Tool._type._set_contracts_static(true, null, true);
    final java.nio.file.Path file = java.nio.file.Files.createTempFile("stats", ".out");
    Tool._type._dump_stats_static(file.toString(), "of Tool");
    require(java.nio.file.Files.readString(file).contains("of Tool"), "statistics");
    java.nio.file.Files.delete(file);
    Tool._type._set_contracts_static(false, null, false);
    Tool._type._set_hooks_static(false);
    equal(Vault.half(3), 1);
    equal(Vault.watched(), 0);
    Vault._type._set_hooks_static(true);
    equal(Vault.half(5), 2);
    equal(Vault.watched(), 2);
    Vault._type._set_hooks_static(false);
    Vault._type._set_contracts_static(true, null, true);
    thrown(sidl.PreViolation.class, "'even' of vault.Vault.half", () -> Vault.half(3));
    equal(Vault.half(4), 2);
    equal(Vault.watched(), 2);
    Vault._type._set_contracts_static(false, null, true);
    equal(Vault.half(3), 1);
  }

  static void aSecondClassLoaderIsTold() throws Exception {
    equal(Tool.alive(), 0);
    final List<java.net.URL> places = new ArrayList<>();
    for (final String each : System.getProperty("java.class.path").split(":")) {
      places.add(java.nio.file.Path.of(each).toUri().toURL());
    }
    final ClassLoader shared = ClassLoader.getPlatformClassLoader();
    try (java.net.URLClassLoader second =
        new java.net.URLClassLoader("second", places.toArray(new java.net.URL[0]), shared)) {
      final Method alive = second.loadClass("jv.Tool").getMethod("alive");
      alive.invoke(null);
      require(false, "nothing is thrown");
    } catch (InvocationTargetException | LinkageError failure) {
      final Throwable cause = rootOf(failure);
      require(cause instanceof UnsatisfiedLinkError, cause);
      require(cause.getMessage().contains("a second time") && cause.getMessage().contains("share"), cause);
    }
    equal(Tool.alive(), 0);
  }

  private static Throwable rootOf(Throwable thrown) {
    return thrown.getCause() == null ? thrown : rootOf(thrown.getCause());
  }

  /** Java runs until its hooks are done; what fails in one is on standard error. */
  static void hooksCreateObjects() {
    final Worker before = Worker.create();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      for (int i = 0; i < 20; ++i) {
        try (Worker worker = Worker.create()) {
          equal(worker.first_name(), before.name());
          equal(Tool.alive() >= 0, true);
          Thread.sleep(10);
        } catch (InterruptedException stop) {
          throw new IllegalStateException(stop);
        }
      }
    }));
  }

  /** As between an implementation in Java and such an object there is only Java. */
  static void whoKeepsAnImplementationCountsIt() {
    final List<Tool> kept = new ArrayList<>();
    try (Worker worker = Worker.create()) {
      worker.introduce(kept::add, true);
      worker.introduce(each -> kept.add(Tool.cast(each)), false);
      worker.introduce(kept::add, false);
    }
    for (final Tool each : kept.subList(0, 2)) {
      equal(each.name(), "worker, also a tool");
      each.close();
    }
    final String text = "keep jv.Worker.cast(...) of it";
    thrown(IllegalStateException.class, text, kept.get(2)::name);
    thrown(IllegalStateException.class, text, () -> Tool.cast(kept.get(2)));
    equal(Tool.alive(), 0);
  }

  static void lentArraysEndWithTheCall() {
    try (Worker worker = Worker.create(); Tool tool = Tool.create()) {
      equal(worker.given(DoubleArray.of(1, 2)).get(1), 4.0);
      require(worker.afterwards().startsWith("2 parts, the array was lent for a call"),
          worker.afterwards());
      // What a program has borrowed goes with its memory.
      equal(tool.give(Listener.cast(worker), 3).get(2), 4.0);
      require(worker.afterwards().startsWith("0 parts, the array was lent for a call"),
          worker.afterwards());
    }
  }

  static void inheritanceAcrossLanguages() {
    try (Worker worker = Worker.create(); jv.Foreman foreman = jv.Foreman.create()) {
      equal(worker.name(), "worker, also a tool");
      equal(worker.greeting(), "I am the worker, also a tool");
      equal(foreman.greeting(), "I am the foreman of the worker, also a tool");
      equal(foreman.ask(1), 2);
      equal(foreman.add(1, 2), 3);
    }
  }
}

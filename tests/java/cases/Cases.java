import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import jv.Level;
import jv.Listener;
import jv.Problem;
import jv.Tool;
import jv.Worker;
import sidl.BaseArray;
import sidl.BaseInterface;
import sidl.DoubleArray;
import sidl.FloatArray;
import sidl.Holder;
import sidl.IntArray;
import sidl.LongArray;
import sidl.StringArray;
import sidl.StructArray;
import sidl.UnknownEnumeratorException;
import vault.Vault;

/** Each method is a case; the argument says which one is run. */
public final class Cases {
  private Cases() {}

  static void require(boolean condition, Object what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  static void equal(Object seen, Object wanted) {
    require(wanted.equals(seen), "it is " + seen + ", not " + wanted);
  }

  /** What is thrown must be of exactly this class, and its message must contain the text. */
  static <T extends Throwable> T thrown(Class<T> type, String text, Runnable call) {
    try {
      call.run();
    } catch (Throwable seen) {
      require(seen.getClass() == type, "thrown is " + seen);
      require(String.valueOf(seen.getMessage()).contains(text), "its message is " + seen.getMessage());
      return type.cast(seen);
    }
    throw new AssertionError("nothing is thrown");
  }

  /** Collects garbage until the condition holds. */
  static void eventually(java.util.function.BooleanSupplier condition, String what) {
    for (int i = 0; i < 200 && !condition.getAsBoolean(); ++i) {
      System.gc();
      try {
        Thread.sleep(10);
      } catch (InterruptedException stop) {
        throw new AssertionError(stop);
      }
    }
    require(condition.getAsBoolean(), what);
  }

  /** A plain object that remembers what it heard. */
  static class Ear implements Listener {
    final List<String> heard = new ArrayList<>();
    RuntimeException thrown;

    @Override
    public void heard(String what) {
      heard.add(what);
      if (thrown != null) {
        throw thrown;
      }
    }

    @Override
    public int ask(int n) {
      return 2 * n;
    }

    @Override
    public DoubleArray given(DoubleArray a) {
      return a;
    }
  }

  // ---- lifetime -------------------------------------------------------------------------------

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

  static void arraysAreClosedAndForgotten() {
    final DoubleArray array = DoubleArray.of(1, 2, 3);
    array.close();
    array.close();
    thrown(IllegalStateException.class, "closed", () -> array.get(0));
    thrown(IllegalStateException.class, "closed", () -> array.set(0, 1));
    thrown(IllegalStateException.class, "closed", array::copy);
    try (Tool tool = Tool.create()) {
      thrown(IllegalStateException.class, "closed", () -> tool.total(array));
    }
  }

  // ---- identity -------------------------------------------------------------------------------

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

  // ---- values ---------------------------------------------------------------------------------

  static void nullsAreRefused() {
    try (Tool tool = Tool.create()) {
      thrown(NullPointerException.class, "'level' must not be null", () -> tool.number(null));
      thrown(NullPointerException.class, "'other' needs a Holder", () -> tool.level(1, null));
      equal(tool.number(Level.high), 7L);
    }
    thrown(NullPointerException.class, "'n' must not be null",
        () -> sidl.binding.Values.some(new Holder<Integer>(), "n"));
    try (ty.InCxx structs = ty.InCxx.create()) {
      thrown(NullPointerException.class, "'a' must not be null",
          () -> structs.every(null, new Holder<>(), new Holder<>(full())));
      thrown(NullPointerException.class, "'io' must not be null",
          () -> structs.every(full(), new Holder<>(), new Holder<>()));
    }
  }

  static void unknownEnumeratorsSayWhichTheyAre() {
    try (Tool tool = Tool.create()) {
      final Holder<Level> other = new Holder<>(Level.low);
      equal(tool.level(7, other), Level.high);
      equal(other.get(), Level.high);
      final UnknownEnumeratorException seen =
          thrown(UnknownEnumeratorException.class, "enum jv.Level has no enumerator with the value 5",
              () -> tool.level(5, other));
      equal(seen.value(), 5L);
      equal(seen.type(), "jv.Level");
      equal(other.get(), Level.high);
    }
  }

  static void stringsThatAreNone() {
    final Ear ear = new Ear();
    try (Tool tool = Tool.create()) {
      thrown(IllegalArgumentException.class, "NUL character at index 1", () -> tool.tell(ear, "a\0b"));
      thrown(IllegalArgumentException.class, "unpaired surrogate (U+D800) at index 2",
          () -> tool.tell(ear, "ab\ud800"));
      thrown(IllegalArgumentException.class, "unpaired surrogate (U+DC00) at index 0",
          () -> tool.tell(ear, "\udc00"));
      tool.tell(ear, "\ud83d\ude00 gr\u00fc\u00dfe");
      tool.tell(ear, "");
      tool.tell(ear, "x".repeat(100_000));
      equal(ear.heard, List.of("\ud83d\ude00 gr\u00fc\u00dfe", "", "x".repeat(100_000)));
    }
  }

  static void charsHaveEightBits() {
    try (Tool tool = Tool.create()) {
      equal(tool.letter('\u00e9'), '\u00e9');
      thrown(IllegalArgumentException.class, "U+20AC", () -> tool.letter('\u20ac'));
    }
  }

  static ty.Full full() {
    final ty.Item item = ty.Item.create();
    item.setNumber(4);
    return new ty.Full(true, new sidl.DoubleComplex(1, 2), 0x10, "text", ty.Color.blue, item, item,
        DoubleArray.of(new double[][] {{1, 2}, {3, 4}}), StringArray.of(Arrays.asList("a", null)),
        sidl.EnumArray.of(ty.Color._type, List.of(ty.Color.green)),
        sidl.ObjectArray.of(ty.Item._type, Arrays.asList(item, null)), null, IntArray.of(1, 2),
        sidl.OpaqueArray.of(1L), new ty.Inner("in", item));
  }

  static void structsWithEverything() {
    try (ty.InCxx structs = ty.InCxx.create()) {
      final ty.Full given = full();
      final Holder<ty.Full> copy = new Holder<>();
      final Holder<ty.Full> changed = new Holder<>(full());
      final ty.Full result = structs.every(given, copy, changed);
      for (final ty.Full each : List.of(result, copy.get())) {
        equal(each.text(), "text");
        equal(each.z(), new sidl.DoubleComplex(1, 2));
        equal(each.color(), ty.Color.blue);
        equal(each.item(), given.item());
        equal(each.matrix().get(1, 0), 3.0);
        equal(each.words().toList(), Arrays.asList("a", null));
        equal(each.colors().get(0), ty.Color.green);
        equal(each.items().get(0), given.item());
        equal(each.inner().name(), "in");
        require(each.grid() == null, "no grid");
      }
      require(!changed.get().equals(given), "it was changed");
      equal(given.withText("other").text(), "other");
      thrown(sidl.SIDLException.class, "",
          () -> structs.failStruct(given, new Holder<>(), new Holder<>(full())));
      thrown(sidl.CastException.class, "matrix has 1 dimension, not 2",
          () -> structs.every(given.withMatrix(DoubleArray.of(1, 2)), copy, changed));
      thrown(sidl.CastException.class, "words has 2 dimensions, not 1",
          () -> structs.every(given.withWords(StringArray.create(2, 2)), copy, changed));
    }
  }

  static void rawArraysInStructs() {
    try (ty.InCxx structs = ty.InCxx.create()) {
      final ty.Mesh mesh = new ty.Mesh(3, DoubleArray.of(1, 2, 3), IntArray.create(2, 6), "m");
      final Holder<ty.Pair> pair = new Holder<>(new ty.Pair(mesh, mesh.withLabel("n")));
      equal(structs.mesh(mesh, pair), 6.0);
      equal(pair.get().second().edges().get(1), 8.0);
      equal(pair.get().second().cells().get(1, 5), -1);
      equal(mesh.edges().get(1), 2.0);
      thrown(sidl.CastException.class, "edges",
          () -> structs.mesh(mesh.withEdges(DoubleArray.of(1)), pair));
    }
  }

  static void arraysInStructsStay() {
    try (Worker worker = Worker.create()) {
      final jv.Grid grid = new jv.Grid(2, DoubleArray.of(1, 2), DoubleArray.of(7, 8), "g");
      final Holder<jv.Grid> holder = new Holder<>(grid);
      worker.refine(holder, 3.0);
      equal(holder.get().label(), "refined");
      equal(holder.get().weights().get(0), 7.0);
      equal(holder.get().edges().get(1), 6.0);
      equal(grid.edges().get(1), 2.0);
      equal(grid.weights().get(1), 8.0);
    }
  }

  static void arraysOfTheWrongShape() {
    try (Tool tool = Tool.create()) {
      equal(tool.total(DoubleArray.of(new double[][] {{1, 2}, {3, 4}})), 10.0);
      thrown(sidl.CastException.class, "a has 1 dimension, not 2", () -> tool.total(DoubleArray.of(1, 2)));
    }
    final DoubleArray matrix = DoubleArray.create(2, 3);
    thrown(IllegalArgumentException.class, "2 dimensions", () -> matrix.get(1));
    thrown(IndexOutOfBoundsException.class, "index 3 of dimension 1", () -> matrix.get(0, 3));
    thrown(IndexOutOfBoundsException.class, "index -1 of dimension 0", () -> matrix.set(-1, 0, 1));
    thrown(IndexOutOfBoundsException.class, "index 0 of dimension 0", () -> DoubleArray.of().get(0));
    final IntArray three = IntArray.of(1, 2, 3);
    thrown(IndexOutOfBoundsException.class, "is not within 0 to 2", () -> three.get(3));
    thrown(IndexOutOfBoundsException.class, "index -1 of dimension 0", () -> three.set(-1, 4));
    equal(three.get(2), 3);
    thrown(IllegalArgumentException.class, "1 to 7 dimensions", DoubleArray::create);
    thrown(IllegalArgumentException.class, "negative length", () -> DoubleArray.create(-2));
    thrown(IllegalArgumentException.class, "row 1 has 1", () -> DoubleArray.of(new double[][] {{1, 2}, {3}}));
    thrown(IllegalArgumentException.class, "slice", () -> matrix.slice(new long[] {3, 3}, null, null, null));
    final long most = 1L << 62;
    thrown(
        IllegalArgumentException.class,
        "dimension 0 cannot be from " + -most + " to " + (-most - 1) + ": indices are " + -most,
        () -> DoubleArray.createBetween(new long[] {-most}, new long[] {-most - 1}));
    thrown(IllegalArgumentException.class, "to " + Long.MIN_VALUE, () -> DoubleArray.create(Long.MIN_VALUE));
    thrown(
        IllegalArgumentException.class,
        "dimension 1 of the slice has 3 elements and cannot begin at " + (most - 1),
        () -> matrix.slice(new long[] {2, 3}, null, null, new long[] {0, most - 1}));
    equal(matrix.slice(new long[] {0, 3}, null, null, new long[] {most - 2}).upper(0), most);
    thrown(OutOfMemoryError.class, "memory", () -> LongArray.create(1L << 60));
    thrown(IllegalArgumentException.class, "2 dimensions", () -> matrix.copyFrom(DoubleArray.of(1, 2)));
    try (Worker worker = Worker.create()) {
      equal(worker.corner(DoubleArray.of(new double[][] {{1, 2}, {3, 4}})), 4.0);
      for (final DoubleArray wrong : List.of(DoubleArray.of(1, 2), DoubleArray.create(1, 1, 1))) {
        final String text = "a has " + wrong.dimension() + " dimension";
        thrown(sidl.CastException.class, text, () -> worker.corner(wrong));
        thrown(sidl.CastException.class, text, () -> worker.corner(wrong, 1, 1));
      }
    }
  }

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
            CompletableFuture.supplyAsync(Cases::callWhatIsBeingDestroyed);
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

  static DoubleBuffer bufferOfForgottenArray() {
    final DoubleArray array = DoubleArray.create(100000);
    array.set(99999, 7);
    return array.buffer();
  }

  static void buffersKeepTheirArrays() {
    final DoubleBuffer seen = bufferOfForgottenArray().duplicate();
    final long[] mark = {0};
    final WeakReference<Object> other = new WeakReference<>(DoubleArray.create(3));
    eventually(() -> other.get() == null && ++mark[0] > 3, "others are collected");
    final DoubleArray[] over = new DoubleArray[100];
    for (int i = 0; i < over.length; ++i) {
      over[i] = DoubleArray.create(100000);
    }
    equal(seen.get(99999), 7.0);
  }

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

  /** Which the stack trace of the exception says, as it is Java's own. */
  static void invariantsOfMethodsThatThrow() {
    try (Vault vault = Vault.create()) {
      vault._set_contracts(true, null, false);
      final IllegalStateException seen =
          thrown(IllegalStateException.class, "stuck", vault::crash);
      final List<String> places =
          Arrays.stream(seen.getStackTrace()).map(StackTraceElement::toString).toList();
      final List<String> violations =
          places.stream().filter(each -> each.contains(" does not hold")).toList();
      require(violations.size() == 1 && violations.get(0).contains("invariant 'closed' of vault.Vault"),
          places);
      require(places.stream().anyMatch(each -> each.contains("Vault_Impl")), places);
      vault._set_contracts(false, null, false);
      equal(thrown(IllegalStateException.class, "stuck", vault::crash), seen);
      equal(Arrays.stream(seen.getStackTrace()).map(StackTraceElement::toString).toList(), places);
    }
  }

  /** Of SIDL's own exceptions, as of Java's: the lines are on top of each other's. */
  static void exceptionsSayWhereTheyWereThrown() {
    try (Worker worker = Worker.create();
        Tool tool = Tool.create()) {
      final Problem seen = thrown(Problem.class, "heard bad", () -> tool.tell(worker, "bad"));
      final List<String> lines = seen.getTrace().lines().toList();
      require(lines.get(0).startsWith("at jv.Worker_Impl.heard_Impl(Worker_Impl.java:"), lines);
      equal(lines.get(1), "in jv.Worker (Java)");
      require(lines.get(2).contains("Tool_Impl.cxx"), lines);
    }
  }

  /** In the trace, which is all that others have. */
  static void exceptionsSayWhy() {
    final Ear ear = new Ear();
    final Problem problem = new Problem("a problem");
    problem.initCause(new IllegalStateException("not ready", problem));
    problem.addSuppressed(new ArithmeticException("on the way"));
    ear.thrown = problem;
    try (Tool tool = Tool.create()) {
      final Problem seen = thrown(Problem.class, "a problem", () -> tool.tell(ear, "x"));
      final List<String> reasons =
          seen.getTrace().lines().filter(each -> !each.startsWith("at ")).limit(3).toList();
      equal(reasons.subList(0, 2), List.of("suppressed: java.lang.ArithmeticException: on the way",
          "caused by java.lang.IllegalStateException: not ready"));
      require(reasons.get(2).endsWith("(Java)"), reasons);
    }
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

  static void rawArraysBeginAtZero() {
    try (Worker worker = Worker.create()) {
      final DoubleArray a = DoubleArray.createBetween(new long[] {5}, new long[] {7});
      final DoubleArray b = DoubleArray.createBetween(new long[] {-1}, new long[] {1});
      a.set(5, 1);
      a.set(7, 3);
      b.set(1, 9);
      equal(worker.ends(a, b), 9.0);
      equal(b.get(-1), 4.0);
      equal(a.lower(0), 5L);
      final DoubleArray none = DoubleArray.createBetween(new long[] {1}, new long[] {0});
      equal(worker.ends(none, none), 0.0);
      equal(none.lower(0), 1L);
    }
  }

  static void arraysShareMemory() {
    final DoubleBuffer buffer =
        ByteBuffer.allocateDirect(80).order(ByteOrder.nativeOrder()).asDoubleBuffer();
    final DoubleArray array = DoubleArray.wrap(buffer, 2, 5);
    buffer.put(7, 3.5);
    equal(array.get(1, 2), 3.5);
    array.set(0, 1, 9);
    equal(buffer.get(1), 9.0);
    array.buffer().put(2, 4);
    equal(buffer.get(2), 4.0);
    final DoubleArray row = array.slice(new long[] {0, 3}, new long[] {1, 0}, new long[] {1, 2}, null);
    equal(row.get(1), 3.5);
    row.set(1, 1);
    equal(buffer.get(7), 1.0);
    final DoubleArray backwards = array.slice(new long[] {2, 5}, new long[] {1, 4}, new long[] {-1, -1}, null);
    equal(backwards.get(1, 3), 9.0);
    equal(backwards.copy().toArray2()[0][2], 1.0);
    thrown(IllegalStateException.class, "dense", row::buffer);
    thrown(IllegalArgumentException.class, "direct", () -> DoubleArray.wrap(DoubleBuffer.allocate(3)));
    thrown(IllegalArgumentException.class, "elements", () -> DoubleArray.wrap(buffer, 11));
    thrown(
        IllegalArgumentException.class, "more than", () -> DoubleArray.wrap(buffer, 1L << 32, 1L << 32));
    final DoubleBuffer other = ByteBuffer.allocateDirect(80).asDoubleBuffer();
    thrown(IllegalArgumentException.class, "byte order", () -> DoubleArray.wrap(other));
    final ByteBuffer bytes = ByteBuffer.allocateDirect(80);
    for (final int begin : new int[] {1, 4, 8}) {
      final ByteBuffer part = bytes.slice(begin, 72 - begin).order(ByteOrder.nativeOrder());
      if (begin % 8 != 0) {
        thrown(IllegalArgumentException.class, "alignedSlice(8)", () -> DoubleArray.wrap(part.asDoubleBuffer()));
        thrown(IllegalArgumentException.class, "alignedSlice(8)", () -> LongArray.wrap(part.asLongBuffer()));
      }
      if (begin % 4 != 0) {
        thrown(IllegalArgumentException.class, "alignedSlice(4)", () -> IntArray.wrap(part.asIntBuffer()));
        thrown(IllegalArgumentException.class, "alignedSlice(4)", () -> FloatArray.wrap(part.asFloatBuffer()));
      } else {
        equal(IntArray.wrap(part.asIntBuffer()).length(0), (72L - begin) / 4);
      }
    }
    final WeakReference<DoubleBuffer> seen = new WeakReference<>(buffer);
    require(seen.get() != null, "it is kept");
  }

  static void arraysOfStructs() {
    final StructArray<ty.Inner> array = StructArray.create(ty.Inner._type, 2);
    array.set(0, new ty.Inner("first", null));
    array.set(1, new ty.Inner("second", ty.Item.create()));
    equal(array.get(1).name(), "second");
    require(array.get(1).item() != null && array.get(0).item() == null, "items");
    equal(array.copy().get(0).name(), "first");
    thrown(NullPointerException.class, "element", () -> array.set(0, null));
    final BaseArray any = array;
    equal(any.count(), 2L);
  }

  static void structsInGenericArraysAreKnown() {
    try (ty.InCxx generic = ty.InCxx.create()) {
      final StructArray<ty.Inner> array = StructArray.of(ty.Inner._type, List.of(new ty.Inner("in", null)));
      final BaseArray back = generic.same(array);
      require(back instanceof StructArray<?> structs && structs.get(0).equals(new ty.Inner("in", null)),
          back + " has the structs");
      final Holder<BaseArray> out = new Holder<>();
      equal(generic.anyKind(array, out, new Holder<>(array)), 112);
      require(out.get() instanceof StructArray<?>, out.get() + " is of structs");
    }
  }

  /** Left raw, a StructArray is one of any structs to javac; they were read as the wanted ones. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static void arraysOfOtherStructsAreRefused() {
    try (Tool tool = Tool.create()) {
      final StructArray<jv.Grid> grids = StructArray.create(jv.Grid._type, 3);
      equal(tool.edges(grids, new Holder<>(grids)), 0);
      equal(tool.edges(grids, new Holder<>(null)), 0);
      final StructArray others = StructArray.create(ty.Inner._type, 3);
      final String text = "is no array of struct jv.Grid";
      thrown(IllegalArgumentException.class, text, () -> tool.edges(others, new Holder<>(grids)));
      thrown(IllegalArgumentException.class, text, () -> tool.edges(grids, new Holder<>(others)));
      equal(others.count(), 3L);
    }
    try (Worker worker = Worker.create()) {
      for (String wrong : List.of("a", "result")) {
        final String what = (wrong.equals("a") ? "a" : "the result") + " is no array of struct jv.Grid";
        final Holder<StructArray<jv.Grid>> holder = new Holder<>(StructArray.create(jv.Grid._type, 1));
        thrown(sidl.CastException.class, what, () -> worker.grids(wrong, holder));
      }
      equal(worker.grids("", new Holder<>()).count(), 2L);
    }
  }

  // ---- calls back -----------------------------------------------------------------------------

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

  static void exceptionsComeBackAsTheyWere() {
    final Ear ear = new Ear();
    try (Tool tool = Tool.create()) {
      ear.thrown = new ArithmeticException("of mine");
      final Throwable seen = thrown(ArithmeticException.class, "of mine", () -> tool.tell(ear, "x"));
      require(seen == ear.thrown, "the very same");
      ear.thrown = new Problem("a problem");
      final Problem problem = thrown(Problem.class, "a problem", () -> tool.tell(ear, "x"));
      equal(problem.getNote(), "a problem");
      require(problem.getTrace().contains("(Java)"), problem.getTrace());
      for (final String place :
          new String[] {
            "SIDL/Cases\\.exceptionsComeBackAsTheyWere\\(Cases\\.java:\\d+\\)",
            "SIDL/[\\w.]+\\(Java\\)",
            "SIDL/[\\w.]+\\.tell\\(\\w+\\.cxx(:\\d+)?\\)"
          }) {
        require(
            Arrays.stream(problem.getStackTrace()).anyMatch(e -> e.toString().matches(place)),
            place + Arrays.toString(problem.getStackTrace()));
      }
    }
  }

  static void exceptionsOfImplementations() {
    try (Worker worker = Worker.create()) {
      thrown(IllegalStateException.class, "in Java", () -> worker.fail("runtime"));
      thrown(UnsupportedOperationException.class, "not here", () -> worker.fail("unsupported"));
      thrown(OutOfMemoryError.class, "for a test", () -> worker.fail("memory"));
      thrown(IllegalStateException.class, "a\0b", () -> worker.fail("odd text"));
      thrown(Problem.class, "other", () -> worker.fail("other"));
      try {
        worker.fail("stack");
        throw new AssertionError("nothing is thrown");
      } catch (StackOverflowError seen) {
        // As it should be.
      }
      equal(worker.ask(1), 2);
    }
  }

  static void constructorsThatThrow() {
    thrown(IllegalStateException.class, "no such luck", jv.Broken::create);
    thrown(IllegalStateException.class, "no such luck", jv.Broken::create);
  }

  static void recursionThroughTwoLanguagesEnds() {
    try (Tool tool = Tool.create()) {
      final Ear ear = new Ear() {
        @Override
        public int ask(int n) {
          tool.rush(this);
          return n;
        }
      };
      try {
        tool.rush(ear);
        throw new AssertionError("nothing is thrown");
      } catch (StackOverflowError | sidl.SIDLException seen) {
        // As it should be.
      }
      equal(tool.add(2, 3), 5);
    }
  }

  /** Calls where there is no stack left, then with a little more each time, until it is enough. */
  private static void atTheEndOfTheStack(Runnable call) {
    try {
      atTheEndOfTheStack(call);
    } catch (Problem enough) {
      throw enough;
    } catch (Throwable end) {
      call.run();
    }
  }

  /** Their class could not be used again. */
  static void exceptionsAreMetFirstAtTheEndOfTheStack() throws Exception {
    try (Worker worker = Worker.create()) {
      worker.heard("good");
      eventually(
          () -> Thread.getAllStackTraces().keySet().stream()
              .noneMatch(each -> each.getName().equals("sidl-exceptions")),
          "exceptions are prepared");
      final Thread thread =
          new Thread(null, () -> atTheEndOfTheStack(() -> worker.heard("bad")), "deep", 1 << 20);
      thread.setUncaughtExceptionHandler((of, seen) -> { });
      thread.start();
      thread.join();
      thrown(Problem.class, "heard bad", () -> worker.heard("bad"));
    }
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

  // ---- threads --------------------------------------------------------------------------------

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

  public static void main(String[] arguments) throws Throwable {
    try {
      Cases.class.getDeclaredMethod(arguments[0]).invoke(null);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
    System.out.println("ok");
  }
}

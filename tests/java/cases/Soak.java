import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import jv.Listener;
import jv.Problem;
import jv.Tool;
import jv.Worker;
import sidl.DoubleArray;
import sidl.Holder;

/**
 * Does the same again and again; memory, global references and objects must not become more. The
 * arguments are what to do and how many times.
 */
final class Soak {
  private Soak() {}

  /** One round. */
  @FunctionalInterface
  interface Round {
    void run();
  }

  private static void many(int count, Round round) {
    for (int i = 0; i < count; ++i) {
      round.run();
    }
  }

  private static Round of(String what) {
    final Tool tool = Tool.create();
    final Worker worker = Worker.create();
    final Listener ear = new Ear();
    final Holder<ty.Pair> pair = new Holder<>();
    final ty.InCxx structs = ty.InCxx.create();
    switch (what) {
      case "calls":
        return () -> tool.add(1, 2);
      case "strings":
        return tool::name;
      case "objects":
        return () -> Tool.create().close();
      case "workers":
        return () -> Worker.create().close();
      case "forgotten":
        return Tool::create;
      case "callbacks":
        return () -> tool.askTwice(ear, 1);
      case "new ears":
        return () -> tool.askTwice(new Ear(), 1);
      case "upcalls":
        return () -> tool.give(worker, 3).close();
      case "arrays":
        return () -> tool.give(worker, 1000);
      case "large arrays":
        return () -> tool.give(worker, 1_000_000);
      case "exceptions":
        return () -> {
          try {
            worker.fail("other");
          } catch (Problem seen) {
            seen.close();
          }
        };
      case "errors":
        return () -> {
          try {
            tool.tell(worker, "bad");
          } catch (Problem seen) {
            return;
          }
          throw new AssertionError();
        };
      case "overflows":
        final Listener deep =
            new Ear() {
              @Override
              public int ask(int n) {
                tool.rush(this);
                return n;
              }
            };
        return () -> {
          try {
            tool.rush(deep);
          } catch (StackOverflowError | sidl.SIDLException seen) {
            return;
          }
          throw new AssertionError();
        };
      case "unknown values":
        return () -> {
          try {
            tool.level(5, new Holder<>());
          } catch (sidl.UnknownEnumeratorException seen) {
            return;
          }
          throw new AssertionError();
        };
      case "structs":
        return () -> {
          final ty.Mesh mesh = new ty.Mesh(1, DoubleArray.of(1), sidl.IntArray.create(2, 2), "m");
          pair.set(new ty.Pair(mesh, mesh));
          structs.mesh(mesh, pair);
        };
      case "structs with arrays":
        return () -> {
          final jv.Grid grid =
              new jv.Grid(1, DoubleArray.of(1), DoubleArray.of(1, 2, 3), "a");
          worker.refine(new Holder<>(grid), 1.0);
        };
      case "futures":
        return () -> tool.laterAsync(0, sidl.IntArray.of(1), 1).join();
      case "threads":
        return () -> {
          final Thread thread = new Thread(() -> tool.askTwice(worker, 1));
          thread.start();
          try {
            thread.join();
          } catch (InterruptedException stop) {
            throw new AssertionError(stop);
          }
        };
      default:
        throw new IllegalArgumentException(what);
    }
  }

  /** Until the garbage collector has found everything, and it was given back. */
  private static void settle() throws Exception {
    long before = -1;
    for (long now = globalReferences() + Tool.alive(); now != before; ) {
      before = now;
      for (int i = 0; i < 3; ++i) {
        System.gc();
        Thread.sleep(50);
      }
      now = globalReferences() + Tool.alive();
    }
  }

  /** In KiB. */
  private static long resident() throws IOException {
    final String status = Files.readString(Path.of("/proc/self/status"));
    final Matcher found = Pattern.compile("VmRSS:\\s+(\\d+)").matcher(status);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  private static long globalReferences() throws Exception {
    final String text =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "threadPrint",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    final Matcher found = Pattern.compile("JNI global refs: (\\d+)").matcher(text);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  public static void main(String[] arguments) throws Exception {
    final int count = Integer.parseInt(arguments[1]);
    final Round round = of(arguments[0]);
    many(count / 4, round);
    settle();
    final long references = globalReferences();
    final long living = Tool.alive();
    final long memory = resident();
    many(count, round);
    settle();
    System.out.printf(
        "references %+d objects %+d KiB %+d%n",
        globalReferences() - references, Tool.alive() - living, resident() - memory);
  }
}

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;
import sidl.DoubleArray;

/**
 * Calls from and to Java, each beside its yardstick in turn; a line of JSON for each row. The
 * arguments are the number of samples and, for calls to another process, its URL.
 */
public final class Calls {
  private static final int LARGE = 1 << 20;
  private static int sum;
  private static double total;

  private Calls() {}

  /** What is called by hand. */
  public static final class Callee {
    public void noop() {}

    public int add(int a, int b) {
      return a + b;
    }
  }

  private static double time(IntConsumer loop, int calls) {
    final long begin = System.nanoTime();
    loop.accept(calls);
    return (System.nanoTime() - begin) / (double) calls;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Half as many samples again come first, for the compiler. */
  private static void row(
      String name, int samples, int calls, IntConsumer ours, IntConsumer other, String against) {
    final double[] mine = new double[samples];
    final double[] theirs = new double[samples];
    for (int i = -samples / 2 - 2; i < samples; ++i) {
      final double first = time(ours, calls);
      final double second = time(other, calls);
      if (i >= 0) {
        mine[i] = first;
        theirs[i] = second;
      }
    }
    System.out.printf(
        "{\"name\": \"%s\", \"ns\": %.3f, \"yardstick\": %.3f, \"against\": \"%s\"}%n",
        name, median(mine), median(theirs), against);
  }

  private static void inProcess(int samples) {
    final benchc.Target target = benchc.Target.create();
    final long hand = ByHand.create();
    row("java_c.noop", samples, 200_000,
        calls -> {
          for (int i = 0; i < calls; ++i) {
            target.noop();
          }
        },
        calls -> {
          for (int i = 0; i < calls; ++i) {
            ByHand.noop(hand);
          }
        },
        "JNI by hand");
    row("java_c.add", samples, 200_000,
        calls -> {
          int s = 0;
          for (int i = 0; i < calls; ++i) {
            s = target.add(s, 1);
          }
          sum += s;
        },
        calls -> {
          int s = 0;
          for (int i = 0; i < calls; ++i) {
            s = ByHand.add(hand, s, 1);
          }
          sum += s;
        },
        "JNI by hand");
    final Callee callee = new Callee();
    row("c_java.noop", samples, 50_000, ByHand::ourNoop,
        calls -> ByHand.callNoop(callee, calls), "JNI by hand");
    row("c_java.add", samples, 50_000, ByHand::ourAdd,
        calls -> ByHand.callAdd(callee, calls), "JNI by hand");
    final DoubleArray large = DoubleArray.create(LARGE);
    final DoubleArray one = DoubleArray.create(1);
    row("java_c.array.large", samples, 5_000,
        calls -> {
          for (int i = 0; i < calls; ++i) {
            target.echo(large).close();
          }
        },
        calls -> {
          for (int i = 0; i < calls; ++i) {
            target.echo(one).close();
          }
        },
        "the same with one double");
    final DoubleBuffer buffer =
        ByteBuffer.allocateDirect(8 * LARGE).order(ByteOrder.nativeOrder()).asDoubleBuffer();
    row("java_java.element", samples, LARGE,
        calls -> {
          double s = 0;
          for (int i = 0; i < calls; ++i) {
            s += large.get(i);
          }
          total += s;
        },
        calls -> {
          double s = 0;
          for (int i = 0; i < calls; ++i) {
            s += buffer.get(i);
          }
          total += s;
        },
        "DoubleBuffer");
  }

  private static void remote(int samples, String url) {
    final benchx.Target target = benchx.Target.create(url);
    row("noop.java", samples, 1_000,
        calls -> {
          for (int i = 0; i < calls; ++i) {
            target.noop();
          }
        },
        calls -> ByHand.remoteNoop(url, calls), "the same from C");
  }

  public static void main(String[] arguments) {
    final int samples = Integer.parseInt(arguments[0]);
    if (arguments.length > 1) {
      remote(samples, arguments[1]);
    } else {
      inProcess(samples);
    }
  }
}

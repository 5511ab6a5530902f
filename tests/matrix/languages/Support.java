package mx;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import sidl.BaseArray;
import sidl.DoubleArray;
import sidl.DoubleComplex;
import sidl.FloatComplex;
import sidl.MemorySpace;

/** What the suite in Java makes and compares values with, in its program and its implementations. */
public final class Support {
  /** The test device. */
  public static final MemorySpace DEVICE = new MemorySpace(12, 0);

  private Support() {}

  public static Cell newCell(int number) {
    final Cell made = Cell.create();
    made.set(number);
    return made;
  }

  public static Named newNamed(int number) {
    return newCell(number);
  }

  public static Value newValue(int number) {
    final Value made = Value.create();
    made.set(number);
    return made;
  }

  public static Cell cellAt(String url) {
    return url == null ? Cell.create() : Cell.create(url);
  }

  public static Child childAt(String url) {
    return url == null ? Child.create() : Child.create(url);
  }

  /** Sets an element. */
  @FunctionalInterface
  public interface Setter<A, E> {
    void set(A array, long[] index, E value);
  }

  /** Elements are in row order. */
  public static <A extends BaseArray, E> A filled(A array, Setter<A, E> setter, List<E> values) {
    final int rank = array.dimension();
    final long[] index = new long[rank];
    for (int d = 0; d < rank; ++d) {
      index[d] = array.lower(d);
    }
    for (final E each : values) {
      setter.set(array, index, each);
      for (int d = rank - 1; d >= 0 && ++index[d] > array.upper(d); --d) {
        index[d] = array.lower(d);
      }
    }
    return array;
  }

  public static boolean hasBounds(BaseArray array, long[] lower, long[] upper) {
    if (array == null || array.dimension() != lower.length) {
      return false;
    }
    for (int d = 0; d < lower.length; ++d) {
      if (array.lower(d) != lower[d] || array.upper(d) != upper[d]) {
        return false;
      }
    }
    return true;
  }

  /** Every second element, from the second one on, of a larger array. */
  public static DoubleArray part(DoubleArray array) {
    final DoubleArray whole = DoubleArray.create(2 * array.length(0));
    for (int i = 0; i < whole.length(0); ++i) {
      whole.set(i, array.get(i / 2));
    }
    return whole;
  }

  public static double total(DoubleArray array) {
    double sum = 0;
    for (int i = (int) array.lower(0); i <= array.upper(0); ++i) {
      sum += array.get(i);
    }
    return sum;
  }

  public static void grow(DoubleArray array) {
    for (int i = (int) array.lower(0); i <= array.upper(0); ++i) {
      array.set(i, array.get(i) + 1);
    }
  }

  /** The library of the test device registers it. */
  public static void loadSpace() {
    System.load(System.getenv("MX_SPACE"));
    DoubleArray.of(1).close();
  }

  public static <E> boolean same(E seen, E wanted) {
    return wanted.equals(seen);
  }

  /** The sign of a zero may get lost. */
  public static boolean same(FloatComplex seen, FloatComplex wanted) {
    return seen.real() == wanted.real() && seen.imaginary() == wanted.imaginary();
  }

  public static boolean same(DoubleComplex seen, DoubleComplex wanted) {
    return seen.real() == wanted.real() && seen.imaginary() == wanted.imaginary();
  }

  public static void require(boolean condition) {
    if (!condition) {
      final StackTraceElement at = Thread.currentThread().getStackTrace()[2];
      throw new IllegalStateException("wrong in line " + at.getLineNumber());
    }
  }

  /** The answer of a call that was sent. */
  public static <T> T answer(CompletableFuture<T> future) throws Exception {
    try {
      return future.get();
    } catch (ExecutionException failure) {
      throw (Exception) failure.getCause();
    }
  }

  /** A case. */
  @FunctionalInterface
  public interface Case {
    void run() throws Exception;
  }

  /** Whether exactly this class is thrown, with this note, which may be "": any. */
  public static boolean isThrown(Class<?> type, String note, Case call) {
    try {
      call.run();
    } catch (Exception thrown) {
      if (thrown.getClass() == type && (note.isEmpty() || note.equals(thrown.getMessage()))) {
        return true;
      }
      throw new IllegalStateException("threw " + thrown, thrown);
    }
    return false;
  }

  public static void tell(String group, String name, Case run) {
    String said = "ok";
    try {
      run.run();
    } catch (Throwable failure) {
      said = failure.toString().replace('\n', ' ');
    }
    System.out.print(group + "\t" + name + "\t" + said + "\n");
    System.out.flush();
  }
}

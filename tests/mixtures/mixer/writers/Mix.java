package mx;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import sidl.BaseArray;
import sidl.BoolArray;
import sidl.CharArray;
import sidl.DoubleArray;
import sidl.DoubleComplex;
import sidl.DoubleComplexArray;
import sidl.EnumArray;
import sidl.Enumerator;
import sidl.FloatArray;
import sidl.FloatComplex;
import sidl.FloatComplexArray;
import sidl.IntArray;
import sidl.LongArray;
import sidl.ObjectArray;
import sidl.StringArray;
import sidl.binding.EnumType;
import sidl.binding.ObjectType;

/**
 * The values of keys and the codes of values (values.py), in Java. All is public, as implementations
 * have a class loader of their own.
 */
public final class Mix {
  public static final long M = 2147483647;
  private static final int[] INTS = {Integer.MIN_VALUE, Integer.MAX_VALUE, 0, -1, 1};
  private static final long[] LONGS = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1};
  private static final int[] FLOATS = {
    0, 0x80000000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 1, 0x3F800000
  };
  private static final long[] DOUBLES = {
    0, 1L << 63, 0x7FF8L << 48, 0x7FF0L << 48, 0xFFF0L << 48, 0x7FEFFFFFFFFFFFFFL, 1, 0x3FF0L << 48
  };
  private static final int[] TEXTS = {
    0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100, 127, 128, 129, 255, 256, 511, 512, 513, 4096, 16383,
    16384, 65536
  };
  public static final int[] LENGTHS = {
    0, 1, 2, 3, 7, 16, 64, 65, 127, 128, 129, 434, 511, 512, 513, 1024, 2047, 2048, 2049, 3472,
    5000, 8191, 8192, 8193
  };
  public static final int[] FEW = {0, 1, 2, 3, 5};
  private static final int[][] DIMS = {
    {}, {}, {0, 1, 2, 3, 16, 33, 64}, {0, 1, 2, 3, 8, 9}, {1, 2, 3, 4}, {1, 2, 3}, {1, 2, 3}, {1, 2}
  };

  private Mix() {}

  public static long mix(long a, long b) {
    return (a * 48271 + b) % M * 16807 % M;
  }

  public static long positive(long k) {
    return (k % M + M) % M;
  }

  // ---- one value -------------------------------------------------------------------------------

  public static boolean makeBool(long k) {
    return k % 2 == 1;
  }

  public static char makeChar(long k) {
    return (char) (33 + k % 94);
  }

  public static int makeInt(long k) {
    return k % 8 == 0 ? INTS[(int) (k / 8 % 5)] : (int) (k - (1 << 30));
  }

  public static long makeLong(long k) {
    return k % 8 == 0 ? LONGS[(int) (k / 8 % 5)] : (k - (1 << 30)) * (1L << 31) + mix(k, 1);
  }

  public static float makeFloat(long k) {
    return k % 8 == 0
        ? Float.intBitsToFloat(FLOATS[(int) (k / 8 % 8)])
        : (float) (k % (1 << 23) - (1 << 22)) / 256;
  }

  public static double makeDouble(long k) {
    return k % 8 == 0
        ? Double.longBitsToDouble(DOUBLES[(int) (k / 8 % 8)])
        : (double) (k - (1 << 30)) / 1024;
  }

  public static FloatComplex makeFloatComplex(long k) {
    return new FloatComplex(makeFloat(mix(k, 1)), makeFloat(mix(k, 2)));
  }

  public static DoubleComplex makeDoubleComplex(long k) {
    return new DoubleComplex(makeDouble(mix(k, 1)), makeDouble(mix(k, 2)));
  }

  /** Of so many bytes. */
  private static String text(long k, int length) {
    final StringBuilder made = new StringBuilder();
    final boolean isForeign = k % 5 == 0 && length >= 2;
    if (isForeign) {
      made.append('ü');
    }
    for (int i = isForeign ? 2 : 0; i < length; ++i) {
      made.append((char) (33 + (k + 7L * i) % 94));
    }
    return made.toString();
  }

  public static String makeText(long k) {
    return text(k, TEXTS[(int) (k % TEXTS.length)]);
  }

  public static Cell makeCell(long k) {
    if (k % 8 == 0) {
      return null;
    }
    final Cell made = Cell.create();
    made.setId(mix(k, 9));
    return made;
  }

  public static Named makeNamed(long k) {
    return makeCell(k);
  }

  public static Value makeValue(long k) {
    if (k % 8 == 0) {
      return null;
    }
    final Value made = Value.create();
    made.setId(mix(k, 9));
    return made;
  }

  public static long code(boolean v) {
    return v ? 1 : 0;
  }

  public static long code(char v) {
    return v;
  }

  public static long code(int v) {
    return (v + (1L << 31)) % M;
  }

  public static long code(long v) {
    return ((v >> 32) + (1L << 31) + 3 * (v & 0xFFFFFFFFL)) % M;
  }

  public static long code(float v) {
    return Float.isNaN(v) ? 7 : (Float.floatToRawIntBits(v) & 0xFFFFFFFFL) % M;
  }

  public static long code(double v) {
    return Double.isNaN(v) ? 7 : code(Double.doubleToRawLongBits(v));
  }

  public static long code(FloatComplex v) {
    return mix(code(v.real()), code(v.imaginary()));
  }

  public static long code(DoubleComplex v) {
    return mix(code(v.real()), code(v.imaginary()));
  }

  public static long code(Enumerator v) {
    return code(v.value());
  }

  private static long weight(long i) {
    return 1 + i * 40503 % 65521;
  }

  public static long code(String v) {
    final byte[] bytes = (v == null ? "" : v).getBytes(StandardCharsets.UTF_8);
    long sum = 0;
    for (int i = 0; i < bytes.length; ++i) {
      sum += (bytes[i] & 0xFF) * weight(i);
    }
    return mix(sum % M, bytes.length);
  }

  public static long code(Named v) {
    return v == null ? 3 : v.id();
  }

  public static long code(Value v) {
    return v == null ? 3 : v.id();
  }

  // ---- arrays ----------------------------------------------------------------------------------

  /** Makes an array between bounds. */
  @FunctionalInterface
  public interface Creator<A> {
    A create(long[] lower, long[] upper);
  }

  /** Part of an array. */
  @FunctionalInterface
  public interface Part<A> {
    A slice(A array, long[] lengths, long[] start, long[] step, long[] lower);
  }

  /** Sets an element to what a key stands for. */
  @FunctionalInterface
  public interface Put<A> {
    void put(A array, long[] index, long key);
  }

  /** The code of an element. */
  @FunctionalInterface
  public interface Item<A> {
    long code(A array, long[] index);
  }

  /** What there is to know of a type of arrays. */
  public record Family<A extends BaseArray>(boolean isSmall, Class<?> type, Creator<A> creator,
      UnaryOperator<A> inColumns, Part<A> part, Put<A> put, Item<A> item) {}

  public static final Family<BoolArray> BOOL = new Family<>(false, BoolArray.class,
      BoolArray::createBetween, BoolArray::columnMajor, BoolArray::slice,
      (a, i, k) -> a.set(i, makeBool(k)), (a, i) -> code(a.get(i)));
  public static final Family<CharArray> CHAR = new Family<>(false, CharArray.class,
      CharArray::createBetween, CharArray::columnMajor, CharArray::slice,
      (a, i, k) -> a.set(i, makeChar(k)), (a, i) -> code(a.get(i)));
  public static final Family<IntArray> INT = new Family<>(false, IntArray.class,
      IntArray::createBetween, IntArray::columnMajor, IntArray::slice,
      (a, i, k) -> a.set(i, makeInt(k)), (a, i) -> code(a.get(i)));
  public static final Family<LongArray> LONG = new Family<>(false, LongArray.class,
      LongArray::createBetween, LongArray::columnMajor, LongArray::slice,
      (a, i, k) -> a.set(i, makeLong(k)), (a, i) -> code(a.get(i)));
  public static final Family<FloatArray> FLOAT = new Family<>(false, FloatArray.class,
      FloatArray::createBetween, FloatArray::columnMajor, FloatArray::slice,
      (a, i, k) -> a.set(i, makeFloat(k)), (a, i) -> code(a.get(i)));
  public static final Family<DoubleArray> DOUBLE = new Family<>(false, DoubleArray.class,
      DoubleArray::createBetween, DoubleArray::columnMajor, DoubleArray::slice,
      (a, i, k) -> a.set(i, makeDouble(k)), (a, i) -> code(a.get(i)));
  public static final Family<FloatComplexArray> FCOMPLEX = new Family<>(false, FloatComplexArray.class,
      FloatComplexArray::createBetween, FloatComplexArray::columnMajor, FloatComplexArray::slice,
      (a, i, k) -> a.set(i, makeFloatComplex(k)), (a, i) -> code(a.get(i)));
  public static final Family<DoubleComplexArray> DCOMPLEX = new Family<>(false, DoubleComplexArray.class,
      DoubleComplexArray::createBetween, DoubleComplexArray::columnMajor, DoubleComplexArray::slice,
      (a, i, k) -> a.set(i, makeDoubleComplex(k)), (a, i) -> code(a.get(i)));
  public static final Family<StringArray> STRING = new Family<>(true, StringArray.class,
      StringArray::createBetween, StringArray::columnMajor, StringArray::slice,
      (a, i, k) -> a.set(i, text(k, (int) (k % 7))), (a, i) -> code(a.get(i)));
  public static final Family<ObjectArray<Cell>> CELL = objects(Cell._type, Mix::makeCell);
  public static final Family<ObjectArray<Named>> NAMED = objects(Named._type, Mix::makeNamed);
  private static final Family<?>[] ANY = {
    BOOL, CHAR, INT, LONG, FLOAT, DOUBLE, FCOMPLEX, DCOMPLEX, STRING
  };

  /** What a key stands for. */
  @FunctionalInterface
  public interface Maker<T> {
    T make(long key);
  }

  private static <T extends Named> Family<ObjectArray<T>> objects(ObjectType<T> type, Maker<T> maker) {
    return new Family<>(true, ObjectArray.class,
        (lower, upper) -> ObjectArray.createBetween(type, lower, upper),
        ObjectArray::columnMajor, ObjectArray::slice,
        (a, i, k) -> a.set(i, maker.make(k)), (a, i) -> code(a.get(i)));
  }

  public static <E extends Enumerator> Family<EnumArray<E>> enums(EnumType<E> type, Maker<E> maker) {
    return new Family<>(false, EnumArray.class,
        (lower, upper) -> EnumArray.createBetween(type, lower, upper),
        EnumArray::columnMajor, EnumArray::slice,
        (a, i, k) -> a.set(i, maker.make(k)), (a, i) -> code(a.get(i)));
  }

  private static boolean isNull(long k) {
    return mix(k, 1) % 8 == 0;
  }

  private static int length(boolean isSmall, int rank, long draw) {
    final int[] all = isSmall && rank <= 2 ? FEW : rank == 1 ? LENGTHS : DIMS[rank];
    return all[(int) (draw % all.length)];
  }

  /** Calls `visit` for each index, in row order. */
  private static void each(BaseArray array, java.util.function.BiConsumer<long[], Long> visit) {
    final int rank = array.dimension();
    final long[] index = new long[rank];
    long count = 1;
    for (int d = 0; d < rank; ++d) {
      index[d] = array.lower(d);
      count *= array.length(d);
    }
    for (long n = 0; n < count; ++n) {
      visit.accept(index, n);
      for (int d = rank - 1; d >= 0 && ++index[d] > array.upper(d); --d) {
        index[d] = array.lower(d);
      }
    }
  }

  public static <A extends BaseArray> void fill(Family<A> family, A array, long k) {
    if (array != null) {
      each(array, (index, n) -> family.put().put(array, index, mix(k, 1000 + n)));
    }
  }

  private static <A extends BaseArray> A create(Family<A> family, long[] lower, long[] lengths) {
    final long[] upper = new long[lengths.length];
    for (int d = 0; d < lengths.length; ++d) {
      upper[d] = lower[d] + lengths[d] - 1;
    }
    return family.creator().create(lower, upper);
  }

  /** In rows or columns, or every other one of a larger array; its indices begin anywhere. */
  public static <A extends BaseArray> A make(Family<A> family, long k, boolean nulls, int rank) {
    if (nulls && isNull(k)) {
      return null;
    }
    final long[] lower = new long[rank];
    final long[] lengths = new long[rank];
    final long[] twice = new long[rank];
    final long[] two = new long[rank];
    for (int d = 0; d < rank; ++d) {
      lower[d] = k % 3 == 0 ? k % 7 - 3 : 0;
      lengths[d] = length(family.isSmall(), rank, mix(k, 2 + d));
      twice[d] = 2 * lengths[d];
      two[d] = 2;
    }
    A made;
    if (k % 5 == 0 && LongStream.of(lengths).allMatch(each -> each > 0)) {
      final A larger = create(family, lower, twice);
      made = family.part().slice(k % 2 == 0 ? larger : family.inColumns().apply(larger), lengths,
          lower, two, lower);
    } else {
      made = create(family, lower, lengths);
      made = k % 2 == 0 ? made : family.inColumns().apply(made);
    }
    fill(family, made, k);
    return made;
  }

  /** A raw array with n elements or rows. */
  public static <A extends BaseArray> A raw(Family<A> family, long k, int rank, int n) {
    final long[] lengths = rank == 1 ? new long[] {n} : new long[] {n, 2};
    final A made = family.inColumns().apply(create(family, new long[rank], lengths));
    fill(family, made, k);
    return made;
  }

  public static int rawLength(long key, int rank) {
    final int[] all = rank == 2 ? FEW : LENGTHS;
    return all[(int) (mix(key, 102) % all.length)];
  }

  public static <A extends BaseArray> long code(Family<A> family, A array) {
    if (array == null) {
      return 5;
    }
    long found = array.dimension();
    for (int d = 0; d < array.dimension(); ++d) {
      found = mix(found, array.length(d));
    }
    final long[] sum = {0};
    each(array, (index, n) ->
        sum[0] = (sum[0] + family.item().code(array, index) * weight(n) % M) % M);
    return mix(found, sum[0]);
  }

  public static BaseArray makeAny(long k, boolean nulls) {
    if (nulls && isNull(k)) {
      return null;
    }
    return make(ANY[(int) (mix(k, 6) % ANY.length)], k, false, (int) (1 + mix(k, 7) % 3));
  }

  public static long codeAny(BaseArray array) {
    if (array == null) {
      return 5;
    }
    for (int n = 0; n < ANY.length; ++n) {
      if (ANY[n].type() == array.getClass()) {
        return mix(codeAs(ANY[n], array), n);
      }
    }
    throw new IllegalArgumentException(array.getClass().toString());
  }

  @SuppressWarnings("unchecked") // the caller has looked
  private static <A extends BaseArray> long codeAs(Family<A> family, BaseArray array) {
    return code(family, (A) array);
  }

  // ---- what implementations and callers share --------------------------------------------------

  public static String text(Throwable thrown) {
    return thrown.getClass().getName() + " " + thrown.getMessage();
  }

  public static long code(Throwable thrown) {
    return mix(code(thrown.getClass().getName()), code(thrown.getMessage()));
  }

  /** The answer of a call that was sent. */
  public static <T> T answer(CompletableFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new IllegalStateException(failure);
    } catch (InterruptedException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Objects that nobody has any more are given back. */
  public static void collect() {
    System.gc();
  }
}

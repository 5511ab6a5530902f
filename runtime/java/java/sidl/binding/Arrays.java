package sidl.binding;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.function.Function;
import sidl.BaseArray;

/** For generated code: moves arrays between Java and frames, and makes new ones. */
public final class Arrays {
  /** The highest index of an array, and its negative the lowest: as SIDL_MAX_ARRAY_INDEX. */
  private static final long MOST_INDEX = 1L << 62;

  private Arrays() {}

  /** The handle of an array; null of null. */
  static Handle handleOf(ArrayStub array) {
    if (array == null) {
      return null;
    }
    array.requireOpen();
    return array.handle();
  }

  /**
   * Takes an array out of a slot.
   *
   * @param <A> its class
   * @param frame the frame
   * @param at the slot
   * @param maker makes it
   * @return the array, or null
   */
  public static <A extends ArrayStub> A take(Frame frame, int at, Function<ArrayData, A> maker) {
    final long ior = frame.getLong(at);
    frame.putLong(at, 0);
    return ior == 0 ? null : maker.apply(new ArrayData(ior));
  }

  /**
   * The same of an inout argument.
   *
   * @param <A> its class
   * @param frame the frame
   * @param at the slot
   * @param old what it was before
   * @param maker makes it
   * @return the array, or null
   */
  public static <A extends ArrayStub> A take(
      Frame frame, int at, A old, Function<ArrayData, A> maker) {
    final long ior = frame.getLong(at);
    if (ior != 0 && old != null && Native.object(old.handle().cell) == ior) {
      frame.putLong(at, 0);
      Native.dropArray(ior);
      return old;
    }
    return take(frame, at, maker);
  }

  /**
   * Reads an array that is lent for a call.
   *
   * @param <A> its class
   * @param frame the frame
   * @param at the slot
   * @param maker makes it
   * @return the array, which is closed at the end of the call, or null
   */
  public static <A extends BaseArray> A get(Frame frame, int at, Function<ArrayData, A> maker) {
    final A result = share(frame, at, maker);
    if (result != null) {
      frame.lend(result);
    }
    return result;
  }

  /**
   * Reads an array that stays where it is.
   *
   * @param <A> its class
   * @param frame the frame
   * @param at the slot
   * @param maker makes it
   * @return the array with a reference of its own, or null
   */
  public static <A extends ArrayStub> A share(Frame frame, int at, Function<ArrayData, A> maker) {
    final long ior = frame.getLong(at);
    if (ior == 0) {
      return null;
    }
    Native.addRefArray(ior);
    return maker.apply(new ArrayData(ior));
  }

  /**
   * A new array.
   *
   * @param type of its elements
   * @param structInfo of elements that are structs, else 0
   * @param order 1: column-major, 2: row-major
   * @param lower lowest indices
   * @param upper highest indices
   * @return its data
   */
  public static ArrayData create(
      int type, long structInfo, int order, long[] lower, long[] upper) {
    if (lower.length != upper.length || lower.length < 1 || lower.length > 7) {
      throw new IllegalArgumentException(
          "an array has 1 to 7 dimensions, each with a lowest and a highest index; there are "
              + lower.length
              + " lowest ones and "
              + upper.length
              + " highest ones");
    }
    for (int d = 0; d < lower.length; ++d) {
      requireBounds(d, lower[d], upper[d]);
    }
    return checked(Native.createArray(type, structInfo, order, lower, upper));
  }

  /** The bounds of no elements are indices, too. */
  private static void requireBounds(int dimension, long lower, long upper) {
    if (lower < -MOST_INDEX || lower > MOST_INDEX || upper < -MOST_INDEX || upper > MOST_INDEX) {
      throw new IllegalArgumentException(
          "dimension " + dimension + " cannot be from " + lower + " to " + upper + ": indices are "
              + -MOST_INDEX + " to " + MOST_INDEX);
    }
    if (upper < lower - 1) {
      throw new IllegalArgumentException(
          "dimension " + dimension + " would have a negative length: from " + lower + " to " + upper);
    }
  }

  /** Why there is no such slice of an array; `lower` is of the dimensions that it has itself. */
  static IllegalArgumentException noSlice(long[] lengths, long[] lower) {
    int d = 0;
    for (final long length : lengths) {
      if (lower == null || length <= 0) {
        continue;
      }
      if (lower[d] < -MOST_INDEX || lower[d] > MOST_INDEX - (length - 1)) {
        return new IllegalArgumentException(
            "dimension " + d + " of the slice has " + length + " elements and cannot begin at "
                + lower[d]);
      }
      ++d;
    }
    return new IllegalArgumentException("the array does not contain such a slice");
  }

  /**
   * The same from index 0.
   *
   * @param type of its elements
   * @param structInfo of elements that are structs, else 0
   * @param order 1: column-major, 2: row-major
   * @param lengths of the dimensions
   * @return its data
   */
  public static ArrayData create(int type, long structInfo, int order, long... lengths) {
    final long[] upper = new long[lengths.length];
    for (int d = 0; d < lengths.length; ++d) {
      upper[d] = lengths[d] == Long.MIN_VALUE ? lengths[d] : lengths[d] - 1;
    }
    return create(type, structInfo, order, new long[lengths.length], upper);
  }

  /**
   * An array over a direct buffer.
   *
   * @param type of its elements
   * @param memory the buffer
   * @param order 1: column-major, 2: row-major
   * @param lengths of the dimensions
   * @return its data
   */
  public static ArrayData borrow(int type, Buffer memory, int order, long... lengths) {
    if (!memory.isDirect() || memory.isReadOnly()) {
      throw new IllegalArgumentException("an array can only share a direct buffer that is writable");
    }
    if (orderOf(memory) != ByteOrder.nativeOrder()) {
      throw new IllegalArgumentException(
          "the buffer is in another byte order than the machine: make it of a ByteBuffer after"
              + " order(ByteOrder.nativeOrder())");
    }
    final int bytes = bytesOf(memory);
    if (Native.addressOf(memory) % bytes != 0) { // other languages may not read them there
      throw new IllegalArgumentException(
          "the buffer's elements are at no multiples of " + bytes + " bytes: make it of alignedSlice("
              + bytes + ") of the ByteBuffer, in the byte order of the machine");
    }
    final int dimension = lengths.length;
    final long[] upper = new long[dimension];
    final long[] stride = new long[dimension];
    long count = 1;
    for (int i = 0; i < dimension; ++i) {
      final int d = order == 1 ? i : dimension - 1 - i;
      if (lengths[d] < 0) {
        throw new IllegalArgumentException("dimension " + d + " has a negative length");
      }
      stride[d] = count;
      upper[d] = lengths[d] - 1;
      if (lengths[d] > 0 && count > Long.MAX_VALUE / lengths[d]) {
        throw new IllegalArgumentException(
            "the buffer has " + memory.remaining() + " elements, and the array would have more than "
                + Long.MAX_VALUE);
      }
      count *= lengths[d];
    }
    if (count > memory.remaining()) {
      throw new IllegalArgumentException(
          "the buffer has " + memory.remaining() + " elements, and the array would have " + count);
    }
    return checked(
        Native.borrowArray(
            type, memory, memory.position(), new long[dimension], upper, stride));
  }

  private static int bytesOf(Buffer memory) {
    if (memory instanceof ByteBuffer) {
      return 1;
    }
    return memory instanceof DoubleBuffer || memory instanceof LongBuffer ? 8 : 4;
  }

  private static ByteOrder orderOf(Buffer memory) {
    if (memory instanceof DoubleBuffer doubles) {
      return doubles.order();
    }
    if (memory instanceof FloatBuffer floats) {
      return floats.order();
    }
    if (memory instanceof IntBuffer ints) {
      return ints.order();
    }
    if (memory instanceof LongBuffer longs) {
      return longs.order();
    }
    return ByteOrder.nativeOrder(); // of bytes
  }

  static ArrayData checked(long ior) {
    if (ior == 0) {
      throw new OutOfMemoryError("no memory for a SIDL array");
    }
    return new ArrayData(ior);
  }

  /** Makes what the elements' type says, but arrays of enums, structs and objects. */
  static BaseArray wrap(long ior) {
    return ior == 0 ? null : BaseArray._of(new ArrayData(ior));
  }

  // ---- elements that are not numbers ----------------------------------------------------------

  /**
   * Reads an element.
   *
   * @param array the array
   * @param index its indices
   * @return its value
   */
  public static String getString(ArrayStub array, long[] index) {
    return Text.decode(Native.getText(handleOf(array), index));
  }

  /**
   * Writes an element.
   *
   * @param array the array
   * @param index its indices
   * @param value its new value
   */
  public static void setString(ArrayStub array, long[] index, String value) {
    Native.setText(handleOf(array), index, Text.encode(value));
  }

  /**
   * Reads an element.
   *
   * @param <T> its class
   * @param array the array
   * @param index its indices
   * @param type its type
   * @return its value
   */
  public static <T> T getObject(ArrayStub array, long[] index, ObjectType<T> type) {
    final long found = Native.getObject(handleOf(array), index);
    if (found == 0) {
      return null;
    }
    final long cast = Native.castOver(found, type.info);
    if (cast == 0) {
      throw new ClassCastException("an element of the array is not a " + type);
    }
    return type.wrap(cast);
  }

  /**
   * Writes an element.
   *
   * @param array the array
   * @param index its indices
   * @param value its new value
   */
  public static void setObject(ArrayStub array, long[] index, Object value) {
    Native.setObject(handleOf(array), index, Handle.of(value));
  }

  /**
   * Reads an element.
   *
   * @param <S> its class
   * @param memory it lies in
   * @param at where
   * @param type its type
   * @return its value
   */
  public static <S> S getStruct(ByteBuffer memory, int at, StructType<S> type) {
    return type.get(Frame.over(memory), at + Frame.START);
  }

  /**
   * Writes an element.
   *
   * @param <S> its class
   * @param array the array
   * @param index its indices
   * @param value its new value
   * @param type its type
   */
  public static <S> void setStruct(
      ArrayStub array, long[] index, S value, StructType<S> type) {
    final ByteBuffer memory =
        ByteBuffer.allocateDirect(type.size()).order(ByteOrder.nativeOrder());
    final Frame frame = Frame.over(memory);
    try {
      type.give(frame, Frame.START, value, "element");
      Native.setStruct(handleOf(array), index, Native.addressOf(memory));
    } finally {
      type.release(frame, Frame.START);
    }
  }
}

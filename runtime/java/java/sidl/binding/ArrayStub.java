package sidl.binding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The part of all SIDL arrays that deals with memory. */
public abstract class ArrayStub implements AutoCloseable {
  /** Bytes of a window; a multiple of every element's. */
  private static final int WINDOW = 1 << 30;

  private final ArrayData data;
  private final long lowest; // bytes from the lowest address to the first element
  private final long bytes; // of memory that elements lie in
  private ByteBuffer[] windows; // over it
  private boolean isOnLoan;
  private boolean wasLent;
  private List<ArrayStub> sharers; // of what is on loan, and end with it
  private boolean isKept; // by its memory

  /**
   * For generated code.
   *
   * @param data what it is
   */
  protected ArrayStub(ArrayData data) {
    this.data = data;
    long below = 0;
    long above = 0;
    boolean isEmpty = false;
    for (int d = 0; d < data.dimension; ++d) {
      final long reach = (data.upper[d] - data.lower[d]) * data.stride[d];
      isEmpty |= data.upper[d] < data.lower[d];
      below += Math.min(reach, 0);
      above += Math.max(reach, 0);
    }
    lowest = isEmpty ? 0 : -below * data.elementBytes;
    bytes = isEmpty || data.first == 0 ? 0 : (above - below + 1) * data.elementBytes;
    windows = new ByteBuffer[(int) ((bytes + WINDOW - 1) / WINDOW)];
    if (data.lender != null) {
      data.lender.add(this);
      data.lender = null;
    }
  }

  private synchronized void add(ArrayStub sharer) {
    if (sharers == null) {
      sharers = new ArrayList<>();
    }
    sharers.add(sharer);
    sharer.isOnLoan = true;
  }

  final Handle handle() {
    return data.handle;
  }

  /**
   * The number of dimensions.
   *
   * @return 1 to 7
   */
  public final int dimension() {
    return data.dimension;
  }

  /**
   * The lowest index.
   *
   * @param d the dimension, from 0
   * @return the index
   */
  public final long lower(int d) {
    return data.lower[d];
  }

  /**
   * The highest index.
   *
   * @param d the dimension, from 0
   * @return the index
   */
  public final long upper(int d) {
    return data.upper[d];
  }

  /**
   * The distance of neighbours.
   *
   * @param d the dimension, from 0
   * @return the distance in elements
   */
  public final long stride(int d) {
    return data.stride[d];
  }

  /**
   * The number of indices.
   *
   * @param d the dimension, from 0
   * @return the number
   */
  public final long length(int d) {
    return data.upper[d] - data.lower[d] + 1;
  }

  /** Gives the reference to the array back, without waiting for Java to do so. */
  @Override
  public void close() {
    windows = null;
    data.handle.closeArray(data.bytes());
  }

  /** It is lent for a call. */
  final void beginLoan() {
    isOnLoan = true;
  }

  /** The call that it was lent for is over. */
  final synchronized void endLoan() {
    isOnLoan = false;
    wasLent = true;
    close();
    if (sharers != null) {
      for (final ArrayStub each : sharers) {
        each.endLoan();
      }
    }
  }

  /** What has been made of this array: of one on loan it ends with that, if it shares its elements. */
  private ArrayData made(ArrayData data) {
    if (isOnLoan && data.isBorrowed) {
      data.lender = this;
    }
    return data;
  }

  /**
   * The code of the type of elements.
   *
   * @return a value of enum sidl_array_type
   */
  protected final int elementType() {
    return data.type;
  }

  /**
   * All elements' memory as one buffer.
   *
   * @return the buffer; null if it is larger than a buffer can be, or not in host memory
   */
  protected final ByteBuffer wholeMemory() {
    if (data.first == 0 || bytes > WINDOW) {
      return null;
    }
    if (bytes == 0) {
      return ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder());
    }
    windows[0] = Native.memoryAt(data.first - lowest, bytes).order(ByteOrder.nativeOrder());
    return windows[0];
  }

  /** A view of the memory is handed out: as long as it is in use, the array is not given back. */
  protected final synchronized void keepForViews() {
    if (!isKept && windows[0] != null) {
      isKept = true;
      data.handle.staysWith(windows[0]);
    }
  }

  /**
   * Where the first element is in the buffer.
   *
   * @return the number of elements before it
   */
  protected final long origin() {
    return lowest / Math.max(data.elementBytes, 1);
  }

  /**
   * The place of an element, checked.
   *
   * @param index its indices
   * @return bytes from the lowest address
   */
  protected final long placeOf(long... index) {
    check(index);
    long place = lowest;
    for (int d = 0; d < index.length; ++d) {
      place += (index[d] - data.lower[d]) * data.stride[d] * data.elementBytes;
    }
    return place;
  }

  /**
   * Throws unless there is such an element.
   *
   * @param index its indices
   */
  protected final void check(long... index) {
    requireOpen();
    if (index.length != data.dimension) {
      throw new IllegalArgumentException(
          "an array of " + data.dimension + " dimensions has no element with "
              + index.length + " indices");
    }
    for (int d = 0; d < index.length; ++d) {
      if (index[d] < data.lower[d] || index[d] > data.upper[d]) {
        throw new IndexOutOfBoundsException(
            "index " + index[d] + " of dimension " + d + " is not within " + data.lower[d] + " to "
                + data.upper[d]);
      }
    }
    if (data.first == 0) {
      throw new sidl.MemorySpaceException(
          "the elements of the array are not in host memory, where Java needs them");
    }
  }

  /** Throws if it has been closed. */
  protected final void requireOpen() {
    if (windows == null) {
      throw new IllegalStateException(
          wasLent
              ? "the array was lent for a call, which is over; a method that keeps one needs a copy()"
              : "the array is closed");
    }
  }

  /**
   * The buffer with a place. The place in it is {@code (int) (place % (1 << 30))}.
   *
   * @param place bytes from the lowest address
   * @return the buffer
   */
  protected final ByteBuffer windowOf(long place) {
    final int number = (int) (place / WINDOW);
    if (windows[number] == null) {
      final long start = (long) number * WINDOW;
      windows[number] =
          Native.memoryAt(data.first - lowest + start, Math.min(WINDOW, bytes - start))
              .order(ByteOrder.nativeOrder());
    }
    return windows[number];
  }

  /**
   * The place in the buffer that windowOf returns.
   *
   * @param place bytes from the lowest address
   * @return its index in the buffer
   */
  protected static int inWindow(long place) {
    return (int) (place % WINDOW);
  }

  /**
   * Whether the elements are dense and the first index runs fastest.
   *
   * @return true if so
   */
  public final boolean isColumnOrder() {
    long expected = 1;
    for (int d = 0; d < data.dimension; ++d) {
      if (data.stride[d] != expected && length(d) > 1) {
        return false;
      }
      expected *= length(d);
    }
    return true;
  }

  /**
   * Whether the elements are dense and the last index runs fastest.
   *
   * @return true if so
   */
  public final boolean isRowOrder() {
    long expected = 1;
    for (int d = data.dimension - 1; d >= 0; --d) {
      if (data.stride[d] != expected && length(d) > 1) {
        return false;
      }
      expected *= length(d);
    }
    return true;
  }

  /**
   * A part of the array that shares its elements.
   *
   * @param lengths number of indices in each dimension; 0: the dimension is left out
   * @param start indices of the first element; null: the lowest
   * @param step distances of its neighbours in this array; null: 1
   * @param lower lowest indices of the new array; null: 0
   * @return the data of the new array
   */
  protected final ArrayData sliceData(long[] lengths, long[] start, long[] step, long[] lower) {
    requireOpen();
    if (lengths.length != data.dimension
        || (start != null && start.length != data.dimension)
        || (step != null && step.length != data.dimension)) {
      throw new IllegalArgumentException(
          "a slice of an array of " + data.dimension + " dimensions needs as many numbers");
    }
    int dimension = 0;
    for (final long each : lengths) {
      dimension += each > 0 ? 1 : 0;
    }
    if (lower != null && lower.length != dimension) {
      throw new IllegalArgumentException(
          "a slice of " + dimension + " dimensions needs as many lower bounds");
    }
    final long made = Native.sliceArray(data.handle, dimension, lengths, start, step, lower);
    if (made == 0) {
      throw Arrays.noSlice(lengths, lower);
    }
    return made(new ArrayData(made));
  }

  /**
   * A dense copy, or the array itself with another reference if it is one.
   *
   * @param order 1: column-major, 2: row-major
   * @return the data of the new array
   */
  protected final ArrayData ensureData(int order) {
    requireOpen();
    return made(Arrays.checked(Native.ensureArray(data.handle, data.dimension, order)));
  }

  /**
   * A copy of the same shape, in row-major order unless it is in column-major order.
   *
   * @return the data of the new array
   */
  protected final ArrayData copyData() {
    requireOpen();
    final int order = isColumnOrder() && !isRowOrder() ? 1 : 2;
    final ArrayData made =
        Arrays.checked(
            Native.createArray(data.type, data.structInfo, order, data.lower, data.upper));
    Native.copyArray(data.handle, made.handle);
    return made;
  }

  /**
   * Copies elements of the same indices from another array.
   *
   * @param from the other array
   */
  protected final void copyElements(ArrayStub from) {
    requireOpen();
    from.requireOpen();
    if (from.data.dimension != data.dimension) {
      throw new IllegalArgumentException(
          "an array of " + data.dimension + " dimensions has no elements of the indices of one of "
              + from.data.dimension);
    }
    Native.copyArray(from.data.handle, data.handle);
  }

  /**
   * The array in a memory space.
   *
   * @param space where its elements shall be
   * @return the data of the array itself with another reference, or of a copy
   */
  protected final ArrayData dataIn(sidl.MemorySpace space) {
    requireOpen();
    final long made = Native.arrayIn(data.handle, space.deviceType(), space.deviceId());
    if (made == 0) {
      throw new sidl.MemorySpaceException(
          "the array cannot be copied to device " + space.deviceType() + ":" + space.deviceId()
              + ": no library for its memory is loaded, or there is no memory");
    }
    return made(new ArrayData(made));
  }

  /**
   * Where the elements are.
   *
   * @return their memory space
   */
  public final sidl.MemorySpace space() {
    requireOpen();
    final long place = Native.spaceOf(data.handle);
    return new sidl.MemorySpace((int) (place >> 32), (int) place);
  }
}

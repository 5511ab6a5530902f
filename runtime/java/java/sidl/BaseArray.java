package sidl;

import sidl.binding.ArrayData;
import sidl.binding.ArrayStub;
import sidl.binding.Arrays;
import sidl.binding.Frame;
import sidl.binding.StructType;

/**
 * What all SIDL arrays have in common, whatever their elements are: one to seven dimensions, each
 * with a lowest and a highest index, in native memory that is shared with other languages. Dimensions
 * count from 0.
 *
 * <p>An array that a method written in Java gets is lent to it: it is closed when the method
 * returns. One that is to be kept is copied.
 */
public abstract class BaseArray extends ArrayStub {
  /**
   * For generated code.
   *
   * @param data what it is
   */
  protected BaseArray(ArrayData data) {
    super(data);
  }

  /**
   * For generated code: an array of the class for its elements.
   *
   * @param data what it is
   * @return the array
   */
  public static BaseArray _of(ArrayData data) {
    final StructType<?> struct = StructType.of(data);
    return struct != null ? new StructArray<>(data, struct) : new Unknown(data)._known(data);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @return the array, or null
   */
  public static BaseArray take(Frame frame, int at) {
    return Arrays.take(frame, at, BaseArray::_of);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @param old what it was before
   * @return the array, or null
   */
  public static BaseArray take(Frame frame, int at, BaseArray old) {
    return Arrays.take(frame, at, old, BaseArray::_of);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @return the array, or null
   */
  public static BaseArray get(Frame frame, int at) {
    return Arrays.get(frame, at, BaseArray::_of);
  }

  /**
   * For generated code: of a struct.
   *
   * @param frame the memory
   * @param at its place
   * @return the array with a reference of its own, or null
   */
  public static BaseArray share(Frame frame, int at) {
    return Arrays.share(frame, at, BaseArray::_of);
  }

  /**
   * The number of elements.
   *
   * @return the product of all lengths
   */
  public final long count() {
    long result = 1;
    for (int d = 0; d < dimension(); ++d) {
      result *= length(d);
    }
    return result;
  }

  /**
   * The array in a memory space.
   *
   * @param space where its elements shall be
   * @return the array itself with another reference, or a copy
   */
  public BaseArray in(MemorySpace space) {
    return _of(dataIn(space));
  }

  @Override
  public String toString() {
    final StringBuilder shape = new StringBuilder();
    for (int d = 0; d < dimension(); ++d) {
      shape.append(d == 0 ? "" : ", ").append(lower(d)).append(" to ").append(upper(d));
    }
    return getClass().getSimpleName() + "[" + shape + "]";
  }

  /** Finds the class for the type of elements. Those of enums and objects are not known by it. */
  private static final class Unknown extends BaseArray {
    Unknown(ArrayData data) {
      super(data);
    }

    private BaseArray _known(ArrayData data) {
      switch (elementType()) {
        case 1:
          return new BoolArray(data);
        case 2:
          return new CharArray(data);
        case 3:
          return new DoubleComplexArray(data);
        case 4:
          return new DoubleArray(data);
        case 5:
          return new FloatComplexArray(data);
        case 6:
          return new FloatArray(data);
        case 7:
          return new IntArray(data);
        case 8:
          return new LongArray(data);
        case 9:
          return new OpaqueArray(data);
        case 10:
          return new StringArray(data);
        case 11:
          return new ObjectArray<>(data, BaseInterface._type);
        default:
          return this;
      }
    }
  }
}

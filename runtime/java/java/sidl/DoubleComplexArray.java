package sidl;

import java.nio.ByteBuffer;
import java.util.List;
import sidl.binding.ArrayData;
import sidl.binding.Arrays;
import sidl.binding.Frame;

/**
 * An array of complex numbers.
 */
public final class DoubleComplexArray extends ElementArray<DoubleComplex> {
  /**
   * For generated code.
   *
   * @param data what it is
   */
  public DoubleComplexArray(ArrayData data) {
    super(data);
  }

  /**
   * A new array in row-major order, from index 0.
   *
   * @param lengths of the dimensions
   * @return the array
   */
  public static DoubleComplexArray create(long... lengths) {
    return new DoubleComplexArray(Arrays.create(3, 0, 2, lengths));
  }

  /**
   * A new array in column-major order, from index 0.
   *
   * @param lengths of the dimensions
   * @return the array
   */
  public static DoubleComplexArray createColumnMajor(long... lengths) {
    return new DoubleComplexArray(Arrays.create(3, 0, 1, lengths));
  }

  /**
   * An array of one dimension with these elements.
   *
   * @param values the elements
   * @return the array
   */
  public static DoubleComplexArray of(List<DoubleComplex> values) {
    final DoubleComplexArray result = create(values.size());
    result.fill(values);
    return result;
  }

  /**
   * A new array in row-major order.
   *
   * @param lower lowest indices
   * @param upper highest indices
   * @return the array
   */
  public static DoubleComplexArray createBetween(long[] lower, long[] upper) {
    return new DoubleComplexArray(Arrays.create(3, 0, 2, lower, upper));
  }

  /**
   * The array in row-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public DoubleComplexArray rowMajor() {
    return new DoubleComplexArray(ensureData(2));
  }

  /**
   * The array in column-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public DoubleComplexArray columnMajor() {
    return new DoubleComplexArray(ensureData(1));
  }

  /**
   * The array in a memory space.
   *
   * @param space where its elements shall be
   * @return the array itself with another reference, or a copy
   */
  @Override
  public DoubleComplexArray in(MemorySpace space) {
    return new DoubleComplexArray(dataIn(space));
  }

  @Override
  protected DoubleComplex read(long[] index) {
    final long place = placeOf(index);
    final ByteBuffer memory = windowOf(place);
    return new DoubleComplex(memory.getDouble(inWindow(place)), memory.getDouble(inWindow(place) + 8));
  }

  @Override
  protected void write(long[] index, DoubleComplex value) {
    final long place = placeOf(index);
    final ByteBuffer memory = windowOf(place);
    memory.putDouble(inWindow(place), value.real());
    memory.putDouble(inWindow(place) + 8, value.imaginary());
  }

  /**
   * A part of the array that shares its elements.
   *
   * @param lengths number of indices in each dimension; 0: the dimension is left out
   * @param start indices of its first element; null: the lowest
   * @param step distances of its elements in this array; null: 1
   * @param lower its lowest indices; null: 0
   * @return the part
   */
  public DoubleComplexArray slice(long[] lengths, long[] start, long[] step, long[] lower) {
    return new DoubleComplexArray(sliceData(lengths, start, step, lower));
  }

  /**
   * A new array with the same elements.
   *
   * @return the copy
   */
  public DoubleComplexArray copy() {
    return new DoubleComplexArray(copyData());
  }

  /**
   * Copies the elements that both arrays have.
   *
   * @param from the other array, of as many dimensions
   */
  public void copyFrom(DoubleComplexArray from) {
    copyElements(from);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @return the array, or null
   */
  public static DoubleComplexArray take(Frame frame, int at) {
    return Arrays.take(frame, at, DoubleComplexArray::new);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @param old what it was before
   * @return the array, or null
   */
  public static DoubleComplexArray take(Frame frame, int at, DoubleComplexArray old) {
    return Arrays.take(frame, at, old, DoubleComplexArray::new);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @return the array, or null
   */
  public static DoubleComplexArray get(Frame frame, int at) {
    return Arrays.get(frame, at, DoubleComplexArray::new);
  }

  /**
   * For generated code: of a struct.
   *
   * @param frame the memory
   * @param at its place
   * @return the array with a reference of its own, or null
   */
  public static DoubleComplexArray share(Frame frame, int at) {
    return Arrays.share(frame, at, DoubleComplexArray::new);
  }
}

package sidl;

import java.nio.ByteBuffer;
import java.util.List;
import sidl.binding.ArrayData;
import sidl.binding.Arrays;
import sidl.binding.Frame;

/**
 * An array of complex numbers.
 */
public final class FloatComplexArray extends ElementArray<FloatComplex> {
  /**
   * For generated code.
   *
   * @param data what it is
   */
  public FloatComplexArray(ArrayData data) {
    super(data);
  }

  /**
   * A new array in row-major order, from index 0.
   *
   * @param lengths of the dimensions
   * @return the array
   */
  public static FloatComplexArray create(long... lengths) {
    return new FloatComplexArray(Arrays.create(5, 0, 2, lengths));
  }

  /**
   * A new array in column-major order, from index 0.
   *
   * @param lengths of the dimensions
   * @return the array
   */
  public static FloatComplexArray createColumnMajor(long... lengths) {
    return new FloatComplexArray(Arrays.create(5, 0, 1, lengths));
  }

  /**
   * An array of one dimension with these elements.
   *
   * @param values the elements
   * @return the array
   */
  public static FloatComplexArray of(List<FloatComplex> values) {
    final FloatComplexArray result = create(values.size());
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
  public static FloatComplexArray createBetween(long[] lower, long[] upper) {
    return new FloatComplexArray(Arrays.create(5, 0, 2, lower, upper));
  }

  /**
   * The array in row-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public FloatComplexArray rowMajor() {
    return new FloatComplexArray(ensureData(2));
  }

  /**
   * The array in column-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public FloatComplexArray columnMajor() {
    return new FloatComplexArray(ensureData(1));
  }

  /**
   * The array in a memory space.
   *
   * @param space where its elements shall be
   * @return the array itself with another reference, or a copy
   */
  @Override
  public FloatComplexArray in(MemorySpace space) {
    return new FloatComplexArray(dataIn(space));
  }

  @Override
  protected FloatComplex read(long[] index) {
    final long place = placeOf(index);
    final ByteBuffer memory = windowOf(place);
    return new FloatComplex(memory.getFloat(inWindow(place)), memory.getFloat(inWindow(place) + 4));
  }

  @Override
  protected void write(long[] index, FloatComplex value) {
    final long place = placeOf(index);
    final ByteBuffer memory = windowOf(place);
    memory.putFloat(inWindow(place), value.real());
    memory.putFloat(inWindow(place) + 4, value.imaginary());
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
  public FloatComplexArray slice(long[] lengths, long[] start, long[] step, long[] lower) {
    return new FloatComplexArray(sliceData(lengths, start, step, lower));
  }

  /**
   * A new array with the same elements.
   *
   * @return the copy
   */
  public FloatComplexArray copy() {
    return new FloatComplexArray(copyData());
  }

  /**
   * Copies the elements that both arrays have.
   *
   * @param from the other array, of as many dimensions
   */
  public void copyFrom(FloatComplexArray from) {
    copyElements(from);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @return the array, or null
   */
  public static FloatComplexArray take(Frame frame, int at) {
    return Arrays.take(frame, at, FloatComplexArray::new);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @param old what it was before
   * @return the array, or null
   */
  public static FloatComplexArray take(Frame frame, int at, FloatComplexArray old) {
    return Arrays.take(frame, at, old, FloatComplexArray::new);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @return the array, or null
   */
  public static FloatComplexArray get(Frame frame, int at) {
    return Arrays.get(frame, at, FloatComplexArray::new);
  }

  /**
   * For generated code: of a struct.
   *
   * @param frame the memory
   * @param at its place
   * @return the array with a reference of its own, or null
   */
  public static FloatComplexArray share(Frame frame, int at) {
    return Arrays.share(frame, at, FloatComplexArray::new);
  }
}

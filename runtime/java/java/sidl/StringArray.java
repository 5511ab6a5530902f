package sidl;

import java.util.List;
import sidl.binding.ArrayData;
import sidl.binding.Arrays;
import sidl.binding.Frame;

/**
 * An array of strings, which may be null.
 */
public final class StringArray extends ElementArray<String> {
  /**
   * For generated code.
   *
   * @param data what it is
   */
  public StringArray(ArrayData data) {
    super(data);
  }

  /**
   * A new array in row-major order, from index 0.
   *
   * @param lengths of the dimensions
   * @return the array
   */
  public static StringArray create(long... lengths) {
    return new StringArray(Arrays.create(10, 0, 2, lengths));
  }

  /**
   * A new array in column-major order, from index 0.
   *
   * @param lengths of the dimensions
   * @return the array
   */
  public static StringArray createColumnMajor(long... lengths) {
    return new StringArray(Arrays.create(10, 0, 1, lengths));
  }

  /**
   * An array of one dimension with these elements.
   *
   * @param values the elements
   * @return the array
   */
  public static StringArray of(List<String> values) {
    final StringArray result = create(values.size());
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
  public static StringArray createBetween(long[] lower, long[] upper) {
    return new StringArray(Arrays.create(10, 0, 2, lower, upper));
  }

  /**
   * The array in row-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public StringArray rowMajor() {
    return new StringArray(ensureData(2));
  }

  /**
   * The array in column-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public StringArray columnMajor() {
    return new StringArray(ensureData(1));
  }

  /**
   * The array in a memory space.
   *
   * @param space where its elements shall be
   * @return the array itself with another reference, or a copy
   */
  @Override
  public StringArray in(MemorySpace space) {
    return new StringArray(dataIn(space));
  }

  @Override
  protected String read(long[] index) {
    return Arrays.getString(this, index);
  }

  @Override
  protected void write(long[] index, String value) {
    Arrays.setString(this, index, value);
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
  public StringArray slice(long[] lengths, long[] start, long[] step, long[] lower) {
    return new StringArray(sliceData(lengths, start, step, lower));
  }

  /**
   * A new array with the same elements.
   *
   * @return the copy
   */
  public StringArray copy() {
    return new StringArray(copyData());
  }

  /**
   * Copies the elements that both arrays have.
   *
   * @param from the other array, of as many dimensions
   */
  public void copyFrom(StringArray from) {
    copyElements(from);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @return the array, or null
   */
  public static StringArray take(Frame frame, int at) {
    return Arrays.take(frame, at, StringArray::new);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @param old what it was before
   * @return the array, or null
   */
  public static StringArray take(Frame frame, int at, StringArray old) {
    return Arrays.take(frame, at, old, StringArray::new);
  }

  /**
   * For generated code.
   *
   * @param frame of a call
   * @param at its place
   * @return the array, or null
   */
  public static StringArray get(Frame frame, int at) {
    return Arrays.get(frame, at, StringArray::new);
  }

  /**
   * For generated code: of a struct.
   *
   * @param frame the memory
   * @param at its place
   * @return the array with a reference of its own, or null
   */
  public static StringArray share(Frame frame, int at) {
    return Arrays.share(frame, at, StringArray::new);
  }
}

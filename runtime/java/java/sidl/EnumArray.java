package sidl;

import java.util.List;
import sidl.binding.ArrayData;
import sidl.binding.Arrays;
import sidl.binding.EnumType;
import sidl.binding.Frame;
import sidl.binding.Values;

/**
 * An array of enumerators.
 *
 * @param <E> the class of its elements
 */
public final class EnumArray<E extends Enumerator> extends ElementArray<E> {
  private final EnumType<E> type;

  /**
   * For generated code.
   *
   * @param data what it is
   * @param type of its elements
   */
  public EnumArray(ArrayData data, EnumType<E> type) {
    super(data);
    this.type = type;
  }

  /**
   * A new array in row-major order, from index 0.
   *
   * @param <E> the class of its elements
   * @param type of its elements
   * @param lengths of the dimensions
   * @return the array
   */
  public static <E extends Enumerator> EnumArray<E> create(EnumType<E> type, long... lengths) {
    return new EnumArray<>(Arrays.create(8, 0, 2, lengths), type);
  }

  /**
   * A new array in column-major order, from index 0.
   *
   * @param <E> the class of its elements
   * @param type of its elements
   * @param lengths of the dimensions
   * @return the array
   */
  public static <E extends Enumerator> EnumArray<E> createColumnMajor(EnumType<E> type, long... lengths) {
    return new EnumArray<>(Arrays.create(8, 0, 1, lengths), type);
  }

  /**
   * An array of one dimension with these elements.
   *
   * @param <E> the class of its elements
   * @param type of its elements
   * @param values the elements
   * @return the array
   */
  public static <E extends Enumerator> EnumArray<E> of(EnumType<E> type, List<? extends E> values) {
    final EnumArray<E> result = create(type, values.size());
    result.fill(values);
    return result;
  }

  /**
   * A new array in row-major order.
   *
   * @param <E> the class of its elements
   * @param type of its elements
   * @param lower lowest indices
   * @param upper highest indices
   * @return the array
   */
  public static <E extends Enumerator> EnumArray<E> createBetween(EnumType<E> type, long[] lower, long[] upper) {
    return new EnumArray<>(Arrays.create(8, 0, 2, lower, upper), type);
  }

  /**
   * The array in row-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public EnumArray<E> rowMajor() {
    return new EnumArray<>(ensureData(2), type);
  }

  /**
   * The array in column-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public EnumArray<E> columnMajor() {
    return new EnumArray<>(ensureData(1), type);
  }

  /**
   * The array in a memory space.
   *
   * @param space where its elements shall be
   * @return the array itself with another reference, or a copy
   */
  @Override
  public EnumArray<E> in(MemorySpace space) {
    return new EnumArray<>(dataIn(space), type);
  }

  @Override
  protected E read(long[] index) {
    final long place = placeOf(index);
    return type.of(windowOf(place).getLong(inWindow(place)));
  }

  @Override
  protected void write(long[] index, E value) {
    final long place = placeOf(index);
    windowOf(place).putLong(inWindow(place), Values.number(value, "element"));
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
  public EnumArray<E> slice(long[] lengths, long[] start, long[] step, long[] lower) {
    return new EnumArray<>(sliceData(lengths, start, step, lower), type);
  }

  /**
   * A new array with the same elements.
   *
   * @return the copy
   */
  public EnumArray<E> copy() {
    return new EnumArray<>(copyData(), type);
  }

  /**
   * Copies the elements that both arrays have.
   *
   * @param from the other array, of as many dimensions
   */
  public void copyFrom(EnumArray<E> from) {
    copyElements(from);
  }

  /**
   * For generated code.
   *
   * @param <E> the class of its elements
   * @param frame of a call
   * @param at its place
   * @param type of its elements
   * @return the array, or null
   */
  public static <E extends Enumerator> EnumArray<E> take(Frame frame, int at, EnumType<E> type) {
    return Arrays.take(frame, at, data -> new EnumArray<>(data, type));
  }

  /**
   * For generated code.
   *
   * @param <E> the class of its elements
   * @param frame of a call
   * @param at its place
   * @param old what it was before
   * @param type of its elements
   * @return the array, or null
   */
  public static <E extends Enumerator> EnumArray<E> take(Frame frame, int at, EnumArray<E> old, EnumType<E> type) {
    return Arrays.take(frame, at, old, data -> new EnumArray<>(data, type));
  }

  /**
   * For generated code.
   *
   * @param <E> the class of its elements
   * @param frame of a call
   * @param at its place
   * @param type of its elements
   * @return the array, or null
   */
  public static <E extends Enumerator> EnumArray<E> get(Frame frame, int at, EnumType<E> type) {
    return Arrays.get(frame, at, data -> new EnumArray<>(data, type));
  }

  /**
   * For generated code: of a struct.
   *
   * @param <E> the class of its elements
   * @param frame the memory
   * @param at its place
   * @param type of its elements
   * @return the array with a reference of its own, or null
   */
  public static <E extends Enumerator> EnumArray<E> share(Frame frame, int at, EnumType<E> type) {
    return Arrays.share(frame, at, data -> new EnumArray<>(data, type));
  }
}

package sidl;

import java.util.List;
import sidl.binding.ArrayData;
import sidl.binding.Arrays;
import sidl.binding.Frame;
import sidl.binding.StructType;

/**
 * An array of structs.
 *
 * @param <S> the class of its elements
 */
public final class StructArray<S> extends ElementArray<S> {
  private final StructType<S> type;

  /**
   * For generated code.
   *
   * @param data what it is
   * @param type of its elements
   */
  public StructArray(ArrayData data, StructType<S> type) {
    super(data);
    this.type = type;
  }

  /**
   * A new array in row-major order, from index 0.
   *
   * @param <S> the class of its elements
   * @param type of its elements
   * @param lengths of the dimensions
   * @return the array
   */
  public static <S> StructArray<S> create(StructType<S> type, long... lengths) {
    return new StructArray<>(Arrays.create(12, type.info(), 2, lengths), type);
  }

  /**
   * A new array in column-major order, from index 0.
   *
   * @param <S> the class of its elements
   * @param type of its elements
   * @param lengths of the dimensions
   * @return the array
   */
  public static <S> StructArray<S> createColumnMajor(StructType<S> type, long... lengths) {
    return new StructArray<>(Arrays.create(12, type.info(), 1, lengths), type);
  }

  /**
   * An array of one dimension with these elements.
   *
   * @param <S> the class of its elements
   * @param type of its elements
   * @param values the elements
   * @return the array
   */
  public static <S> StructArray<S> of(StructType<S> type, List<? extends S> values) {
    final StructArray<S> result = create(type, values.size());
    result.fill(values);
    return result;
  }

  /**
   * A new array in row-major order.
   *
   * @param <S> the class of its elements
   * @param type of its elements
   * @param lower lowest indices
   * @param upper highest indices
   * @return the array
   */
  public static <S> StructArray<S> createBetween(StructType<S> type, long[] lower, long[] upper) {
    return new StructArray<>(Arrays.create(12, type.info(), 2, lower, upper), type);
  }

  /**
   * The array in row-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public StructArray<S> rowMajor() {
    return new StructArray<>(ensureData(2), type);
  }

  /**
   * The array in column-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public StructArray<S> columnMajor() {
    return new StructArray<>(ensureData(1), type);
  }

  /**
   * The array in a memory space.
   *
   * @param space where its elements shall be
   * @return the array itself with another reference, or a copy
   */
  @Override
  public StructArray<S> in(MemorySpace space) {
    return new StructArray<>(dataIn(space), type);
  }

  @Override
  protected S read(long[] index) {
    final long place = placeOf(index);
    return Arrays.getStruct(windowOf(place), inWindow(place), type);
  }

  @Override
  protected void write(long[] index, S value) {
    Arrays.setStruct(this, index, value, type);
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
  public StructArray<S> slice(long[] lengths, long[] start, long[] step, long[] lower) {
    return new StructArray<>(sliceData(lengths, start, step, lower), type);
  }

  /**
   * A new array with the same elements.
   *
   * @return the copy
   */
  public StructArray<S> copy() {
    return new StructArray<>(copyData(), type);
  }

  /**
   * Copies the elements that both arrays have.
   *
   * @param from the other array, of as many dimensions
   */
  public void copyFrom(StructArray<S> from) {
    copyElements(from);
  }

  /**
   * For generated code.
   *
   * @param <S> the class of its elements
   * @param frame of a call
   * @param at its place
   * @param type of its elements
   * @return the array, or null
   */
  public static <S> StructArray<S> take(Frame frame, int at, StructType<S> type) {
    return Arrays.take(frame, at, data -> new StructArray<>(data, type));
  }

  /**
   * For generated code.
   *
   * @param <S> the class of its elements
   * @param frame of a call
   * @param at its place
   * @param old what it was before
   * @param type of its elements
   * @return the array, or null
   */
  public static <S> StructArray<S> take(Frame frame, int at, StructArray<S> old, StructType<S> type) {
    return Arrays.take(frame, at, old, data -> new StructArray<>(data, type));
  }

  /**
   * For generated code.
   *
   * @param <S> the class of its elements
   * @param frame of a call
   * @param at its place
   * @param type of its elements
   * @return the array, or null
   */
  public static <S> StructArray<S> get(Frame frame, int at, StructType<S> type) {
    return Arrays.get(frame, at, data -> new StructArray<>(data, type));
  }

  /**
   * For generated code: of a struct.
   *
   * @param <S> the class of its elements
   * @param frame the memory
   * @param at its place
   * @param type of its elements
   * @return the array with a reference of its own, or null
   */
  public static <S> StructArray<S> share(Frame frame, int at, StructType<S> type) {
    return Arrays.share(frame, at, data -> new StructArray<>(data, type));
  }
}

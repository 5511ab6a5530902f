package sidl;

import java.util.List;
import sidl.binding.ArrayData;
import sidl.binding.Arrays;
import sidl.binding.Frame;
import sidl.binding.ObjectType;

/**
 * An array of objects, which may be null.
 *
 * @param <T> the class of its elements
 */
public final class ObjectArray<T> extends ElementArray<T> {
  private final ObjectType<T> type;

  /**
   * For generated code.
   *
   * @param data what it is
   * @param type of its elements
   */
  public ObjectArray(ArrayData data, ObjectType<T> type) {
    super(data);
    this.type = type;
  }

  /**
   * A new array in row-major order, from index 0.
   *
   * @param <T> the class of its elements
   * @param type of its elements
   * @param lengths of the dimensions
   * @return the array
   */
  public static <T> ObjectArray<T> create(ObjectType<T> type, long... lengths) {
    return new ObjectArray<>(Arrays.create(11, 0, 2, lengths), type);
  }

  /**
   * A new array in column-major order, from index 0.
   *
   * @param <T> the class of its elements
   * @param type of its elements
   * @param lengths of the dimensions
   * @return the array
   */
  public static <T> ObjectArray<T> createColumnMajor(ObjectType<T> type, long... lengths) {
    return new ObjectArray<>(Arrays.create(11, 0, 1, lengths), type);
  }

  /**
   * An array of one dimension with these elements.
   *
   * @param <T> the class of its elements
   * @param type of its elements
   * @param values the elements
   * @return the array
   */
  public static <T> ObjectArray<T> of(ObjectType<T> type, List<? extends T> values) {
    final ObjectArray<T> result = create(type, values.size());
    result.fill(values);
    return result;
  }

  /**
   * A new array in row-major order.
   *
   * @param <T> the class of its elements
   * @param type of its elements
   * @param lower lowest indices
   * @param upper highest indices
   * @return the array
   */
  public static <T> ObjectArray<T> createBetween(ObjectType<T> type, long[] lower, long[] upper) {
    return new ObjectArray<>(Arrays.create(11, 0, 2, lower, upper), type);
  }

  /**
   * The array in row-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public ObjectArray<T> rowMajor() {
    return new ObjectArray<>(ensureData(2), type);
  }

  /**
   * The array in column-major order.
   *
   * @return the array itself with another reference, or a copy
   */
  public ObjectArray<T> columnMajor() {
    return new ObjectArray<>(ensureData(1), type);
  }

  /**
   * The array in a memory space.
   *
   * @param space where its elements shall be
   * @return the array itself with another reference, or a copy
   */
  @Override
  public ObjectArray<T> in(MemorySpace space) {
    return new ObjectArray<>(dataIn(space), type);
  }

  @Override
  protected T read(long[] index) {
    return Arrays.getObject(this, index, type);
  }

  @Override
  protected void write(long[] index, T value) {
    Arrays.setObject(this, index, value);
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
  public ObjectArray<T> slice(long[] lengths, long[] start, long[] step, long[] lower) {
    return new ObjectArray<>(sliceData(lengths, start, step, lower), type);
  }

  /**
   * A new array with the same elements.
   *
   * @return the copy
   */
  public ObjectArray<T> copy() {
    return new ObjectArray<>(copyData(), type);
  }

  /**
   * Copies the elements that both arrays have.
   *
   * @param from the other array, of as many dimensions
   */
  public void copyFrom(ObjectArray<T> from) {
    copyElements(from);
  }

  /**
   * For generated code.
   *
   * @param <T> the class of its elements
   * @param frame of a call
   * @param at its place
   * @param type of its elements
   * @return the array, or null
   */
  public static <T> ObjectArray<T> take(Frame frame, int at, ObjectType<T> type) {
    return Arrays.take(frame, at, data -> new ObjectArray<>(data, type));
  }

  /**
   * For generated code.
   *
   * @param <T> the class of its elements
   * @param frame of a call
   * @param at its place
   * @param old what it was before
   * @param type of its elements
   * @return the array, or null
   */
  public static <T> ObjectArray<T> take(Frame frame, int at, ObjectArray<T> old, ObjectType<T> type) {
    return Arrays.take(frame, at, old, data -> new ObjectArray<>(data, type));
  }

  /**
   * For generated code.
   *
   * @param <T> the class of its elements
   * @param frame of a call
   * @param at its place
   * @param type of its elements
   * @return the array, or null
   */
  public static <T> ObjectArray<T> get(Frame frame, int at, ObjectType<T> type) {
    return Arrays.get(frame, at, data -> new ObjectArray<>(data, type));
  }

  /**
   * For generated code: of a struct.
   *
   * @param <T> the class of its elements
   * @param frame the memory
   * @param at its place
   * @param type of its elements
   * @return the array with a reference of its own, or null
   */
  public static <T> ObjectArray<T> share(Frame frame, int at, ObjectType<T> type) {
    return Arrays.share(frame, at, data -> new ObjectArray<>(data, type));
  }
}

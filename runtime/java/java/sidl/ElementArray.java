package sidl;

import java.util.ArrayList;
import java.util.List;
import sidl.binding.ArrayData;

/**
 * An array whose elements are Java objects, or null where the type has that.
 *
 * @param <E> the class of its elements
 */
public abstract class ElementArray<E> extends BaseArray {
  /**
   * For generated code.
   *
   * @param data what it is
   */
  protected ElementArray(ArrayData data) {
    super(data);
  }

  /**
   * Reads an element.
   *
   * @param index its indices, which exist
   * @return its value
   */
  protected abstract E read(long[] index);

  /**
   * Writes an element.
   *
   * @param index its indices, which exist
   * @param value its new value
   */
  protected abstract void write(long[] index, E value);

  /**
   * An element.
   *
   * @param index its indices
   * @return its value
   */
  public final E get(long... index) {
    check(index);
    return read(index);
  }

  /**
   * Sets an element of an array of one dimension.
   *
   * @param i its index
   * @param value its new value
   */
  public final void set(long i, E value) {
    set(new long[] {i}, value);
  }

  /**
   * Sets an element of an array of two dimensions.
   *
   * @param i its first index
   * @param j its second index
   * @param value its new value
   */
  public final void set(long i, long j, E value) {
    set(new long[] {i, j}, value);
  }

  /**
   * Sets an element.
   *
   * @param index its indices
   * @param value its new value
   */
  public final void set(long[] index, E value) {
    check(index);
    write(index, value);
  }

  /**
   * The elements of an array of one dimension.
   *
   * @return a new list of them
   */
  public final List<E> toList() {
    requireOpen();
    if (dimension() != 1) {
      throw new IllegalStateException("the array has " + dimension() + " dimensions, not 1");
    }
    final List<E> result = new ArrayList<>();
    for (long i = lower(0); i <= upper(0); ++i) {
      result.add(get(i));
    }
    return result;
  }

  /** Sets the elements of an array of one dimension. */
  final void fill(List<? extends E> values) {
    for (int i = 0; i < values.size(); ++i) {
      set(i, values.get(i));
    }
  }
}

package sidl;

/**
 * What a method puts an {@code out} argument into, and where it finds and leaves an {@code inout}
 * argument.
 *
 * @param <T> the type of the argument, of a primitive type its class: {@code Holder<Integer>}
 */
public final class Holder<T> {
  private T value;

  /** A holder with nothing in it: for {@code out} arguments. */
  public Holder() {}

  /**
   * A holder with a value.
   *
   * @param value the value
   */
  public Holder(T value) {
    this.value = value;
  }

  /**
   * What is in it.
   *
   * @return the value, or null
   */
  public T get() {
    return value;
  }

  /**
   * Replaces what is in it.
   *
   * @param value the new value
   */
  public void set(T value) {
    this.value = value;
  }

  @Override
  public String toString() {
    return "Holder(" + value + ")";
  }
}

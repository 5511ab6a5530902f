package sidl.binding;

import sidl.BaseArray;
import sidl.Enumerator;
import sidl.Holder;

/** For generated code: conversions of single values, and checks of what users pass. */
public final class Values {
  private Values() {}

  /**
   * The number of an enumerator.
   *
   * @param value the enumerator
   * @param name of the argument
   * @return its value in SIDL
   */
  public static long number(Enumerator value, String name) {
    if (value == null) {
      throw missing(name);
    }
    return value.value();
  }

  /**
   * A SIDL char, which has eight bits.
   *
   * @param value the character
   * @return its code
   */
  public static byte toByte(char value) {
    if (value > 0xff) {
      throw new IllegalArgumentException(
          String.format("'%c' (U+%04X) is not a char of SIDL, which ends at U+00FF", value, (int) value));
    }
    return (byte) value;
  }

  /**
   * The character of a SIDL char.
   *
   * @param value its code
   * @return the character
   */
  public static char toChar(byte value) {
    return (char) (value & 0xff);
  }

  /**
   * Checks that there is a holder.
   *
   * @param holder of an argument
   * @param name of the argument
   */
  public static void require(Holder<?> holder, String name) {
    if (holder == null) {
      throw new NullPointerException("argument '" + name + "' needs a Holder, not null");
    }
  }

  /**
   * What is in a holder.
   *
   * @param <T> its type
   * @param holder of an argument
   * @param name of the argument
   * @return its value
   */
  public static <T> T of(Holder<T> holder, String name) {
    require(holder, name);
    return holder.get();
  }

  /**
   * What is in a holder of a number, char or bool, which has no null.
   *
   * @param <T> its type
   * @param holder of an argument
   * @param name of the argument
   * @return its value
   */
  public static <T> T some(Holder<T> holder, String name) {
    final T value = of(holder, name);
    if (value == null) {
      throw missing(name);
    }
    return value;
  }

  /**
   * Checks the rank of an array whose lengths are asked for before a call.
   *
   * @param array the array, or null
   * @param dimension that it has to have
   * @param name of the argument
   * @return the array
   */
  public static BaseArray ranked(BaseArray array, int dimension, String name) {
    if (array != null && array.dimension() != dimension) {
      throw new sidl.CastException(
          name
              + " has "
              + array.dimension()
              + (array.dimension() == 1 ? " dimension" : " dimensions")
              + ", not "
              + dimension);
    }
    return array;
  }

  /**
   * The value of an index argument: length = factor * value + constant.
   *
   * @param array whose length it follows from
   * @param dimension of the array
   * @param factor of the extent
   * @param constant of the extent
   * @param name of the argument
   * @return its value
   */
  public static long index(BaseArray array, int dimension, long factor, long constant, String name) {
    if (array == null) {
      throw new NullPointerException(
          "argument '" + name + "' follows from an array that is null: pass it, too");
    }
    final long rest = Math.subtractExact(array.length(dimension), constant);
    if (rest % factor != 0) {
      throw new IllegalArgumentException(
          "no value of '" + name + "' fits an array of length " + array.length(dimension));
    }
    return rest / factor;
  }

  /**
   * The same of an int.
   *
   * @param array whose length it follows from
   * @param dimension of the array
   * @param factor of the extent
   * @param constant of the extent
   * @param name of the argument
   * @return its value
   */
  public static int intIndex(
      BaseArray array, int dimension, long factor, long constant, String name) {
    return Math.toIntExact(index(array, dimension, factor, constant, name));
  }

  static NullPointerException missing(String name) {
    return new NullPointerException("'" + name + "' must not be null");
  }

  /** Of several that are passed, only the name says which one is meant. */
  static IllegalStateException closed(String name, IllegalStateException why) {
    return new IllegalStateException("'" + name + "' cannot be passed: " + why.getMessage());
  }
}

package sidl.binding;

import java.util.HashMap;
import java.util.Map;
import sidl.Enumerator;
import sidl.UnknownEnumeratorException;

/**
 * For generated code: an enum.
 *
 * @param <E> its class
 */
public final class EnumType<E extends Enumerator> {
  private final String name;
  private final Class<E> javaClass;
  private final Map<Long, E> enumerators = new HashMap<>();

  /**
   * Describes an enum.
   *
   * @param name in SIDL
   * @param javaClass in Java
   * @param all its enumerators
   */
  public EnumType(String name, Class<E> javaClass, E[] all) {
    this.name = name;
    this.javaClass = javaClass;
    for (final E each : all) {
      enumerators.putIfAbsent(each.value(), each);
    }
  }

  /**
   * The enumerator with a value.
   *
   * @param value the value
   * @return the first one that has it
   */
  public E of(long value) {
    final E found = enumerators.get(value);
    if (found == null) {
      throw new UnknownEnumeratorException(name, value);
    }
    return found;
  }

  /**
   * The class of its enumerators.
   *
   * @return the class
   */
  public Class<E> javaClass() {
    return javaClass;
  }
}

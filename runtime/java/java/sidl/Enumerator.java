package sidl;

/** What all enums of SIDL are in Java. */
public interface Enumerator {
  /**
   * The value of the enumerator in SIDL.
   *
   * @return the number
   */
  long value();
}

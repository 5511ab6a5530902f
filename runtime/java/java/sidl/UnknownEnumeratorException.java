package sidl;

/** A value came that the enum does not have, as from a program with a newer version of it. */
public final class UnknownEnumeratorException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String type;
  private final long value;

  /**
   * For generated code.
   *
   * @param type name of the enum in SIDL
   * @param value the value
   */
  public UnknownEnumeratorException(String type, long value) {
    super("enum " + type + " has no enumerator with the value " + value);
    this.type = type;
    this.value = value;
  }

  /**
   * Which enum it is.
   *
   * @return its name in SIDL
   */
  public String type() {
    return type;
  }

  /**
   * What came.
   *
   * @return the value
   */
  public long value() {
    return value;
  }
}

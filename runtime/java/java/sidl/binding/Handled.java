package sidl.binding;

/**
 * What every SIDL object has in Java. Those whose classes are written in Java and implement SIDL
 * interfaces get a SIDL object when they are passed to one.
 */
public interface Handled extends AutoCloseable {
  /**
   * For generated code.
   *
   * @return the reference to the object
   */
  default Handle _handle() {
    return Plain.handleOf(this);
  }

  /** Gives the reference back, without waiting for Java to do so. Using it throws from then on. */
  @Override
  default void close() {}

  /**
   * Whether it is the same object, whatever type it is seen as.
   *
   * @param other another object, or null
   * @return true if it is
   */
  default boolean isSame(sidl.BaseInterface other) {
    return Native.isSame(_handle(), Handle.of(other));
  }

  /**
   * Whether the object can be cast to a type.
   *
   * @param name of the type in SIDL: "pkg.Type"
   * @return true if it can
   */
  default boolean isType(String name) {
    return Native.isType(_handle(), Text.encode(name));
  }

  /**
   * What is known about the object's own class.
   *
   * @return its description
   */
  default sidl.ClassInfo getClassInfo() {
    return sidl.ClassInfo._type.wrap(Native.classInfo(_handle(), sidl.ClassInfo._type.info));
  }

  /**
   * Where others reach the object.
   *
   * @return the URL of a remote object, or that under which the server of this process offers it
   */
  default String _getURL() {
    return Text.decode(Native.url(_handle()));
  }

  /**
   * Whether the object is in another process.
   *
   * @return true if it is
   */
  default boolean _isRemote() {
    return Native.isRemote(_handle());
  }

  /**
   * Whether the object is in this process.
   *
   * @return true if it is
   */
  default boolean _isLocal() {
    return !_isRemote();
  }

  /**
   * Switches the object's hooks on or off.
   *
   * @param enable true: on
   */
  default void _set_hooks(boolean enable) {
    Native.setHooks(_handle(), enable);
  }

  /**
   * Switches the check of the object's contracts on or off; while on, {@code sidl.EnfPolicy} holds.
   *
   * @param enable true: on
   * @param file of cost estimates; may be null
   * @param reset whether counters begin at zero again
   */
  default void _set_contracts(boolean enable, String file, boolean reset) {
    Native.setContracts(_handle(), enable, Text.encode(file), reset);
  }

  /**
   * Writes what was counted of the object's contracts to a file.
   *
   * @param filename the file; empty: "ContractStats.out"
   * @param prefix heads the section
   */
  default void _dump_stats(String filename, String prefix) {
    Native.dumpStats(_handle(), Text.encode(filename), Text.encode(prefix));
  }
}

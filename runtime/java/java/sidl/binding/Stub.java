package sidl.binding;

/** The part that all classes of SIDL objects but exceptions have in common. */
public abstract class Stub implements sidl.BaseInterface {
  private final Handle handle;

  /** For generated code. */
  protected final long _cell;

  /**
   * For generated code.
   *
   * @param handle the reference to the object
   */
  protected Stub(Handle handle) {
    this.handle = handle;
    this._cell = handle.cell;
    handle.attach(this);
  }

  @Override
  public final Handle _handle() {
    return handle;
  }

  @Override
  public final void close() {
    handle.close();
  }

  @Override
  public final boolean equals(Object other) {
    return Identity.equal(this, other);
  }

  @Override
  public final int hashCode() {
    return Identity.hash(handle);
  }

  @Override
  public String toString() {
    return Identity.text(this);
  }
}

package sidl.binding;

/**
 * The part that all exceptions of SIDL have in common. They are unchecked, as every method may
 * throw a {@code sidl.RuntimeException}, and one that is called over a network will.
 */
public abstract class ThrowableStub extends java.lang.RuntimeException
    implements sidl.BaseException {
  private static final long serialVersionUID = 1L;

  private final transient Handle handle;

  /** For generated code. */
  protected final transient long _cell;

  /**
   * For generated code.
   *
   * @param handle the reference to the exception
   */
  protected ThrowableStub(Handle handle) {
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

  /**
   * The exception's note.
   *
   * @return the same as getNote
   */
  @Override
  public String getMessage() {
    // One that was serialised by Java has lost its handle.
    return handle == null || handle.isClosed() ? "" : Text.decode(Native.note(handle));
  }

  @Override
  public final boolean equals(Object other) {
    return Identity.equal(this, other);
  }

  @Override
  public final int hashCode() {
    return Identity.hash(handle);
  }
}

package sidl.binding;

/** Equality of SIDL objects: two references are equal if they are references to the same object. */
final class Identity {
  private Identity() {}

  static boolean equal(Handled self, Object other) {
    if (self == other) {
      return true;
    }
    return other instanceof Handled
        && !(other instanceof Handled plain && Plain.isPlain(plain))
        && Native.isEqual(self._handle(), ((Handled) other)._handle());
  }

  /** What it is when it is first asked for, also when the reference is closed: sets keep it. */
  static int hash(Handle handle) {
    if (handle.hash == 0) {
      handle.hash = Native.hash(handle);
    }
    return handle.hash;
  }

  static String text(Handled self) {
    final String name = self.getClass().getName();
    if (self._handle().isClosed()) {
      return name + " (closed)";
    }
    if (self._isRemote()) {
      return name + " at " + self._getURL();
    }
    return name + "@" + Integer.toHexString(self.hashCode());
  }
}

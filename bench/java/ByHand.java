/** What is written by hand, for {@link Calls}. */
final class ByHand {
  static {
    System.load(System.getProperty("by.hand"));
  }

  private ByHand() {}

  static native long create();

  static native void noop(long target);

  static native int add(long target, int a, int b);

  static native void callNoop(Object target, int calls);

  static native void callAdd(Object target, int calls);

  static native void ourNoop(int calls);

  static native void ourAdd(int calls);

  static native void remoteNoop(String url, int calls);
}

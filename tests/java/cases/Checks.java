/** What all cases need. */
abstract class Checks {
  static void require(boolean condition, Object what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  static void equal(Object seen, Object wanted) {
    require(wanted.equals(seen), "it is " + seen + ", not " + wanted);
  }

  /** What is thrown must be of exactly this class, and its message must contain the text. */
  static <T extends Throwable> T thrown(Class<T> type, String text, Runnable call) {
    try {
      call.run();
    } catch (Throwable seen) {
      require(seen.getClass() == type, "thrown is " + seen);
      require(String.valueOf(seen.getMessage()).contains(text), "its message is " + seen.getMessage());
      return type.cast(seen);
    }
    throw new AssertionError("nothing is thrown");
  }

  /** Collects garbage until the condition holds. */
  static void eventually(java.util.function.BooleanSupplier condition, String what) {
    for (int i = 0; i < 200 && !condition.getAsBoolean(); ++i) {
      System.gc();
      try {
        Thread.sleep(10);
      } catch (InterruptedException stop) {
        throw new AssertionError(stop);
      }
    }
    require(condition.getAsBoolean(), what);
  }
}

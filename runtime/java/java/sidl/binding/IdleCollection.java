package sidl.binding;

/**
 * Gives back what was forgotten while the program rests. References end when the garbage collector
 * finds that nobody has them, and a program that has nothing to do has nothing to collect: a server
 * would keep the objects of clients that have gone. Collects once when references came or went, and
 * then none did for a while.
 */
final class IdleCollection {
  /** Without references that come or go the program rests; 0: never. */
  private static final long MILLISECONDS = Long.getLong("sidl.idle.collection", 5_000);

  /** Whether a reference came in the time that is being looked at. */
  private static volatile boolean isBusy;

  private IdleCollection() {}

  /** A reference came to Java. */
  static void add() {
    if (!isBusy) {
      isBusy = true;
      Watcher.start();
    }
  }

  /** The thread, which is started with the first reference. */
  private static final class Watcher {
    static {
      if (MILLISECONDS > 0) {
        final Thread thread = new Thread(Watcher::run, "sidl-idle-collection");
        thread.setDaemon(true);
        thread.start();
      }
    }

    /** Initialises the class. */
    static void start() {}

    private static void run() {
      boolean isDue = false;
      try {
        while (true) {
          Thread.sleep(MILLISECONDS);
          if (isBusy || Native.hasReleased()) {
            isBusy = false;
            isDue = true;
          } else if (isDue) {
            isDue = false;
            System.gc();
          }
        }
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

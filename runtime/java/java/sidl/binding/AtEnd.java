package sidl.binding;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Nonblocking calls on their way, and who looks for their answers while Java ends: from then on
 * native code tells Java of nothing (see {@link Native}), but shutdown hooks, all of which run at
 * the same time, may wait for futures, and may begin further calls.
 */
final class AtEnd {
  private static final int INTERVAL_MS = 2;

  private static final Set<Pending<?>> ON_THEIR_WAY = ConcurrentHashMap.newKeySet();

  private AtEnd() {}

  /** Before the answer may come. */
  static void add(Pending<?> call) {
    ON_THEIR_WAY.add(call);
  }

  /** Whoever gets true takes in the answer, or gives the call up. */
  static boolean remove(Pending<?> call) {
    return ON_THEIR_WAY.remove(call);
  }

  /** Before native code falls silent. */
  static void begin() {
    final Thread thread = new Thread(AtEnd::look, "sidl-answers-at-end");
    thread.setDaemon(true);
    thread.start();
  }

  private static void look() {
    try {
      while (true) {
        for (final Pending<?> each : ON_THEIR_WAY) {
          if (!each.isFoundAtEnd && each.isOver()) {
            each.isFoundAtEnd = true;
            Answers.execute(each::receive);
          }
        }
        Thread.sleep(INTERVAL_MS);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}

import java.util.List;
import sea.Ocean;
import sea.Storm;
import sidl.DoubleArray;
import sidl.Holder;
import sidl.IntArray;
import sidl.LongArray;
import sidl.StringArray;
import sidl.par.Distribution;
import sidl.par.Group;

/** A rank of the callers, in Java. */
final class Call {
  private static final int ROWS = 13;
  private static final int COLUMNS = 8;

  private Call() {}

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  /** Ten times the row, and the column. */
  private static double element(Distribution mine, int rank, int i, int j) {
    final LongArray index = mine.getIndex(rank, LongArray.of(i, j));
    return 10 * index.get(0) + index.get(1);
  }

  private static void arrays(Group group, Ocean ocean) {
    final int rank = group.getRank();
    final Distribution mine =
        Distribution.blockCyclic(
            LongArray.of(0, 0),
            LongArray.of(ROWS - 1, COLUMNS - 1),
            IntArray.of(1, group.getSize()),
            LongArray.of(ROWS, 3));
    Group.distribute(ocean, "warm.t", mine);
    Group.distribute(ocean, "make.t", mine);
    final int columns = (int) mine.getLengths(rank).get(1);
    final Holder<DoubleArray> piece = new Holder<>(DoubleArray.create(ROWS, columns));
    final Holder<DoubleArray> made = new Holder<>();
    ocean.make(made);
    for (int i = 0; i < ROWS; ++i) {
      for (int j = 0; j < columns; ++j) {
        check(made.get().get(i, j) == element(mine, rank, i, j), "made");
        piece.get().set(i, j, element(mine, rank, i, j));
      }
    }
    for (int turn = 1; turn <= 2; ++turn) {
      ocean.warm(piece, 0.5);
    }
    for (int i = 0; i < ROWS; ++i) {
      for (int j = 0; j < columns; ++j) {
        check(piece.get().get(i, j) == element(mine, rank, i, j) + 1, "warmed");
      }
    }
  }

  public static void main(String[] arguments) {
    final String[] urls = System.getenv("SIDL_URLS_OCEAN").split(" ");
    final Group group = Group.ofJob();
    final Ocean ocean = Ocean.cast(group.connect_("ocean", StringArray.of(List.of(urls))));
    check(ocean.where() == group.getRank() % urls.length, "where");
    arrays(group, ocean);
    try {
      ocean.fail(urls.length - 1, "a storm");
      throw new AssertionError("it has not failed");
    } catch (Storm storm) {
      check(storm.getNote().equals("a storm"), storm.getNote());
    }
    group.barrier();
    System.out.println("well");
  }
}

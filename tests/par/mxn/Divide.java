import java.util.Arrays;
import java.util.stream.Collectors;
import sidl.BaseArray;
import sidl.DoubleArray;
import sidl.Holder;
import sidl.IntArray;
import sidl.LongArray;
import sidl.par.Distribution;
import sidl.par.DistributionException;
import sidl.par.Group;
import sidl.par.Redistribution;

/** From three ranks with blocks of rows to two with blocks in turn, in one program. */
final class Divide {
  private Divide() {}

  /** A rank's piece, whose elements are ten times the row and the column. */
  private static DoubleArray filled(Distribution all, int rank) {
    final long[] lengths = all.getLengths(rank).toArray();
    final DoubleArray piece = DoubleArray.create(lengths[0], lengths[1]);
    for (int i = 0; i < lengths[0]; ++i) {
      for (int j = 0; j < lengths[1]; ++j) {
        final LongArray index = all.getIndex(rank, LongArray.of(i, j));
        piece.set(i, j, 10 * index.get(0) + index.get(1));
      }
    }
    return piece;
  }

  private static void receive(Distribution rows, Distribution turns, int rank) {
    final Redistribution receiver = Redistribution.createReceiver(rows, turns, rank);
    final DoubleArray wanted = filled(turns, rank);
    final int[] peers = receiver.getPeers().toArray();
    final Holder<BaseArray> got =
        new Holder<>(DoubleArray.createColumnMajor(wanted.length(0), wanted.length(1)));
    for (final int source : peers) {
      final Redistribution sender = Redistribution.createSender(rows, turns, source);
      receiver.unpack(source, sender.pack(rank, filled(rows, source)), got);
    }
    final double[][] values = ((DoubleArray) got.get()).toArray2();
    if (!Arrays.deepEquals(values, wanted.toArray2())) {
      throw new AssertionError(Arrays.deepToString(values));
    }
    final String all = Arrays.stream(peers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
    System.out.println("rank " + rank + " has rows from " + all);
  }

  /** From a rank that has a mesh in any order to two with blocks of a line. */
  private static void receiveMesh() {
    final Group alone = Group.alone();
    final Distribution mesh = alone.indices(LongArray.of(4, 2, 3, 1));
    final Distribution line =
        Distribution.blocks(LongArray.of(1), LongArray.of(4), IntArray.of(2));
    final Redistribution sender = Redistribution.createSender(mesh, line, 0);
    for (int rank = 0; rank < 2; ++rank) {
      final Holder<BaseArray> got = new Holder<>(DoubleArray.create(2));
      Redistribution.createReceiver(mesh, line, rank)
          .unpack(0, sender.pack(rank, DoubleArray.of(0.4, 0.2, 0.3, 0.1)), got);
      final double[] values = ((DoubleArray) got.get()).toArray();
      System.out.println("rank " + rank + " has " + values[0] + " " + values[1]);
    }
    try {
      Redistribution.createReceiver(alone.indices(LongArray.of(4, 2, 3, 5)), line, 0);
    } catch (DistributionException thrown) {
      System.out.println(thrown.getMessage());
    }
  }

  public static void main(String[] arguments) {
    final LongArray lower = LongArray.of(1, 1);
    final LongArray upper = LongArray.of(7, 4);
    final Distribution rows = Distribution.blocks(lower, upper, IntArray.of(3, 1));
    final Distribution turns =
        Distribution.blockCyclic(lower, upper, IntArray.of(2, 1), LongArray.of(2, 4));
    System.out.println(turns.describe());
    receive(rows, turns, 0);
    receive(rows, turns, 1);
    try {
      Redistribution.createSender(rows, turns, 2).pack(1, DoubleArray.create(3, 3));
    } catch (DistributionException thrown) {
      System.out.println(thrown.getMessage());
    }
    receiveMesh();
  }
}

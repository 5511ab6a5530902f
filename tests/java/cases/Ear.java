import java.util.ArrayList;
import java.util.List;
import jv.Listener;
import sidl.DoubleArray;

/** A plain object that remembers what it heard. */
class Ear implements Listener {
  final List<String> heard = new ArrayList<>();
  RuntimeException thrown;

  @Override
  public void heard(String what) {
    heard.add(what);
    if (thrown != null) {
      throw thrown;
    }
  }

  @Override
  public int ask(int n) {
    return 2 * n;
  }

  @Override
  public DoubleArray given(DoubleArray a) {
    return a;
  }
}

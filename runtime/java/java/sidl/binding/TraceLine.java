package sidl.binding;

/**
 * Lines of a SIDL trace as Java shows places: {@code SIDL/demo.Solver.solve(solver.c:12)}. Without
 * what would have to be initialised: where they are needed there may be no stack left for that.
 */
final class TraceLine {
  /** Where the name of a module would be. */
  private static final String MARK = "SIDL";

  private TraceLine() {}

  /**
   * Of "in METHOD", "in METHOD at FILE:12", "in METHOD (Java)", "in METHOD called remotely" and "at
   * MODULE/METHOD(FILE:12)"; of any other line its text.
   */
  static StackTraceElement toElement(String line) {
    final int paren = line.endsWith(")") ? line.lastIndexOf('(') : -1;
    if (line.startsWith("at ") && paren > 0) {
      final int begin = Math.max(3, line.lastIndexOf('/', paren) + 1);
      return element(line.substring(begin, paren), line.substring(paren + 1, line.length() - 1));
    }
    if (!line.startsWith("in ")) {
      return element(line, "trace");
    }
    final int end = line.indexOf(' ', 3);
    if (end < 0) {
      return element(line.substring(3), "trace");
    }
    if (line.startsWith(" at ", end)) {
      return element(line.substring(3, end), line.substring(end + 4));
    }
    if (end + 1 == paren) {
      return element(line.substring(3, end), line.substring(paren + 1, line.length() - 1));
    }
    if (line.startsWith(" called", end)) {
      return element(line.substring(3, end), line.substring(end + 1));
    }
    return element(line, "trace");
  }

  /** Whether it is one of these. */
  static boolean is(StackTraceElement element) {
    return MARK.equals(element.getModuleName());
  }

  private static StackTraceElement element(String method, String place) {
    final int dot = method.lastIndexOf('.');
    final String type = dot < 0 ? method : method.substring(0, dot);
    final String name = dot < 0 ? "" : method.substring(dot + 1);
    final int colon = place.lastIndexOf(':');
    final int number = numberAt(place, colon + 1);
    return number < 0
        ? new StackTraceElement(null, MARK, null, type, name, place, -1)
        : new StackTraceElement(null, MARK, null, type, name, place.substring(0, colon), number);
  }

  /** The number that the text ends with, of a line; -1 if there is none. */
  private static int numberAt(String text, int begin) {
    if (begin <= 1 || begin >= text.length() || text.length() - begin > 9) {
      return -1;
    }
    int number = 0;
    for (int i = begin; i < text.length(); ++i) {
      final char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      number = 10 * number + digit - '0';
    }
    return number;
  }
}

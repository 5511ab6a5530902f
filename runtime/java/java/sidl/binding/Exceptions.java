package sidl.binding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Conversion between SIDL's exceptions and Java's. Called by native code. */
final class Exceptions {
  /** Lines of a Java stack trace that go into a SIDL trace. */
  private static final int LINES = 100;

  /** Causes of causes, and what was suppressed, as far as they are told. */
  private static final int CAUSES = 16;

  private static final String CAUSE = "caused by ";
  private static final String SUPPRESSED = "suppressed: ";

  private Exceptions() {}

  /**
   * Initialises classes that are needed when the stack is at its end: one whose initialisation fails
   * there would never be usable again. On a thread of its own, as it cannot wait here for those that
   * wait for sidl.binding.Native.
   */
  static void prepare() {
    for (final ObjectType<?> each :
        new ObjectType<?>[] {
          sidl.BaseException._type,
          sidl.SIDLException._type,
          sidl.LangSpecificException._type,
          sidl.MemAllocException._type,
          sidl.NotImplementedException._type,
          sidl.CastException._type,
          sidl.rmi.NetworkException._type
        }) {
      Types.add(each);
    }
    Types.add(sidl.BaseInterface._type);
    final byte[] method = "an example".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    final ThrowableStub own = example(new IllegalStateException(), method);
    example(own, method).close();
    own.close();
  }

  /** What becomes of an exception of Java's own, or of SIDL's, on its way to SIDL and back. */
  private static ThrowableStub example(Throwable thrown, byte[] method) {
    final long made = toSidl(thrown);
    describe(made, thrown, method);
    final ThrowableStub result = (ThrowableStub) wrapped(made);
    Native.drop(made);
    return result;
  }

  /** What Java throws for a SIDL exception, which stays the caller's. */
  static Throwable toJava(long ior) {
    final Throwable origin = Native.origin(ior);
    return origin == null ? wrapped(ior) : passedOn(ior, origin);
  }

  /**
   * An exception of Java's own that comes back to Java, with what has been found since: the other
   * languages that it passed through, and contracts that did not hold when it was thrown.
   */
  private static Throwable passedOn(long ior, Throwable origin) {
    try (sidl.BaseException known = sidl.BaseException._type.share(ior, null)) {
      final List<String> trace = linesOf(known.getTrace());
      int own = 0;
      while (own < trace.size() && isOwn(trace.get(own))) {
        ++own;
      }
      // The line that follows says where toSidl() got it.
      final List<String> since = trace.subList(Math.min(own + 1, trace.size()), trace.size());
      origin.setStackTrace(withTrace(origin.getStackTrace(), since));
    } catch (StackOverflowError deep) {
      // It is thrown without that.
    }
    return origin;
  }

  /** A line that toSidl() made of the exception. */
  private static boolean isOwn(String line) {
    return line.startsWith("at ") || line.startsWith(CAUSE) || line.startsWith(SUPPRESSED);
  }

  private static Throwable wrapped(long ior) {
    if (!Native.isOf(ior, sidl.BaseException._type.info)) {
      return new IllegalStateException("a method threw an object that is not a sidl.BaseException");
    }
    // Where several class loaders have its class, handlers catch that of their own.
    final ClassLoader loader = Types.hasNamesakes() ? loaderOfCaller() : null;
    final sidl.BaseException wrapped = sidl.BaseException._type.share(ior, loader);
    if (!(wrapped instanceof Throwable thrown)) {
      return new IllegalStateException(
          "a method threw an exception of a class that Java does not know: " + wrapped.getNote());
    }
    try {
      thrown.setStackTrace(withTrace(thrown.getStackTrace(), linesOf(wrapped.getTrace())));
    } catch (StackOverflowError deep) {
      // It is thrown without that.
    }
    return thrown;
  }

  /** That of the class that called, which is generated; null if there is none. */
  private static ClassLoader loaderOfCaller() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(
            frames ->
                frames
                    .map(each -> each.getDeclaringClass().getClassLoader())
                    .filter(each -> each != null && each != Exceptions.class.getClassLoader())
                    .findFirst())
        .orElse(null);
  }

  /** Without what would have to be initialised: there may be no stack left for that. */
  private static List<String> linesOf(String text) {
    final List<String> lines = new ArrayList<>();
    int from = 0;
    while (text != null && from < text.length()) {
      final int end = text.indexOf('\n', from) < 0 ? text.length() : text.indexOf('\n', from);
      lines.add(text.substring(from, end));
      from = end + 1;
    }
    return lines;
  }

  /**
   * Where the exception came from and passed through, before the stack of this thread; each place
   * once, also of an exception that is thrown again and again.
   */
  private static StackTraceElement[] withTrace(StackTraceElement[] stack, List<String> trace) {
    final Set<StackTraceElement> places = new LinkedHashSet<>();
    for (final String line : trace) {
      places.add(TraceLine.toElement(line));
    }
    final List<StackTraceElement> all = new ArrayList<>(places);
    for (final StackTraceElement each : stack) {
      if (!each.getClassName().startsWith("sidl.binding.") && !places.contains(each)) {
        all.add(each);
      }
    }
    return all.toArray(new StackTraceElement[0]);
  }

  private static boolean isKnown(Throwable thrown) {
    return thrown instanceof ThrowableStub known && !known._handle().isClosed();
  }

  /**
   * A SIDL exception, with a reference for the caller, for one that a method in Java threw; without
   * what `describe` adds, so that it is not lost where there is no stack left for that.
   */
  static long toSidl(Throwable thrown) {
    return isKnown(thrown)
        ? Native.shareAs(((ThrowableStub) thrown)._handle(), sidl.BaseInterface._type.info)
        : Native.makeException(kindOf(thrown), Text.encode(described(thrown)), thrown);
  }

  /** Adds to what `toSidl` made where the exception comes from. */
  static void describe(long made, Throwable thrown, byte[] method) {
    final StackTraceElement[] stack = thrown.getStackTrace();
    final boolean isKnown = isKnown(thrown);
    addLines(made, isKnown ? inThisCall(stack) : stack);
    // Else it has told them already.
    if (!isKnown || stack.length == 0 || !TraceLine.is(stack[0])) {
      addCauses(made, thrown);
    }
    Native.addLine(made, Text.encode("in " + Text.decode(method) + " (Java)"));
  }

  private static void addLines(long exception, StackTraceElement[] stack) {
    for (int i = 0; i < stack.length && i < LINES; ++i) {
      Native.addLine(exception, Text.encode(cleaned("at " + stack[i])));
    }
  }

  /** What other languages and processes are told of: Java gives them to nobody else. */
  private static void addCauses(long exception, Throwable thrown) {
    final Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());
    told.add(thrown);
    addReasons(exception, thrown, told);
  }

  private static void addReasons(long exception, Throwable thrown, Set<Throwable> told) {
    for (final Throwable each : thrown.getSuppressed()) {
      addReason(exception, SUPPRESSED, each, thrown, told);
    }
    addReason(exception, CAUSE, causeOf(thrown), thrown, told);
  }

  /** None of one that does not say. */
  private static Throwable causeOf(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (StackOverflowError deep) {
      throw deep;
    } catch (Throwable failure) {
      return null;
    }
  }

  private static void addReason(
      long exception, String how, Throwable reason, Throwable of, Set<Throwable> told) {
    if (reason == null || told.size() > CAUSES || !told.add(reason)) {
      return;
    }
    Native.addLine(exception, Text.encode(how + described(reason).replace('\n', ' ')));
    addLines(exception, before(reason.getStackTrace(), of.getStackTrace()));
    addReasons(exception, reason, told);
  }

  /** The calls of `stack` without those at its end that `enclosing` has, too. */
  private static StackTraceElement[] before(
      StackTraceElement[] stack, StackTraceElement[] enclosing) {
    int end = stack.length;
    int same = enclosing.length;
    while (end > 0 && same > 0 && stack[end - 1].equals(enclosing[same - 1])) {
      --end;
      --same;
    }
    return Arrays.copyOfRange(stack, 0, end);
  }

  /**
   * What SIDL's own exceptions do not know yet: where in the call that they leave now they have been
   * thrown, or passed through.
   */
  private static StackTraceElement[] inThisCall(StackTraceElement[] stack) {
    int begin = 0;
    while (begin < stack.length && TraceLine.is(stack[begin])) {
      ++begin;
    }
    int end = begin;
    while (end < stack.length && !stack[end].getClassName().endsWith("_Skel")) {
      ++end;
    }
    return Arrays.copyOfRange(stack, begin, end);
  }

  /** Whatever is thrown while it is asked. */
  private static String described(Throwable thrown) {
    try {
      return cleaned(thrown.toString());
    } catch (StackOverflowError deep) {
      throw deep;
    } catch (Throwable failure) {
      return cleaned(thrown.getClass().getName() + " (no text: " + failure.getClass().getName() + ")");
    }
  }

  private static int kindOf(Throwable thrown) {
    if (thrown instanceof OutOfMemoryError) {
      return 1;
    }
    return thrown instanceof UnsupportedOperationException ? 2 : 0;
  }

  /** Texts of exceptions may be anything. */
  private static String cleaned(String text) {
    final StringBuilder result = new StringBuilder(text.replace('\0', ' '));
    for (int i = 0; i < result.length(); ++i) {
      final boolean isPair =
          i + 1 < result.length()
              && Character.isSurrogatePair(result.charAt(i), result.charAt(i + 1));
      if (isPair) {
        ++i;
      } else if (Character.isSurrogate(result.charAt(i))) {
        result.setCharAt(i, '?');
      }
    }
    return result.toString();
  }
}

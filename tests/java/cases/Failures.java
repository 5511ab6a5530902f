import java.util.Arrays;
import java.util.List;
import jv.Problem;
import jv.Tool;
import jv.Worker;
import vault.Vault;

/** Exceptions: of which class they come, what they say, and what ends without one. */
final class Failures extends Checks {
  /** Which the stack trace of the exception says, as it is Java's own. */
  static void invariantsOfMethodsThatThrow() {
    try (Vault vault = Vault.create()) {
      vault._set_contracts(true, null, false);
      final IllegalStateException seen =
          thrown(IllegalStateException.class, "stuck", vault::crash);
      final List<String> places =
          Arrays.stream(seen.getStackTrace()).map(StackTraceElement::toString).toList();
      final List<String> violations =
          places.stream().filter(each -> each.contains(" does not hold")).toList();
      require(violations.size() == 1 && violations.get(0).contains("invariant 'closed' of vault.Vault"),
          places);
      require(places.stream().anyMatch(each -> each.contains("Vault_Impl")), places);
      vault._set_contracts(false, null, false);
      equal(thrown(IllegalStateException.class, "stuck", vault::crash), seen);
      equal(Arrays.stream(seen.getStackTrace()).map(StackTraceElement::toString).toList(), places);
    }
  }

  /** Of SIDL's own exceptions, as of Java's: the lines are on top of each other's. */
  static void exceptionsSayWhereTheyWereThrown() {
    try (Worker worker = Worker.create();
        Tool tool = Tool.create()) {
      final Problem seen = thrown(Problem.class, "heard bad", () -> tool.tell(worker, "bad"));
      final List<String> lines = seen.getTrace().lines().toList();
      require(lines.get(0).startsWith("at jv.Worker_Impl.heard_Impl(Worker_Impl.java:"), lines);
      equal(lines.get(1), "in jv.Worker (Java)");
      require(lines.get(2).contains("Tool_Impl.cxx"), lines);
    }
  }

  /** In the trace, which is all that others have. */
  static void exceptionsSayWhy() {
    final Ear ear = new Ear();
    final Problem problem = new Problem("a problem");
    problem.initCause(new IllegalStateException("not ready", problem));
    problem.addSuppressed(new ArithmeticException("on the way"));
    ear.thrown = problem;
    try (Tool tool = Tool.create()) {
      final Problem seen = thrown(Problem.class, "a problem", () -> tool.tell(ear, "x"));
      final List<String> reasons =
          seen.getTrace().lines().filter(each -> !each.startsWith("at ")).limit(3).toList();
      equal(reasons.subList(0, 2), List.of("suppressed: java.lang.ArithmeticException: on the way",
          "caused by java.lang.IllegalStateException: not ready"));
      require(reasons.get(2).endsWith("(Java)"), reasons);
    }
  }

  static void exceptionsComeBackAsTheyWere() {
    final Ear ear = new Ear();
    try (Tool tool = Tool.create()) {
      ear.thrown = new ArithmeticException("of mine");
      final Throwable seen = thrown(ArithmeticException.class, "of mine", () -> tool.tell(ear, "x"));
      require(seen == ear.thrown, "the very same");
      ear.thrown = new Problem("a problem");
      final Problem problem = thrown(Problem.class, "a problem", () -> tool.tell(ear, "x"));
      equal(problem.getNote(), "a problem");
      require(problem.getTrace().contains("(Java)"), problem.getTrace());
      for (final String place :
          new String[] {
            "SIDL/Failures\\.exceptionsComeBackAsTheyWere\\(Failures\\.java:\\d+\\)",
            "SIDL/[\\w.]+\\(Java\\)",
            "SIDL/[\\w.]+\\.tell\\(\\w+\\.cxx(:\\d+)?\\)"
          }) {
        require(
            Arrays.stream(problem.getStackTrace()).anyMatch(e -> e.toString().matches(place)),
            place + Arrays.toString(problem.getStackTrace()));
      }
    }
  }

  static void exceptionsOfImplementations() {
    try (Worker worker = Worker.create()) {
      thrown(IllegalStateException.class, "in Java", () -> worker.fail("runtime"));
      thrown(UnsupportedOperationException.class, "not here", () -> worker.fail("unsupported"));
      thrown(OutOfMemoryError.class, "for a test", () -> worker.fail("memory"));
      thrown(IllegalStateException.class, "a\0b", () -> worker.fail("odd text"));
      thrown(Problem.class, "other", () -> worker.fail("other"));
      try {
        worker.fail("stack");
        throw new AssertionError("nothing is thrown");
      } catch (StackOverflowError seen) {
        // As it should be.
      }
      equal(worker.ask(1), 2);
    }
  }

  static void constructorsThatThrow() {
    thrown(IllegalStateException.class, "no such luck", jv.Broken::create);
    thrown(IllegalStateException.class, "no such luck", jv.Broken::create);
  }

  static void recursionThroughTwoLanguagesEnds() {
    try (Tool tool = Tool.create()) {
      final Ear ear = new Ear() {
        @Override
        public int ask(int n) {
          tool.rush(this);
          return n;
        }
      };
      try {
        tool.rush(ear);
        throw new AssertionError("nothing is thrown");
      } catch (StackOverflowError | sidl.SIDLException seen) {
        // As it should be.
      }
      equal(tool.add(2, 3), 5);
    }
  }

  /** Calls where there is no stack left, then with a little more each time, until it is enough. */
  private static void atTheEndOfTheStack(Runnable call) {
    try {
      atTheEndOfTheStack(call);
    } catch (Problem enough) {
      throw enough;
    } catch (Throwable end) {
      call.run();
    }
  }

  /** Their class could not be used again. */
  static void exceptionsAreMetFirstAtTheEndOfTheStack() throws Exception {
    try (Worker worker = Worker.create()) {
      worker.heard("good");
      eventually(
          () -> Thread.getAllStackTraces().keySet().stream()
              .noneMatch(each -> each.getName().equals("sidl-exceptions")),
          "exceptions are prepared");
      final Thread thread =
          new Thread(null, () -> atTheEndOfTheStack(() -> worker.heard("bad")), "deep", 1 << 20);
      thread.setUncaughtExceptionHandler((of, seen) -> { });
      thread.start();
      thread.join();
      thrown(Problem.class, "heard bad", () -> worker.heard("bad"));
    }
  }
}

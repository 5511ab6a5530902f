"""The Java binding: what its programs see, and other programs that have Java within."""

import os
import re
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

HERE = Path(__file__).parent
HOME = os.environ.get("SHINAR_JAVA")  # the JDK to run with (make javas)
JAVA = [f"{HOME}/bin/java" if HOME else "java", "--enable-native-access=ALL-UNNAMED"]
CASES = [
    f"{source.stem}.{case}"
    for source in sorted((HERE / "cases").glob("*.java"))
    for case in re.findall(r"^  static void (\w+)\(\)", source.read_text(), re.M)
]


@pytest.fixture(scope="module")
def built(cmake_build, build_dir, stage):
    """The folder of the programs."""
    if not (stage / "lib" / "shinar" / "java").exists() or not shutil.which("java"):
        pytest.skip("built without a JDK")
    return cmake_build(HERE, build_dir / "tests" / "java", unity=True)


@pytest.fixture
def environment(built, monkeypatch):
    """Where the libraries are."""
    monkeypatch.setenv("SIDL_DLL_PATH", str(built))
    if HOME:
        monkeypatch.setenv("JAVA_HOME", HOME)
    return monkeypatch


def java(built, stage, *arguments, options=("-Xcheck:jni",)):
    """The command of a Java program."""
    jars = [built / f"{name}.jar" for name in ("cases", "ty_java", "jv", "vault")]
    jars.append(stage / "lib" / "shinar" / "java" / "shinar.jar")
    return [*JAVA, *options, "-cp", ":".join(map(str, jars)), *arguments]


@pytest.mark.parametrize("case", CASES)
def test_case(case, built, stage, environment, run):
    done = run(java(built, stage, "Cases", case))
    assert done.stderr == ""
    if done.stdout.startswith("skipped: "):
        pytest.skip(done.stdout[9:].splitlines()[0])
    assert done.stdout == "ok\n"


def test_no_case_is_forgotten():
    assert len(CASES) == len(set(CASES)) > 20


@pytest.mark.parametrize(
    "what",
    ["greet", "threads", "failures", "reasons", "raw", "spots", "fork", "return", "exit", "_exit"],
)
def test_java_within_a_program(what, built, environment, run):
    environment.setenv("SIDL_JVM_OPTIONS", "-Xcheck:jni")
    done = run([built / "host", what])
    # The JVM's own check of signal handlers may run while the process ends, and find what is no
    # more; the end may come in the midst of what it prints.
    said = re.sub(r"^Warning: SIG\w+ handler modified!.*", "", done.stdout, flags=re.S)
    assert said == "" and done.stderr == ""


def test_a_program_that_uses_java_leaves_nothing(built, environment, run):
    environment.setenv("SIDL_REPORT_LEAKS", "1")
    assert run([built / "host", "greet"]).stderr == "sidl: no objects still alive at exit\n"


def test_no_java_is_a_clear_exception(built, environment, run, tmp_path):
    environment.setenv("SIDL_JVM_OPTIONS", "--no-such-option")
    done = run([built / "host", "create"])
    assert "SIDL_JVM_OPTIONS" in done.stdout


def test_a_missing_jar_is_a_clear_exception(built, environment, run, tmp_path):
    """The library alone is not enough: the message says where its jar may be."""
    for name in ("libjv.so", "jv.scl", "libjv_tool.so", "jv_tool.scl"):
        shutil.copy(built / name, tmp_path / name)
    environment.setenv("SIDL_DLL_PATH", str(tmp_path))
    environment.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = run([built / "host", "create"])
    assert "jv.Worker_Skel is not on the class path" in done.stdout
    assert "SIDL_CLASS_PATH" in done.stdout and str(tmp_path) in done.stdout
    environment.setenv("SIDL_CLASS_PATH", str(built / "jv.jar"))
    assert run([built / "host", "greet"]).stdout == ""


def test_a_missing_implementation_is_a_clear_exception(built, environment, run, tmp_path):
    for name in ("libjv.so", "jv.scl", "libjv_tool.so", "jv_tool.scl"):
        shutil.copy(built / name, tmp_path / name)
    with ZipFile(built / "jv.jar") as whole, ZipFile(tmp_path / "jv.jar", "w") as part:
        for name in whole.namelist():
            if not name.startswith("jv/Worker_Impl"):
                part.writestr(name, whole.read(name))
    environment.setenv("SIDL_DLL_PATH", str(tmp_path))
    environment.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = run([built / "host", "create"])
    assert "jv.Worker_Impl is missing, though jv.Worker_Skel is there" in done.stdout
    assert str(tmp_path / "jv.jar") in done.stdout and "Worker_Impl.java" in done.stdout


def test_a_missing_library_is_a_clear_error(built, stage, run, tmp_path, monkeypatch):
    monkeypatch.delenv("SIDL_DLL_PATH", raising=False)
    for name in ("cases.jar", "ty_java.jar", "jv.jar"):
        shutil.copy(built / name, tmp_path / name)
    done = run(java(tmp_path, stage, "Cases", "Lifetime.closeDestroysAtOnce"), status=1)
    assert "the native library of SIDL package jv was not found" in done.stderr
    assert "SIDL_DLL_PATH" in done.stderr and os.fspath(tmp_path / "libjv.so") in done.stderr


LOADER = """
public final class Loader {
  /** Runs a case with classes that no class path has, each time with others. */
  public static void main(String[] arguments) throws Exception {
    final java.util.List<java.net.URL> jars = new java.util.ArrayList<>();
    for (final String each : arguments[1].split(":")) {
      jars.add(java.nio.file.Path.of(each).toUri().toURL());
    }
    for (int i = 0; i < Integer.parseInt(arguments[2]); ++i) {
      new java.net.URLClassLoader(jars.toArray(new java.net.URL[0]))
          .loadClass("Cases")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[] {arguments[0]});
    }
  }
}
"""


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(
    "case",
    [
        "Lifetime.theSameObjectIsEqual",
        "Failures.exceptionsOfImplementations",
        "Failures.exceptionsComeBackAsTheyWere",
        "Implementations.inheritanceAcrossLanguages",
        "Values.structsWithEverything",
        "Calls.manyThreadsCallBack",
    ],
)
def test_classes_of_another_loader(case, shared, built, stage, environment, run, tmp_path):
    """As applications and plug-ins of a server have them, with or without shinar.jar."""
    (tmp_path / "Loader.java").write_text(LOADER)
    jars = [built / f"{name}.jar" for name in ("cases", "ty_java", "jv", "vault")]
    runtime = stage / "lib" / "shinar" / "java" / "shinar.jar"
    path = runtime if shared else tmp_path
    jars += [] if shared else [runtime]
    command = [*JAVA, "-cp", path, tmp_path / "Loader.java", case, ":".join(map(str, jars)), "1"]
    done = run(command)
    assert done.stderr == "" and done.stdout == "ok\n"


@pytest.mark.parametrize(
    "case",
    [
        "Lifetime.theSameObjectIsEqual",
        "Failures.exceptionsOfImplementations",
        "Implementations.inheritanceAcrossLanguages",
    ],
)
def test_classes_of_two_loaders(case, built, stage, environment, run, tmp_path):
    """Each program handles the exceptions of its own loader's classes: those of the first came to
    all."""
    (tmp_path / "Loader.java").write_text(LOADER)
    jars = [built / f"{name}.jar" for name in ("cases", "ty_java", "jv", "vault")]
    runtime = stage / "lib" / "shinar" / "java" / "shinar.jar"
    source = tmp_path / "Loader.java"
    done = run([*JAVA, "-cp", runtime, source, case, ":".join(map(str, jars)), "2"])
    assert done.stderr == "" and done.stdout == "ok\nok\n"


WITHOUT_THREADS = """
import java.nio.file.*;
import java.util.concurrent.*;

public final class Futures {
  private static CompletableFuture<Integer> call(jv.Tool tool, int milliseconds) {
    return tool.laterAsync(milliseconds, sidl.IntArray.of(1), 1);
  }

  public static void main(String[] arguments) throws Exception {
    final Path file = Path.of(System.getenv("NO_THREADS"));
    final jv.Tool here = jv.Tool.create();
    final jv.Tool there = jv.Tool.create(arguments[0]);
    Files.createFile(file);
    try {
      call(there, 1).get(10, TimeUnit.SECONDS);
    } catch (sidl.rmi.NetworkException refused) {
      System.out.println(refused.getMessage());
    }
    Files.delete(file);
    final CompletableFuture<Integer> begun = call(there, 2000);
    Files.createFile(file);
    System.out.println(call(here, 0).get(10, TimeUnit.SECONDS));
    System.out.println(begun.get(20, TimeUnit.SECONDS));
    System.out.println(call(there, 1).get(20, TimeUnit.SECONDS));
  }
}
"""


def test_answers_come_without_a_thread(
    built, stage, environment, run, tmp_path, start_server, protocols
):
    """Futures stayed pending when Java could not start the thread that takes in their answer."""
    url = start_server(protocols["simhandle"], "--export", "jv.Tool").url
    (tmp_path / "Futures.java").write_text(WITHOUT_THREADS)
    command = java(built, stage, "-d", tmp_path, tmp_path / "Futures.java", options=[])
    run(["javac", *command[len(JAVA) :]])
    environment.setenv("NO_THREADS", str(tmp_path / "none"))
    environment.setenv("LD_PRELOAD", str(built / "libno_threads.so"))
    command = java(built, stage, "Futures", url, options=["-Xlog:disable"])
    command[command.index("-cp") + 1] += f":{tmp_path}"
    refused, *answers = run(command).stdout.splitlines()
    assert refused.startswith("nobody could tell that a call is over")
    assert answers == ["1", "1", "1"]


TWO = """
public final class Two {
  public static void main(String[] arguments) {
    final jv.Tool there = jv.Tool.create(arguments[0]);
    final jv.Listener one = new Ear();
    final jv.Listener other = new Ear();
    there.keep(one);
    System.out.println(there.isKept(one) + " " + there.isKept(other) + " " + (there.kept() == one));
  }
}
"""


def test_a_server_tells_a_clients_objects_apart(
    built, stage, environment, run, tmp_path, start_server, protocols
):
    """They have no URLs, which were compared: all were the same."""
    url = start_server(protocols["simhandle"], "--export", "jv.Tool").url
    (tmp_path / "Two.java").write_text(TWO)
    command = java(built, stage, "-d", tmp_path, tmp_path / "Two.java", options=[])
    run(["javac", *command[len(JAVA) :]])
    command = java(built, stage, "Two", url)
    command[command.index("-cp") + 1] += f":{tmp_path}"
    assert run(command).stdout == "true false true\n"


MANY = """
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.Stream;

public final class Many {
  private static long threads() throws Exception {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      return tasks.count();
    }
  }

  public static void main(String[] arguments) throws Exception {
    final jv.Tool there = jv.Tool.create(arguments[0]);
    final int count = 2000;
    final long before = threads();
    final List<CompletableFuture<Integer>> all = new ArrayList<>();
    for (int i = 0; i < count; ++i) { // the others behind the first one
      all.add(there.laterAsync(i == 0 ? 3000 : 0, sidl.IntArray.create(i), i));
    }
    final long more = threads() - before;
    System.out.println(more < 20 || all.get(0).isDone());
    for (int i = 0; i < count; ++i) {
      if (all.get(i).get(60, TimeUnit.SECONDS) != i) {
        System.out.println(i);
      }
    }
  }
}
"""


def test_many_calls_take_few_threads(
    built, stage, environment, run, tmp_path, start_server, protocols
):
    """Each had a thread that waited for its answer."""
    url = start_server(protocols["simhandle"], "--export", "jv.Tool").url
    (tmp_path / "Many.java").write_text(MANY)
    command = java(built, stage, "-d", tmp_path, tmp_path / "Many.java", options=[])
    run(["javac", *command[len(JAVA) :]])
    command = java(built, stage, "Many", url)
    command[command.index("-cp") + 1] += f":{tmp_path}"
    assert run(command).stdout == "true\n"


FLOOD = """
import java.util.*;
import java.util.concurrent.*;

public final class Flood {
  private static jv.Tool there;

  private static CompletableFuture<Integer> call() {
    return call(0);
  }

  private static CompletableFuture<Integer> call(int milliseconds) {
    return there.laterAsync(milliseconds, sidl.IntArray.of(1), 1);
  }

  private static long threads() {
    final Thread[] all = new Thread[40_000];
    final int count = Thread.enumerate(all);
    return Arrays.stream(all, 0, count).filter(t -> t.getName().equals("sidl-answers")).count();
  }

  private static void many() throws Exception {
    final int count = 100_000;
    final CountDownLatch left = new CountDownLatch(count);
    for (int t = 0; t < 4; ++t) {
      new Thread(() -> {
        for (int i = 0; i < count / 4; ++i) {
          call().thenRun(left::countDown);
        }
      }).start();
    }
    long most = 0;
    while (!left.await(20, TimeUnit.MILLISECONDS)) {
      most = Math.max(most, threads());
    }
    System.out.println(most < 64 ? "few" : most + " threads");
  }

  /** They wait for an answer that comes after theirs. */
  private static void blocked() throws Exception {
    final CountDownLatch last = new CountDownLatch(1);
    final Thread self = Thread.currentThread(); // runs what depends on futures that have ended
    final List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 40; ++i) { // the others behind the first one
      all.add(call(i == 0 ? 500 : 0).thenApply(n -> Thread.currentThread() == self || await(last)));
    }
    for (int i = 0; i < 100; ++i) {
      call().get(60, TimeUnit.SECONDS);
    }
    System.out.println(all.stream().anyMatch(each -> !each.isDone()));
    call().thenRun(last::countDown);
    for (final CompletableFuture<Boolean> each : all) {
      each.get(60, TimeUnit.SECONDS);
    }
    final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (threads() > 0 && System.nanoTime() < end) {
      Thread.sleep(50);
    }
    System.out.println(threads() + " left");
  }

  private static boolean await(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  public static void main(String[] arguments) throws Exception {
    there = jv.Tool.create(arguments[0]);
    if (arguments[1].equals("many")) {
      many();
    } else {
      blocked();
    }
    there.close();
  }
}
"""


@pytest.mark.parametrize(
    "what, options, expected",
    [
        ("many", [], "few\n"),
        ("blocked", [], "true\n0 left\n"),
        ("blocked", ["-Dsidl.answers.threads=48"], "true\n0 left\n"),
    ],
    ids=["many", "blocked", "blocked, almost all"],
)
def test_futures_take_few_threads(
    what, options, expected, built, stage, environment, run, tmp_path, start_server, protocols
):
    """Each answer had a thread as long as answers came faster than futures ended; what depends on
    one must not hold others up for all that."""
    url = start_server(protocols["simhandle"], "--export", "jv.Tool").url
    (tmp_path / "Flood.java").write_text(FLOOD)
    command = java(built, stage, "-d", tmp_path, tmp_path / "Flood.java", options=[])
    run(["javac", *command[len(JAVA) :]])
    command = java(built, stage, "Flood", url, what, options=options)
    command[command.index("-cp") + 1] += f":{tmp_path}"
    assert run(command, timeout=300).stdout == expected


GONE = """
import java.util.concurrent.*;

public final class Gone {
  private static boolean takesConnections(java.net.URI url) {
    try (java.net.Socket made = new java.net.Socket(url.getHost(), url.getPort())) {
      return true;
    } catch (java.io.IOException refused) {
      return false;
    }
  }

  public static void main(String[] arguments) throws Exception {
    final jv.Tool there = jv.Tool.create(arguments[0]);
    there.add(1, 1);
    final CompletableFuture<Integer> begun = there.laterAsync(60_000, sidl.IntArray.of(1), 1);
    new ProcessBuilder("kill", "-9", arguments[1]).start().waitFor();
    try {
      begun.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      System.out.println(failure.getCause().getClass().getName());
    }
    while (takesConnections(java.net.URI.create(arguments[0]))) {
      Thread.sleep(10);
    }
    try {
      there.laterAsync(0, sidl.IntArray.of(1), 1);
    } catch (sidl.rmi.ConnectException failure) {
      System.out.println("no call");
    }
    there.close();
    try {
      there.laterAsync(0, sidl.IntArray.of(1), 1);
    } catch (IllegalStateException failure) {
      System.out.println("closed");
    }
  }
}
"""


def test_calls_that_are_not_waited_for_of_a_server_that_has_gone(
    built, stage, environment, run, tmp_path, start_server, protocols
):
    server = start_server(protocols["simhandle"], "--export", "jv.Tool")
    (tmp_path / "Gone.java").write_text(GONE)
    command = java(built, stage, "-d", tmp_path, tmp_path / "Gone.java", options=[])
    run(["javac", *command[len(JAVA) :]])
    command = java(built, stage, "Gone", server.url, str(server.process.pid))
    command[command.index("-cp") + 1] += f":{tmp_path}"
    assert run(command).stdout == "sidl.rmi.UnexpectedCloseException\nno call\nclosed\n"


HOOK = """
import java.util.concurrent.*;

public final class Hook {
  private static void print(Future<Integer> future) {
    try {
      System.out.println(future.get(60, TimeUnit.SECONDS));
    } catch (Exception failure) {
      System.out.println(failure);
    }
  }

  /** Each hook may be the first that has an object, and the first that does not wait for a call. */
  private static void firstInHooks(String url) {
    for (int i = 0; i < 4; ++i) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        try (jv.Tool there = jv.Tool.create(url)) {
          for (int k = 0; k < 10; ++k) {
            print(there.laterAsync(k % 2, sidl.IntArray.of(1), 1));
          }
        }
      }));
    }
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments[1].equals("first")) {
      firstInHooks(arguments[0]);
      return;
    }
    final jv.Tool there = jv.Tool.create(arguments[0]);
    there.add(1, 1);
    final CompletableFuture<Integer> begun = there.laterAsync(300, sidl.IntArray.of(1), 1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> print(begun)));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        Thread.sleep(100);
      } catch (InterruptedException stop) {
        throw new IllegalStateException(stop);
      }
      print(there.laterAsync(0, sidl.IntArray.of(1), 1).thenApply(n -> n + 1));
      print(there.laterAsync(10, sidl.IntArray.of(1), 1)
          .thenCompose(n -> there.laterAsync(0, sidl.IntArray.of(1), 1)));
    }));
    if (arguments[1].equals("exit")) {
      System.exit(0);
    }
  }
}
"""


@pytest.mark.parametrize("end, expected", [("exit", "112"), ("return", "112"), ("first", "1" * 40)])
def test_shutdown_hooks_may_wait_for_futures(
    end, expected, built, stage, environment, run, tmp_path, start_server, protocols
):
    """Native code tells Java of nothing from when it begins to end: these did not end."""
    url = start_server(protocols["simhandle"], "--export", "jv.Tool").url
    (tmp_path / "Hook.java").write_text(HOOK)
    command = java(built, stage, "-d", tmp_path, tmp_path / "Hook.java", options=[])
    run(["javac", *command[len(JAVA) :]])
    command = java(built, stage, "Hook", url, end)
    command[command.index("-cp") + 1] += f":{tmp_path}"
    assert sorted(run(command, timeout=200).stdout.split()) == [*expected]


APART = """
cmake_minimum_required(VERSION 3.25)
project(apart VERSION 1.0 LANGUAGES C)
find_package(Shinar REQUIRED)
if(NOT INSTALLED)
  sidl_add_library(base LANGUAGE java SERVER SIDL base.sidl IMPL_DIR impl)
  sidl_install(base PACKAGE Base)
else()
  find_package(Base REQUIRED)
  sidl_add_library(user LANGUAGE java SERVER SIDL user.sidl IMPL_DIR impl
                   INCLUDE ${Base_SIDL_DIR}/base.sidl CLASSPATH Base::base)
  target_link_libraries(user PUBLIC Base::base)
endif()
"""
BASE = """package base version 1.0 {
  struct Size { int width; }
  class Box { string name(); string greeting(); Size size(in Size s); }
}
"""
USER = """package user version 1.0 {
  class Crate extends base.Box { string name(); base.Size twice(in base.Size s); }
  class Scale { base.Box heavier(in base.Box a, in base.Box b); base.Size half(in base.Size s); }
}
"""
BODIES = {
    "base.Box.name": 'return "box";',
    "base.Box.greeting": 'return "I am a " + name();',
    "base.Box.size": "return s;",
    "user.Crate.name": 'return "crate, which is a " + super_name() + helper.Words.END;',
    "user.Crate.twice": "return size(s).withWidth(2 * s.width());",
    "user.Scale.heavier": "return a;",
    "user.Scale.half": "return new base.Size(s.width() / 2);",
}
APART_PROGRAM = """
public final class Main {
  public static void main(String[] arguments) {
    final base.Box box = user.Crate.create();
    System.out.println(box.greeting());
    System.out.println(((user.Crate) box).twice(new base.Size(4)));
  }
}
"""


def test_packages_made_apart(
    stage, run, cmake_build, tmp_path, monkeypatch, start_server, protocols
):
    """A class in Java extends one of another project, which is installed; its Impl has a class of
    its own beside it."""
    if not (stage / "lib" / "shinar" / "java").exists() or not shutil.which("java"):
        pytest.skip("built without a JDK")
    from test_java_page import fill_in

    prefix = tmp_path / "prefix"
    for name, text in (("base", BASE), ("user", USER)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.sidl").write_text(text)
        (folder / "CMakeLists.txt").write_text(APART)
        command = [stage / "bin" / "sidlc", "--server=java", "-o", folder / "gen"]
        command += ["--impl-dir", folder / "impl", "-I", tmp_path / "base" / "base.sidl"]
        run([*command, folder / f"{name}.sidl"])
        for path in (folder / "impl").rglob("*_Impl.java"):
            fill_in(path, {k: f"{v}\n" for k, v in BODIES.items()})
        (folder / "impl" / name / "Words.java").write_text(
            f'package {name};\n\nfinal class Words {{ static final String END = "!"; }}\n'
        )
        crate = folder / "impl" / "user" / "Crate_Impl.java"
        if crate.exists():
            crate.write_text(crate.read_text().replace("helper.Words", "Words"))
        options = [f"-DINSTALLED={'ON' if name == 'user' else ''}", f"-DBase_ROOT={prefix}"]
        cmake_build(folder, folder / "build", *options)
        if name == "base":
            run(["cmake", "--install", folder / "build", "--prefix", prefix])
    assert (prefix / "lib" / "base.jar").exists()
    installed = [path for path in (prefix / "include").rglob("*") if path.is_dir()]
    assert installed and all(any(folder.iterdir()) for folder in installed)
    jars = [tmp_path / "user" / "build" / "user.jar", prefix / "lib" / "base.jar"]
    jars = ":".join(map(str, [*jars, stage / "lib" / "shinar" / "java" / "shinar.jar"]))
    (tmp_path / "Main.java").write_text(APART_PROGRAM)
    run(["javac", "-cp", jars, "-d", tmp_path, tmp_path / "Main.java"])
    monkeypatch.setenv("SIDL_DLL_PATH", f"{tmp_path / 'user' / 'build'};{prefix / 'lib'}")
    done = run([*JAVA, "-Xcheck:jni", "-cp", f"{jars}:{tmp_path}", "Main"])
    assert done.stderr == ""
    assert done.stdout == "I am a crate, which is a box!\nSize[width=8]\n"
    # A program that knows nothing of Java: the other project's jar is beside its library.
    scale = f"user.Scale={tmp_path / 'user' / 'build' / 'libuser.so'}"
    url = start_server(protocols["simhandle"], "--export", scale).url
    command = [stage / "bin" / "sidl", "call", "--create", "user.Scale", url, "half"]
    assert '"width": 4' in run([*command, '{"width": 8}']).stdout


SOAKS = re.findall(r'^      case "([\w ]+)":', (HERE / "cases" / "Soak.java").read_text(), re.M)
SLOW = {"threads", "futures", "forgotten", "exceptions", "errors", "new ears"}
VERY_SLOW = {"large arrays", "overflows"}
ROOM = {"large arrays": 900_000}  # KiB that may be held until garbage is collected
FRAMES = {
    "overflows": 1000
}  # of the deepest recursion yet: the thread keeps them for its next calls


@pytest.mark.parametrize("what", SOAKS)
def test_nothing_becomes_more(what, built, stage, environment, run):
    """The long form (make soak) does it ten million times."""
    long = 10_000_000 if what == "calls" else 1_000_000
    count = (long if os.environ.get("SHINAR_SOAK") else 6_000) // (10 if what in SLOW else 1)
    count //= 600 if what in VERY_SLOW else 1
    options = ["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"]
    environment.setenv("SIDL_REPORT_LEAKS", "1")
    done = run(java(built, stage, "Soak", what, str(count), options=options), timeout=600)
    seen = re.fullmatch(r"references ([+-]\d+) objects ([+-]\d+) KiB ([+-]\d+)\n", done.stdout)
    references, objects, memory = map(int, seen.groups())
    assert references <= FRAMES.get(what, 2) and objects <= 0, done.stdout
    assert memory < ROOM.get(what, 40_000), done.stdout
    left = re.findall(r"^ *(\d+) [\w.]+(?:Exception|Problem)$", done.stderr, re.M)
    assert sum(map(int, left)) <= 1, done.stderr

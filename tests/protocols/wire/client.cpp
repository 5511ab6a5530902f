/** A client of wire.Box: `wire_client URL COMMAND …`. Prints what it finds; status 1 on failure. */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "client.hpp"
#include "sidl_NotImplementedException.hxx"
#include "sidl_RuntimeException.hxx"
#include "sidl_rmi_Deadline.hxx"
#include "sidl_rmi_NetworkException.hxx"
#include "wire_Box.hxx"
#include "wire_Secret.hxx"
#include "wire_Sorry.hxx"

namespace {

void basics(const wire::Box& box) {
  bool b = true;
  char c = 'a';
  int32_t i = -5;
  int64_t l = int64_t{1} << 40;
  float f = 0.5f;
  double d = 2.25;
  sidl::fcomplex fc(1, 2);
  sidl::dcomplex dc(3, 4);
  std::string s = "text";
  wire::Color e = wire::Color_red;
  box.basics(b, c, i, l, f, d, fc, dc, s, e);
  CHECK(!b && c == 'b' && i == -4 && l == (int64_t{1} << 40) + 1 && f == 1.5f && d == 3.25);
  CHECK(fc == sidl::fcomplex(2, 4) && dc == sidl::dcomplex(4, 6) && s == "text!");
  CHECK(e == wire::Color_blue);
  CHECK(box.add(2, 40) == 42);

  wire::Point p;
  p.x = 1.5;
  p.set_label("here");
  wire::Point last;
  last.set_label("there");
  std::string log;
  const wire::Point moved = box.move(p, 2.0, last, log);
  CHECK(moved.x == 3.5 && moved.get_label() == "here" && last.x == 1.5);
  CHECK(log == "moved here from there");

  const std::string big(100000, 'x');
  box.setName(big);
  CHECK(box.getName() == big);
  box.setName("");
  CHECK(box.getName().empty());
}

/** Methods renamed by a from clause answer to both names, by whatever view they are called. */
void renamed(const wire::Box& box) {
  CHECK(box.read(int32_t{4}) == 40 && box.read(4.0) == 2.0);
  const wire::Meter meter = box;
  const wire::Gauge gauge = sidl::babel_cast<wire::Gauge>(meter);
  CHECK(gauge._not_nil() && gauge._isRemote());
  CHECK(meter.read(5) == 50 && gauge.read(5.0) == 2.5);
}

template <class T, class Echo>
void one_array(Echo echo, T (*value)(int)) {
  CHECK(echo(sidl::array<T>())._is_nil());
  for (const int size : {0, 1, 5, 511, 512, 4096, 100000}) {
    const int32_t lower = -3;
    const int32_t upper = size - 4;
    sidl::array<T> sent = sidl::array<T>::createRow(1, &lower, &upper);
    for (int i = 0; i < size; ++i) sent[lower + i] = value(i);
    const sidl::array<T> got = echo(sent);
    CHECK(got.dimen() == 1 && got.lower(0) == lower && got.upper(0) == upper);
    for (int i = 0; i < size; ++i) CHECK(T(got[lower + i]) == value(i));
    if (size < 5) continue;
    const int32_t count = size / 2;
    const int32_t step = 2;
    const sidl::array<T> half = echo(sent.slice(1, &count, &lower, &step));
    CHECK(half.length(0) == count);
    for (int i = 0; i < count; ++i) CHECK(T(half[half.lower(0) + i]) == value(2 * i));
  }
}

void arrays(const wire::Box& box) {
  one_array<bool>([&](auto a) { return box.bools(a); }, +[](int i) { return i % 3 == 0; });
  one_array<char>([&](auto a) { return box.chars(a); }, +[](int i) { return char('a' + i % 26); });
  one_array<int32_t>([&](auto a) { return box.ints(a); }, +[](int i) { return i * 7; });
  one_array<int64_t>([&](auto a) { return box.longs(a); }, +[](int i) { return int64_t{i} << 33; });
  one_array<float>([&](auto a) { return box.floats(a); }, +[](int i) { return i * 0.5f; });
  one_array<double>([&](auto a) { return box.doubles(a); }, +[](int i) { return i * 0.25; });
  one_array<sidl::fcomplex>([&](auto a) { return box.fcomplexes(a); },
                            +[](int i) { return sidl::fcomplex(float(i), 1.0f); });
  one_array<sidl::dcomplex>([&](auto a) { return box.dcomplexes(a); },
                            +[](int i) { return sidl::dcomplex(i, -1.0); });
  one_array<std::string>([&](auto a) { return box.strings(a); },
                         +[](int i) { return "s" + std::to_string(i); });
  for (const bool row : {true, false}) {
    const int32_t lower[] = {1, 2};
    const int32_t upper[] = {60, 41};
    sidl::array<double> sent = row ? sidl::array<double>::createRow(2, lower, upper)
                                   : sidl::array<double>::createCol(2, lower, upper);
    for (int i = 1; i <= 60; ++i) {
      for (int j = 2; j <= 41; ++j) sent(i, j) = 100.0 * i + j;
    }
    const sidl::array<double> got = box.matrix(sent);
    CHECK(got.isRowOrder() == row && got.lower(0) == 1 && got.upper(1) == 41);
    for (int i = 1; i <= 60; ++i) {
      for (int j = 2; j <= 41; ++j) CHECK(got(i, j) == 100.0 * i + j);
    }
  }
}

void objects(const wire::Box& box, const std::string& url) {
  CHECK(box._isRemote());
  const std::string own_url = box._getURL();
  CHECK(own_url.rfind(url, 0) == 0 && own_url != url);
  const wire::Named made = box.make("made");
  CHECK(made._isRemote() && made.getName() == "made");
  CHECK(box.isMe(box.itself()) && !box.isMe(made) && !box.isMe(wire::Named()));
  CHECK(box.itself().isSame(box));
  CHECK(box.back(made).isSame(made));
  CHECK(box.back(wire::Named())._is_nil());
  const wire::Box cast = sidl::babel_cast<wire::Box>(made);
  CHECK(cast._not_nil() && cast.add(1, 2) == 3);
  CHECK(sidl::babel_cast<wire::Secret>(made)._is_nil());
  const wire::Box again = wire::Box::_connect(own_url);
  CHECK(again.isSame(box) && again.add(3, 4) == 7);
  box.keep(made);
  CHECK(box.kept().getName() == "made");
}

template <class T>
sidl::array<T> list(std::initializer_list<T> values) {
  return sidl::array<T>::create1dInit(static_cast<int32_t>(values.size()), values.begin());
}

/** The bytes are the same: also of numbers that are not equal to themselves. */
/** A published object has a name, and an id as any other. */
void names(const wire::Box& published) {
  const wire::Named by_id = published.itself();
  CHECK(published.isSame(by_id) && by_id.isSame(published));
  CHECK(!published.isSame(published.make("another")));
}

template <class T>
void same_bits(const sidl::array<T>& sent, const sidl::array<T>& got) {
  CHECK(got.size() == sent.size());
  CHECK(std::memcmp(got.first(), sent.first(), sent.size() * sizeof(T)) == 0);
}

/** Numbers arrive to the last bit, strings to the last byte. */
template <class T>
void extreme_numbers(sidl::array<T> (wire::Box::*echo)(const sidl::array<T>&) const,
                     const wire::Box& box) {
  using Limits = std::numeric_limits<T>;
  const auto sent = list<T>({Limits::lowest(), Limits::min(), Limits::max(), T(0), T(-0.0), T(-1),
                             Limits::denorm_min(), Limits::infinity(), T(-Limits::infinity()),
                             Limits::quiet_NaN(), T(1) / T(3), Limits::epsilon()});
  same_bits(sent, (box.*echo)(sent));
}

void extremes(const wire::Box& box) {
  extreme_numbers<int32_t>(&wire::Box::ints, box);
  extreme_numbers<int64_t>(&wire::Box::longs, box);
  extreme_numbers<float>(&wire::Box::floats, box);
  extreme_numbers<double>(&wire::Box::doubles, box);
  const auto numbers = list<int64_t>({(int64_t{1} << 53) + 1, -((int64_t{1} << 53) + 1)});
  same_bits(numbers, box.longs(numbers));
  std::string bytes;
  for (int i = 255; i > 0; --i) bytes += static_cast<char>(i);
  box.setName(bytes);
  CHECK(box.getName() == bytes);
  const auto texts = list<std::string>({"", bytes, "\xc3\xa9", "\"\\\n", "\xed\xa0\x80", "nan"});
  const auto got = box.strings(texts);
  for (int i = 0; i < 6; ++i) CHECK(std::string(got[i]) == std::string(texts[i]));
}

/** Objects of this process, which does not listen anywhere. */
void callbacks(const wire::Box& box) {
  const wire::Box mine = wire::Box::_create();
  mine.setName("mine");
  CHECK(mine._isLocal() && box.nameOf(mine) == "mine");
  const wire::Named back = box.back(mine);
  CHECK(back._isLocal() && back.isSame(mine) && !box.isMe(mine));
  box.keep(mine);
  CHECK(box.kept().isSame(mine));
  CHECK(box.nest(mine, 64) == 64);
  CHECK(mine.nest(box, 5) == 5);
  box.keep(wire::Named());
}

/** Objects of one server for another. */
void third_party(const wire::Box& box, const std::string& other_url) {
  const wire::Box other = wire::Box::_create(other_url);
  other.setName("of the other");
  CHECK(box.nameOf(other) == "of the other");
  CHECK(box.back(other).isSame(other));
  box.keep(other.make("made there"));
  CHECK(box.kept().getName() == "made there");
  CHECK(box.nest(other, 10) == 10);
  box.keep(wire::Named());
}

/** What is thrown is caught by its class, by its parent, and by its interfaces. */
void catch_sorry(const wire::Box& box, int code) {
  int caught = 0;
  try {
    box.fail(code);
  } catch (const wire::Sorry& sorry) {
    CHECK(sorry.getNote() == "sorry about this");
    CHECK(sorry.isType("wire.Sorry") && sorry.isType("sidl.RuntimeException"));
    ++caught;
  }
  try {
    box.fail(code);
  } catch (const sidl::SIDLException& sorry) {
    ++caught;
  }
  try {
    box.fail(code);
  } catch (const sidl::RuntimeException& sorry) {
    ++caught;
  }
  CHECK(caught == 3);
}

/** A server throws what another one has thrown. */
void pass_on(const wire::Box& box, const std::string& other_url, int numbers) {
  box.passOn(wire::Box::_create(other_url), 7, numbers);
}

/** References that a server hands on: to its own objects, to a third one's, to those of a client.
 */
void hand_on(const wire::Box& box, const std::string& other_url) {
  const wire::Box other = wire::Box::_create(other_url);
  CHECK(box.handOn(other, box.make("of the first")) == "of the first");
  CHECK(box.handOn(other, other.make("of the second")) == "of the second");
  CHECK(box.handOn(box, other.make("brought back")) == "brought back");
  box.handOn(other, wire::Box::_create());
}

/** Lends an object of one server to the object at `url` of another one, when told, and stays. */
void lend(const std::string& url, const std::string& other_url, bool one_way) {
  const wire::Box keeper = wire::Box::_connect(url);
  wire::Box lent = wire::Box::_create(other_url);
  lent.setName("lent");
  std::printf("holding it\n");
  std::fflush(stdout);
  std::getchar();
  one_way ? keeper.keepSoon(lent) : keeper.keep(lent);
  lent = wire::Box();
  std::printf("gave it up\n");
  std::fflush(stdout);
  while (std::getchar() != EOF) continue;
}

/** Holds `count` objects until standard input ends, or until it is killed. */
void hold(const std::string& url, int count) {
  std::vector<wire::Box> boxes;
  for (int i = 0; i < count; ++i) boxes.push_back(wire::Box::_create(url));
  std::printf("holding %d\n", count);
  std::fflush(stdout);
  while (std::getchar() != EOF) continue;
}

void measure(const wire::Box& box, int count) {
  for (int i = 0; i < count / 10; ++i) box.noop();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) box.noop();
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  std::printf("%.2f us per call\n", time.count() / count);
}

int run(const std::string& url, const std::string& command, const std::string& argument,
        const std::string& other_url) {
  const int number = std::atoi(argument.c_str());
  if (command == "hold") {
    hold(url, number);
    return 0;
  }
  if (command == "lend" || command == "lend-one-way") {
    lend(url, argument, command == "lend-one-way");
    return 0;
  }
  if (command == "kept") {
    std::printf("name: %s\n", wire::Box::_connect(url).kept().getName().c_str());
    return 0;
  }
  if (command == "let-go") {
    wire::Box::_connect(url).keep(wire::Named());
    return 0;
  }
  if (command.starts_with("create-and-drop")) {
    create_and_drop(url, number, command == "create-and-drop-both", other_url);
    return 0;
  }
  if (command == "secret") {
    wire::Secret::_create(url);
    return 0;
  }
  if (command == "leave") {
    leave_object(wire::Box::_connect(url));
    return 0;
  }
  if (command == "bounce-kept") {
    std::printf("%d\n", wire::Box::_connect(url).bounceKept(number));
    return 0;
  }
  if (command == "connect") {
    std::printf("name: %s\n", wire::Box::_connect(url).getName().c_str());
    return 0;
  }
  if (command == "names") {
    names(wire::Box::_connect(url));
    std::printf("ok\n");
    return 0;
  }
  const wire::Box box = wire::Box::_create(url);
  if (command == "all") {
    basics(box);
    renamed(box);
    arrays(box);
    objects(box, url);
    extremes(box);
  } else if (command == "callbacks") {
    callbacks(box);
  } else if (command == "dropped-handles") {
    dropped_handles(box, url);
  } else if (command == "dropped-listeners") {
    dropped_listeners(box);
  } else if (command == "to-and-fro") {
    references_to_and_fro(box, [](const wire::Box&) { return wire::Box::_create(); });
  } else if (command == "to-and-fro-remote") {
    references_to_and_fro(
        box, [](const wire::Box& at) { return sidl::babel_cast<wire::Box>(at.make("made")); });
  } else if (command == "third") {
    third_party(box, argument);
  } else if (command == "thirds-end") {
    third_objects_end(box, argument);
  } else if (command == "thirds-late") {
    late_third_objects_end(box, argument);
  } else if (command == "create-late") {
    std::printf("waiting\n");
    std::fflush(stdout);
    std::getchar();
    sidl::rmi::Deadline::setForProcess(number);
    wire::Box::_create(url);
  } else if (command == "hand-on") {
    hand_on(box, argument);
  } else if (command == "alive") {
    std::printf("%d\n", box.alive());
  } else if (command == "wait") {
    std::printf("waiting\n");
    std::fflush(stdout);
    box.wait(number);
  } else if (command == "fail") {
    box.fail(number);
  } else if (command == "catch") {
    catch_sorry(box, number);
  } else if (command == "pass-on") {
    pass_on(box, argument, 3);
  } else if (command == "pass-on-much") {
    pass_on(box, argument, 10000);
  } else if (command == "nonblocking") {
    nonblocking_calls(box);
  } else if (command == "lending") {
    lending(box, url);
  } else if (command == "streams") {
    streams(box, url);
  } else if (command == "measure") {
    measure(box, number);
  } else {
    std::printf("unknown command %s\n", command.c_str());
    return 2;
  }
  std::printf("ok\n");
  return 0;
}

void report_sorry(const wire::Sorry& sorry) {
  try {
    const int code = sorry.getCode();
    const sidl::array<double> numbers = sorry.getNumbers();
    const int count = numbers._is_nil() ? 0 : numbers.length();
    std::printf("code %d, %d numbers", code, count);
    std::printf(count > 0 ? ", the last %g\n" : "\n", count > 0 ? numbers.get(count - 1) : 0.0);
  } catch (const sidl::NotImplementedException& e) {
    std::printf("not implemented: %s\n", e.what());
  }
}

void report(const sidl::BaseException& e) {
  std::printf("%s: %s\n", e.getClassInfo().getName().c_str(), e.what());
  const auto network = sidl::babel_cast<sidl::rmi::NetworkException>(e);
  if (network._not_nil()) {
    std::printf("errno %d, fate %d\n", network.getErrno(), static_cast<int>(network.getFate()));
  }
  const auto sorry = sidl::babel_cast<wire::Sorry>(e);
  if (sorry._not_nil()) report_sorry(sorry);
  std::printf("%s", e.getTrace().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    return run(argv[1], argv[2], argc > 3 ? argv[3] : "0", argc > 4 ? argv[4] : argv[1]);
  } catch (const sidl::BaseException& e) {
    report(e);
  } catch (const std::exception& e) {
    std::printf("C++ exception: %s\n", e.what());
  }
  return 1;
}

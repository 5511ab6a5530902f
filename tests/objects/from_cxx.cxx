// from_cxx.cxx: the cases, by a caller in C++. What each prints is the same in every language;
// test_objects.py says what it has to be.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ob.hxx"
#include "sidl_ClassInfo.hxx"
#include "sidl_DLL.hxx"
#include "sidl_LangSpecificException.hxx"
#include "sidl_Loader.hxx"
#include "sidl_MemAllocException.hxx"

namespace {

const char* const server = std::getenv("OB_SERVER");

// A new object of a class, where the test wants it.
template <class Class>
Class made() {
  return server ? Class::_create(server) : Class::_create();
}

sidl::BaseClass make(const std::string& name) {
  if (name == "L2") return made<ob::L2>();
  if (name == "L4") return made<ob::L4>();
  if (name == "L5") return made<ob::L5>();
  if (name == "L6") return made<ob::L6>();
  if (name == "RelayC") return made<ob::RelayC>();
  return made<ob::RelayCxx>();
}

void print(const std::string& what, const std::string& value) {
  std::printf("%s: %s\n", what.c_str(), value.c_str());
}

void print(const std::string& what, double value) {
  std::printf("%s: %g\n", what.c_str(), value);
}

void print_exception(const sidl::BaseException& ex) {
  print(ex.getClassInfo().getName(), ex.getNote());
  std::printf("%s", ex.getTrace().c_str());
}

// ---- casts -------------------------------------------------------------------------------------

template <class Type>
void cast(const std::string& name, const sidl::BaseClass& object) {
  const Type view = sidl::babel_cast<Type>(object);
  const bool is_type = object.isType(Type::type_name());
  const bool same = view && view.isSame(object) && object.isSame(view);
  print(name + " " + Type::type_name(), view      ? same && is_type ? "yes" : "?"
                                        : is_type ? "!"
                                                  : "no");
  const Type again(Type::_cast(object._get_ior()));
  if (view._not_nil() != again._not_nil()) print(name, "casts differ");
}

void casts(const std::string& name) {
  const sidl::BaseClass object = make(name);
  cast<ob::L1>(name, object);
  cast<ob::L2>(name, object);
  cast<ob::L3>(name, object);
  cast<ob::L4>(name, object);
  cast<ob::L5>(name, object);
  cast<ob::L6>(name, object);
  cast<ob::Top>(name, object);
  cast<ob::Left>(name, object);
  cast<ob::Right>(name, object);
  cast<ob::Bottom>(name, object);
  cast<ob::Side>(name, object);
  cast<ob::Deep>(name, object);
  cast<ob::Counter>(name, object);
  cast<ob::Gauge>(name, object);
  cast<ob::Relay>(name, object);
  cast<ob::RelayC>(name, object);
  cast<ob::RelayCxx>(name, object);
  cast<ob::Oops>(name, object);
  cast<sidl::BaseClass>(name, object);
  cast<sidl::BaseInterface>(name, object);
  cast<sidl::BaseException>(name, object);
  print(name, object.getClassInfo().getName() + " " + object.getClassInfo().getVersion());
  print("is made up", std::to_string(object.isType("ob.L0") || object.isType("")));
}

// Every view of an object seen as every other one, at whatever facet the cast begins.
template <class From, class... To>
int lost(const sidl::BaseClass& object) {
  const From from = sidl::babel_cast<From>(object);
  return ((sidl::babel_cast<To>(from).isSame(object) ? 0 : 1) + ...);
}

template <class... All>
int all_lost(const sidl::BaseClass& object) {
  return (lost<All, All...>(object) + ...);
}

void sideways() {
  print("lost", all_lost<ob::L1, ob::L2, ob::L3, ob::L4, ob::L5, ob::L6, ob::Top, ob::Left,
                         ob::Right, ob::Bottom, ob::Side, ob::Deep, ob::Counter, ob::Gauge,
                         sidl::BaseClass, sidl::BaseInterface>(make("L6")));
}

// ---- calls -------------------------------------------------------------------------------------

void calls(const std::string& name) {
  const sidl::BaseClass object = make(name);
  const ob::L1 l1 = sidl::babel_cast<ob::L1>(object);
  print("L1.chain", l1.chain());
  print("L1.name", l1.name());
  print("L1.who", l1.who());
  print("L1.sealed", l1.sealed());
  print("L1.missing", l1.missing());
  print("L1.top", l1.top());
  print("L1.sum", static_cast<double>(l1.sum(0)));
  const ob::L2 l2 = sidl::babel_cast<ob::L2>(object);
  print("L2.chain", l2.chain());
  print("L2.left", l2.left());
  print("L2.sum", static_cast<double>(l2.sum(1)));
  print("Top.top", sidl::babel_cast<ob::Top>(object).top());
  print("Left.top", sidl::babel_cast<ob::Left>(object).top());
  print("Left.left", sidl::babel_cast<ob::Left>(object).left());
  if (const auto l4 = sidl::babel_cast<ob::L4>(object)) {
    print("L4.chain", l4.chain());
    print("L4.lower", l4.lower());
    print("L4.right", l4.right());
    print("L4.over", l4.over());
    print("L4.overInt", l4.over(7));
    print("L4.overString", l4.over("x"));
    print("L4.readCount", l4.read(1));
    print("L4.readValue", l4.read(1.0));
    print("Counter.read", sidl::babel_cast<ob::Counter>(l4).read(1));
    print("Gauge.read", sidl::babel_cast<ob::Gauge>(l4).read(1.0));
    const ob::Bottom bottom = l4;
    print("Bottom.top", bottom.top());
    print("Bottom.left", bottom.left());
    print("Bottom.right", bottom.right());
    print("Bottom.bottom", bottom.bottom());
    print("Right.right", ob::Right(bottom).right());
  }
  if (const auto deep = sidl::babel_cast<ob::Deep>(object)) {
    print("Deep.deep", deep.deep());
    print("Deep.side", deep.side());
    print("Deep.bottom", deep.bottom());
    print("Deep.top", deep.top());
    print("Side.top", ob::Side(deep).top());
    print("L6.deep", sidl::babel_cast<ob::L6>(deep).deep());
  }
  print("L1.sum", static_cast<double>(l1.sum(0)));
}

void statics() {
  print("L1", ob::L1::declared());
  print("L5", ob::L5::fifth("you"));
}

// ---- lives -------------------------------------------------------------------------------------

void life(const std::string& hook) {
  const ob::Probe probe = made<ob::Probe>();
  if (hook.compare(0, 4, "load") != 0) {
    make("L6");
    while (probe.alive() != 0) {
    }
    probe.log();
  }
  probe.failAt(hook);
  for (int i = 0; i < 2; ++i) {
    try {
      make("L6");
      print("made", "");
    } catch (const sidl::BaseException& ex) {
      print_exception(ex);
    }
    while (probe.alive() != 0) {  // another process ends the object in its own time
    }
    std::printf("%s", probe.log().c_str());
    probe.failAt("");
  }
}

void wraps() {
  const ob::Probe probe = made<ob::Probe>();
  ob::L1 wrapped = ob::L6::make("wrapped");
  print("wrapped", static_cast<double>(wrapped.sum(0)));
  print("wrapped", wrapped.chain());
  wrapped = ob::L1();
  ob::L6::make("");
  print("behind", static_cast<double>(ob::L6::make("impl").sum(0)));
  probe.log();
  print("alive", probe.alive());
  probe.failAt("ctor L6");
  try {
    ob::L6::make("wrapped");
  } catch (const sidl::BaseException& ex) {  // make() declares nothing
    print_exception(ex);
  }
  print("alive", probe.alive());
  std::printf("%s", probe.log().c_str());
}

// An object around an Impl that its owner has deleted.
void gone() {
  const ob::Probe probe = made<ob::Probe>();
  const ob::L1 l1 = ob::L6::make("wrapped");
  const ob::Deep deep = sidl::babel_cast<ob::Deep>(l1);
  ob::L6::make("");
  probe.log();
  print("alive", probe.alive());
  for (const auto& call : {std::function<void()>([&] { l1.sum(0); }), {[&] { deep.top(); }}}) {
    try {
      call();
    } catch (const sidl::BaseException& ex) {
      print_exception(ex);
    }
  }
  const ob::Bottom bottom = sidl::babel_cast<ob::Bottom>(deep);
  print("same", bottom.isSame(l1) && !bottom.isSame(probe) && !probe.isSame(l1));
  print("types", l1.isType("ob.Side") && !l1.isType("ob.Relay"));
  print("class", l1.getClassInfo().getName());
}

// ---- exceptions --------------------------------------------------------------------------------

sidl::array<ob::Relay> path(const std::string& letters) {
  auto relays = sidl::array<ob::Relay>::create1d(static_cast<int32_t>(letters.size()));
  for (size_t i = 0; i < letters.size(); ++i) {
    relays[static_cast<int32_t>(i)] =
        sidl::babel_cast<ob::Relay>(make(letters[i] == 'c' ? "RelayC" : "RelayCxx"));
  }
  return relays;
}

void relay(const std::string& letters, const std::string& what) {
  const auto relays = path(letters);
  try {
    relays.get(0).relay(relays, 1, what);
    print("caught", "nothing");
  } catch (const sidl::BaseException& ex) {
    print_exception(ex);
  }
}

// As what a call's exception is caught: by the first handler that fits, subclasses first.
template <class Call>
void caught(const std::string& who, const Call& call) {
  std::string as = "nothing";
  try {
    call();
  } catch (const ob::Worse&) {
    as = "ob::Worse";
  } catch (const ob::Oops&) {
    as = "ob::Oops";
  } catch (const sidl::MemAllocException&) {
    as = "sidl::MemAllocException";
  } catch (const sidl::SIDLException&) {
    as = "sidl::SIDLException";
  } catch (const sidl::RuntimeException&) {
    as = "sidl::RuntimeException";
  } catch (const sidl::BaseException&) {
    as = "sidl::BaseException";
  }
  print(who, as);
}

void kinds() {
  const ob::Probe probe = made<ob::Probe>();
  probe.failAt("ctor L6");
  caught("_create", [] { make("L6"); });
  if (!server) caught("no throws clause", [] { ob::L6::make("wrapped"); });
  probe.failAt("");
  for (const char* const letters : {"xc", "cx"}) {
    const auto relays = path(letters);
    for (const char* const what : {"Oops", "Worse", "array", "undeclared"}) {
      caught(what, [&] { relays.get(0).relay(relays, 1, what); });
    }
  }
}

void rethrow(const std::string& letters, const std::string& what) {
  const auto relays = path(letters);
  try {
    relays.get(0).rethrow(relays.get(1), what);
  } catch (const sidl::BaseException& ex) {
    print_exception(ex);
  }
}

ob::Whole whole(const char* text, const ob::Top& object) {
  ob::Whole result;
  auto words = sidl::array<std::string>::create1d(1);
  words[0] = text;
  result.set_text(text);
  result.set_words(words);
  result.set_object(object);
  return result;
}

void print_whole(const char* name, const ob::Whole& whole) {
  std::printf("%s: %s %d %g %s %s %s\n", name, whole.text ? whole.text : "null",
              static_cast<int>(whole.color), whole.z.real,
              whole.words ? whole.get_words().get(0).c_str() : "null",
              whole.tops ? whole.get_tops().get(0).top().c_str() : "null",
              whole.object ? whole.get_object().top().c_str() : "null");
}

void fill(const std::string& letters, const std::string& what) {
  const ob::Relay relay = path(letters).get(0);
  const ob::Top object = made<ob::L2>(), other = made<ob::L4>();
  bool b = true;
  char c = 'x';
  int32_t i = 9, ioi = 9;
  double d = 9;
  sidl::dcomplex z(9, 9);
  ob::Color e = ob::Color_blue, ioe = ob::Color_red;
  std::string s = "before", ios = "before";
  auto words = sidl::array<std::string>::create1d(1),
       ioWords = sidl::array<std::string>::create1d(1);
  auto tops = sidl::array<ob::Top>::create1d(1), ioTops = sidl::array<ob::Top>::create1d(1);
  ioWords[0] = "before";
  ioTops[0] = other;
  ob::Whole out = whole("before", other), io = whole("before", other), result;
  ob::Top top = other, ioTop = other;
  try {
    result = relay.fill(what, object, b, c, i, d, z, e, s, words, tops, out, top, ioi, ioe, ios,
                        ioWords, ioTops, io, ioTop);
  } catch (const sidl::BaseException& ex) {
    print(ex.getClassInfo().getName(), ex.getNote());
  }
  std::printf("outs: %d %d %d %g %g %d %s %s %s %s\n", b, c, i, d, z.imag(), static_cast<int>(e),
              s.empty() ? "null" : s.c_str(), words ? words.get(0).c_str() : "null",
              tops ? tops.get(0).top().c_str() : "null", top ? top.top().c_str() : "null");
  std::printf("inouts: %d %d %s %s %s %s\n", ioi, static_cast<int>(ioe), ios.c_str(),
              ioWords.get(0).c_str(), ioTops.get(0).top().c_str(), ioTop.top().c_str());
  print_whole("out", out);
  print_whole("inout", io);
  print_whole("result", result);
}

void through(const std::string& letters) {
  const ob::Relay relay = path(letters).get(0);
  for (const char* const name : {"L2", "L4", "L6"}) {
    const sidl::BaseClass object = make(name);
    ob::Top o, io = sidl::babel_cast<ob::Top>(make("L5"));
    const sidl::BaseInterface back = relay.through(object, o, io);
    print(name, back.isSame(object) && o.isSame(object) && io.isSame(object) ? "same" : "another");
    print(name, sidl::babel_cast<ob::L2>(o).chain());
  }
}

// ---- libraries ---------------------------------------------------------------------------------

// A class that is known in the library of `uri`, beside what this program has of it.
void twice(const std::string& uri) {
  const sidl::DLL dll = sidl::Loader::loadLibrary(uri, false, false);
  const ob::L4 mine = ob::L4::_create();
  const ob::L4 theirs = sidl::babel_cast<ob::L4>(dll.createClass("ob.L4"));
  print("mine", mine.chain() + " " + mine.over(7));
  print("theirs", theirs.chain() + " " + theirs.over(7));
  const ob::Relay relay = path("x").get(0);
  ob::Top o, io = mine;
  relay.through(theirs, o, io);
  print("through", o.isSame(theirs) && io.isSame(theirs) ? "same" : "another");
  print("abstract", dll.createClass("ob.L1") ? "made" : "null");
  print("unknown", dll.createClass("ob.L9") ? "made" : "null");
}

void old() {
  try {
    ob::Old::_create();
  } catch (const sidl::BaseException& ex) {
    print(ex.getClassInfo().getName(), ex.getNote());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "", one = argc > 2 ? argv[2] : "",
                    two = argc > 3 ? argv[3] : "";
  if (name == "casts") casts(one);
  if (name == "sideways") sideways();
  if (name == "calls") calls(one);
  if (name == "statics") statics();
  if (name == "life") life(one);
  if (name == "wraps") wraps();
  if (name == "gone") gone();
  if (name == "relay") relay(one, two);
  if (name == "kinds") kinds();
  if (name == "rethrow") rethrow(one, two);
  if (name == "fill") fill(one, two);
  if (name == "through") through(one);
  if (name == "twice") twice(one);
  if (name == "old") old();
  const ob::Probe probe = made<ob::Probe>();
  for (int i = 0; probe.alive() != 0 && i < 100000; ++i) {
  }
  print("left over", probe.alive());
  return 0;
}

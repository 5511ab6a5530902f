// As client.c.
#include <cstdio>
#include <functional>
#include <string>

#include "mix.hxx"

static void say(const char* what, const std::function<int()>& act) {
  try {
    const int value = act();
    std::printf("%s %d\n", what, value);
  } catch (const sidl::BaseException& e) {
    std::printf("%s ! %s\n", what, e.getNote().c_str());
  }
  std::fflush(stdout);
}

int main(int count, char** arguments) {
  const std::string url = count > 1 ? arguments[1] : "";
  mix::Maker maker;
  say("create", [&] {
    maker = url.empty() ? mix::Maker::_create() : mix::Maker::_create(url);
    return 0;
  });
  if (maker._not_nil()) {
    say("make", [&] { return maker.make().area(); });
    say("cast", [&] {
      mix::Thing thing = sidl::babel_cast<mix::Thing>(maker.some());
      return thing._is_nil() ? 0 : thing.area();
    });
    say("swap", [&] {
      mix::Pair pair;
      pair.a = 7;
      pair.b = 77;
      const mix::Pair swapped = maker.swap(pair);
      return static_cast<int>(swapped.a * 100 + swapped.b);
    });
    say("paint", [&] { return maker.paint(mix::Color_green); });
    say("tell", [&] { return maker.tell(mix::Ear::_create()); });
    say("twin", [&] {
      mix::Thing thing = maker.make();
      return thing.twin(thing).area();
    });
  }
  if (!url.empty()) return 0;
  say("static", [] { return mix::Maker::one(); });
  say("thing", [] { return mix::Thing::_create().area(); });
}

// As what exceptions are caught: by their own class, as the program was compiled for it, or by the
// nearest class above it. Arguments: the URL of a server, or "" for objects of this process, and
// libraries to load before anything is done.
#include <dlfcn.h>

#include <cstdio>
#include <functional>
#include <string>

#include "mix.hxx"

static void say(const char* what, const std::function<void()>& act) {
  try {
    act();
    std::printf("%s nothing\n", what);
  } catch (const mix::Oops& e) {
    std::printf("%s mix.Oops %s %d %d\n", what, e.getNote().c_str(), e.code(), e.severity());
  } catch (const sidl::SIDLException& e) {
    std::printf("%s sidl.SIDLException %s\n", what, e.getNote().c_str());
  } catch (const sidl::BaseException& e) {
    std::printf("%s ! %s\n", what, e.getNote().c_str());
  }
  std::fflush(stdout);
}

int main(int count, char** arguments) {
  const std::string url = count > 1 ? arguments[1] : "";
  for (int i = 2; i < count; ++i) {
    if (!dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL)) std::printf("%s\n", dlerror());
  }
  mix::Maker maker = url.empty() ? mix::Maker::_create() : mix::Maker::_create(url);
  say("fail", [&] { maker.fail(); });
  say("fall", [&] { maker.fall(); });
}

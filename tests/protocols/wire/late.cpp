/**
 * Calls that come late: from exit handlers, and from destructors of static and thread_local objects
 * and of the values of pthread keys, those that are there before the first call and those that come
 * after it. `wire_late URL`; without a URL, in this process. Prints a line for each.
 */
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "wire_Box.hxx"

namespace {

std::string* url;  // never destroyed
wire::Box* early;  // made before everything else

wire::Box make() {
  return url->empty() ? wire::Box::_create() : wire::Box::_create(*url);
}

/** All ways through the protocol that keep something: small calls, general ones, callbacks. */
void use(const char* where) {
  try {
    const wire::Box box = make();
    const wire::Box mine = wire::Box::_create();
    mine.setName("a name that is too long to be kept within a string object");
    const std::string name = early->nameOf(mine);
    box.note(0, 7);
    const int32_t slow = box.slowly_recv(box.slowly_send(0, 5, wire::Named()));
    const bool right = box.add(2, 3) == 5 && early->add(3, 4) == 7 && slow == 5 &&
                       name == mine.getName() && box.notes().length(0) == 1;
    std::printf("%s: %s\n", where, right ? "right" : "wrong");
  } catch (const std::exception& error) {
    std::printf("%s: %s\n", where, error.what());
  }
  std::fflush(stdout);
}

struct AtEnd {
  const char* where;
  ~AtEnd() { use(where); }
};

const AtEnd static_object{"a static object"};

struct Keys {
  pthread_key_t first{}, second{};
};

/** Of one thread, the main one or another. */
void in_thread(const Keys& keys) {
  static thread_local const AtEnd before{"thread_local, before the first call"};
  static_cast<void>(&before);
  ::pthread_setspecific(keys.first, "a key, before the first call");
  use("a call");
  static thread_local const AtEnd after{"thread_local, after the first call"};
  static_cast<void>(&after);
  ::pthread_setspecific(keys.second, "a key, after the first call");
}

void use_key(void* where) {
  use(static_cast<const char*>(where));
}

}  // namespace

int main(int argc, char** argv) {
  url = new std::string(argc > 1 ? argv[1] : "");
  std::atexit([] { use("an exit handler, before the first call"); });
  early = new wire::Box(make());
  std::atexit([] { use("an exit handler, after the first call"); });
  Keys keys;
  ::pthread_key_create(&keys.first, use_key);
  ::pthread_key_create(&keys.second, use_key);
  std::thread([&] { in_thread(keys); }).join();
  in_thread(keys);
  return 0;
}

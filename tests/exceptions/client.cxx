// Says the class, the note and the degrees of what each argument throws: client [url] language ...
#include <cstring>
#include <iostream>

#include "oven.hxx"

int main(int argc, char** argv) {
  const bool is_remote = argc > 1 && std::strstr(argv[1], "://") != nullptr;
  oven::Oven oven = is_remote ? oven::Oven::_create(argv[1]) : oven::Oven::_create();
  for (int i = is_remote ? 2 : 1; i < argc; ++i) {
    try {
      oven.heat(argv[i]);
    } catch (sidl::SIDLException& error) {
      oven::Hot hot = sidl::babel_cast<oven::Hot>(error);
      std::cout << error.getClassInfo().getName() << ": " << error.getNote() << ", "
                << hot.getDegrees() << "\n";
    }
  }
}

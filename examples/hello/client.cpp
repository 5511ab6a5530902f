#include <iostream>

#include "hello.hxx"

int main(int argc, char** argv) {
  try {
    auto world = argc > 1 ? hello::World::_create(argv[1]) : hello::World::_create();
    std::cout << world.greet("C++") << std::endl;
  } catch (const std::exception& error) {
    std::cerr << "hello: " << error.what() << std::endl;
    return 1;
  }
}

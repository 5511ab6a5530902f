#include <iostream>

#include "finer.hxx"

int main() {
  try {
    auto mesh = finer::Mesh::_create();
    mesh.divide(2);
    mesh.halve();
    std::cout << mesh.points().length() << "\n";
  } catch (const std::exception& error) {
    std::cout << error.what() << "\n";
    return 1;
  }
}

// Makes an Impl itself, as programs did that had their data before they had a SIDL object.
#include <iostream>
#include "mesh_Grid_Impl.hxx"

int main() {
  bool ok;
  {
    mesh::Grid_impl mine;
    mesh::Grid handle = mine;
    mesh::Field field = handle;
    handle.resize(2, 2);
    ok = mine._isWrapped() && field.value(1) == 10 && mesh::Grid::count() == 1;
  }
  ok = ok && mesh::Grid::count() == 0;
  std::cout << (ok ? "ok" : "not ok") << std::endl;
  return !ok;
}

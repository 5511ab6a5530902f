// Makes a mesh, a kernel and a monitor, here or on the server that its argument names.
#include <iostream>

#include "plant.hxx"

template <typename Class>
Class make(int argc, char** argv) {
  return argc > 1 ? Class::_create(argv[1]) : Class::_create();
}

int main(int argc, char** argv) {
  try {
    auto mesh = plant::Mesh::_create();
    auto kernel = make<plant::Kernel>(argc, argv);
    auto monitor = make<plant::Monitor>(argc, argv);
    try {
      kernel.use(mesh);
    } catch (const plant::BadMesh& bad) {
      std::cout << bad.getNote() << "\n";
    }
    mesh.divide(4);
    kernel.use(mesh);
    kernel.watch(monitor);
    auto field = mesh.points();
    double norm = 0;
    for (int step = 0; step < 3; ++step) norm = kernel.advance(0.5, field);
    std::cout << "norm " << norm << ", field " << field.get(4) << "\n"
              << "heard " << monitor.count() << ", last " << monitor.last() << "\n"
              << "middle " << mesh.cell(1).x << " " << mesh.cell(1).y << "\n";
  } catch (const std::exception& error) {
    std::cout << error.what() << "\n";
    return 1;
  }
}

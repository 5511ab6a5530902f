// The heat equation on a grid, as one would write it without Shinar: the Impl only wraps it.
#pragma once

#include <cstddef>
#include <vector>

enum class Edge { fixed, insulated, periodic };

class Plate {
 public:
  Plate() = default;
  Plate(int nx, int ny, double width, double height, double diffusivity);

  int nx() const { return nx_; }
  int ny() const { return ny_; }
  Edge edge() const { return edge_; }
  void set_edge(Edge edge) { edge_ = edge; }

  // Temperatures, row by row: point (i, j) is at i * ny + j.
  std::vector<double>& field() { return field_; }
  const std::vector<double>& field() const { return field_; }

  double stable_step() const;
  void step(double dt);

 private:
  double* row(std::vector<double>& field, int i) { return field.data() + std::size_t(i) * ny_; }
  void step_row(int i, double kx, double ky);

  int nx_ = 0;
  int ny_ = 0;
  double hx_ = 1;
  double hy_ = 1;
  double diffusivity_ = 0;
  Edge edge_ = Edge::fixed;
  std::vector<double> field_;
  std::vector<double> next_;
};

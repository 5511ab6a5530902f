// The heat equation on three grids, against the analytic solution: a client in C++.
//
//   client_cxx [--url URL] [--field FILE]
//
// With a URL the solver is created on the server there, otherwise in this process. One line is
// printed for each grid; FILE gets the final field of the finest grid as comma-separated values.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>

#include "heat.hxx"

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double end_time = 0.05;
constexpr double step_factor = 0.2;  // dt / h^2; 0.25 is the limit of stability

double exact(double x, double y, double t) {
  return std::sin(pi * x) * std::sin(pi * y) * std::exp(-2 * pi * pi * t);
}

heat::Solver make_solver(const std::string& url) {
  return url.empty() ? heat::Solver::_create() : heat::Solver::_create(url);
}

sidl::array<double> initial_field(int n) {
  auto field = sidl::array<double>::create2dRow(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) field.set(i, j, exact(i / (n - 1.0), j / (n - 1.0), 0));
  }
  return field;
}

double largest_error(const sidl::array<double>& field, int n, double time) {
  double error = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double wanted = exact(i / (n - 1.0), j / (n - 1.0), time);
      error = std::fmax(error, std::fabs(field.get(i, j) - wanted));
    }
  }
  return error;
}

// Asks for a step that is too long; true if the solver refuses it by name.
bool refuses_unstable_step(heat::Solver& solver) {
  try {
    solver.step(2 * solver.stableStep(), 1);
  } catch (const heat::UnstableStep& refusal) {
    return !refusal.getNote().empty();
  }
  return false;
}

void write_field(const sidl::array<double>& field, int n, const std::string& path) {
  std::ofstream out(path);
  out.precision(17);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) out << (j ? "," : "") << field.get(i, j);
    out << '\n';
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

void run(int n, const std::string& url, const std::string& field_path) {
  heat::Solver solver = make_solver(url);
  solver.setup(n, n, 1.0, 1.0, 1.0);
  solver.setBoundary(heat::Boundary_fixed);
  solver.setField(initial_field(n));

  const double dt = step_factor / ((n - 1.0) * (n - 1.0));
  const int steps = static_cast<int>(std::lround(end_time / dt));
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) solver.step(dt, 1);
  const std::chrono::duration<double, std::micro> elapsed =
      std::chrono::steady_clock::now() - start;

  const heat::Stats stats = solver.stats();
  const sidl::array<double> field = solver.field();
  std::printf("grid %d steps %lld time %.17g error %.17g us_per_step %.3f refuses %s\n", n,
              static_cast<long long>(stats.steps), stats.time, largest_error(field, n, stats.time),
              elapsed.count() / steps, refuses_unstable_step(solver) ? "yes" : "no");
  if (!field_path.empty()) write_field(field, n, field_path);
}

}  // namespace

int main(int argc, char** argv) {
  std::string url;
  std::string field_path;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--url") == 0) url = argv[i + 1];
    if (std::strcmp(argv[i], "--field") == 0) field_path = argv[i + 1];
  }
  try {
    run(17, url, "");
    run(33, url, "");
    run(65, url, field_path);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "client_cxx: %s\n", error.what());
    return 1;
  }
  return 0;
}

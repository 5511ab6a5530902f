// catch_cxx URL: catches what the server throws by all of its types, and asks what only its class
// knows.
#include <cstdio>
#include <string>

#include "faults_Explained.hxx"
#include "faults_Solver.hxx"
#include "faults_Unstable.hxx"
#include "sidl_NotImplementedException.hxx"

namespace {

template <class Type>
bool catches(const faults::Solver& solver) {
  try {
    solver.run(7);
  } catch (const Type& thrown) {
    return thrown.getNote() == "diverged" &&
           thrown.getTrace().find("faults.Solver.run") != std::string::npos;
  }
  return false;
}

bool refuses(const faults::Solver& solver) {
  try {
    solver.run(7);
  } catch (const faults::Unstable& thrown) {
    try {
      thrown.getStep();
    } catch (const sidl::NotImplementedException& error) {
      return error.getNote().find("faults.Unstable.getStep") == 0;
    }
  }
  return false;
}

}  // namespace

int main(int, char** argv) {
  const faults::Solver solver = faults::Solver::_create(argv[1]);
  const bool caught = catches<faults::Unstable>(solver) && catches<faults::Fault>(solver) &&
                      catches<faults::Explained>(solver) &&
                      catches<sidl::RuntimeException>(solver) &&
                      catches<sidl::SIDLException>(solver);
  if (!caught || !refuses(solver)) return 1;
  std::puts("ok");
  return 0;
}

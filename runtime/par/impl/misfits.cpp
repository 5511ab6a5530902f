#include "impl/misfits.hpp"

#include "sidl_par_DistributionException.hxx"

namespace shinar::par {

void throw_misfit(const std::string& what) {
  ::sidl::par::DistributionException thrown = ::sidl::par::DistributionException::_create();
  thrown.setNote(what);
  throw thrown;
}

}  // namespace shinar::par

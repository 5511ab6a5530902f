// How what does not fit is told to users.
#pragma once

#include <string>

#include "core/distribution.hpp"
#include "sidl_BaseException.hxx"

namespace shinar::par {

// Throws a sidl.par.DistributionException with a note.
[[noreturn]] void throw_misfit(const std::string& what);

// What a peer says, as others may read it: no longer than this.
std::string shortened(std::string text, std::size_t most);
// And without characters that control a terminal.
std::string printable(const std::string& text, std::size_t most);

template <typename... Exceptions>
bool is_one_of(const ::sidl::BaseException& thrown) {
  return (::sidl::babel_cast<Exceptions>(thrown)._not_nil() || ...);
}

// The result of a function, whose misfits become exceptions of SIDL.
template <typename Work>
auto translated(Work&& work) {
  try {
    return work();
  } catch (const Misfit& misfit) {
    throw_misfit(misfit.what());
  }
}

}  // namespace shinar::par

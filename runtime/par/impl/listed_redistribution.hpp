// Redistribution where one side, or both, are divided by lists of indices.
#pragma once

#include "core/redistribution.hpp"
#include "sidl_par_Distribution.hxx"

namespace shinar::par {

// What a rank of one side exchanges with the other one, which is asked who has what, if it has
// lists. Throws Misfit with the rank and the index where they do not fit.
Redistribution redistribution_of_lists(const ::sidl::par::Distribution& source,
                                       const ::sidl::par::Distribution& target,
                                       Redistribution::Side side, int rank);

}  // namespace shinar::par

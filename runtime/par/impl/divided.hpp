// How both sides have divided an argument, as one rank of the callers knows it.
#pragma once

#include <string>
#include <vector>

#include "sidl_par_Distribution.hxx"

namespace shinar::par {

struct Divided {
  std::string argument;              // "step.t"
  ::sidl::par::Distribution mine;    // nil: by lists, which the ranks have told each other
  ::sidl::par::Distribution theirs;  // of lists, it has none
};

// What all ranks of the callers have to have alike, for `difference_of`.
std::string text_of(const std::vector<Divided>& all);

// A rank of the callers, and that of the object which it has asked.
struct Asker {
  int rank;
  int asked;
};
// In words, where the text of a rank is another one than that of rank 0; `object` is what is
// called.
std::string difference_of(const std::string& text, const Asker& of, const std::string& first,
                          const Asker& of_first, const std::string& object);

}  // namespace shinar::par

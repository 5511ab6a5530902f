// In: a language, as its back end is called.
// Out: what its tutorial (docs/tutorials) puts into files, embedded when sidlc is built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shinar::driver {

struct Tutorial {
  struct File {
    std::string path;
    std::string text;
  };
  std::vector<File> files;         // as they are written
  std::vector<std::string> codes;  // splicer blocks of Impl files, marks included
  std::string page;                // what the page says, without where to go from there
};

// `name` takes the place of the tutorial's package. Empty: no tutorial is in this language.
Tutorial tutorial(std::string_view language, std::string_view name);

// The pages as they are.
std::string_view tutorial_c();
std::string_view tutorial_cxx();
std::string_view tutorial_fortran();
std::string_view tutorial_java();
std::string_view tutorial_python();

}  // namespace shinar::driver

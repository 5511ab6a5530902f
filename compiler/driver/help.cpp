#include "driver/help.hpp"

#include <sstream>

namespace shinar::driver {

const char* const kHelpHeader =
    "sidlc, the SIDL compiler of Shinar: checks SIDL files and generates the code that lets\n"
    "programs in different languages share objects.";

const char* const kHelpFooter = R"(
Examples:
  sidlc --new fortran hello                         a project to begin with
  sidlc --check hello.sidl                          is it correct?
  sidlc --client=c -o gen hello.sidl                to call what hello.sidl describes from C
  sidlc --server=c++ -o gen --impl-dir src hello.sidl
                                                    to implement it in C++: glue code goes to
                                                    gen/, the files you fill in to src/
  sidlc --emit=ir -o repo/hello.sidlir hello.sidl   to let others use its types without the text:
  sidlc --client=c -R repo more.sidl                types of hello may be used in more.sidl
  sidlc --breaking repo/hello.sidlir hello.sidl     would a release break anyone?
  sidlc --format -i hello.sidl                      tidy up

Languages are known in any case; cxx is c++. Files whose content does not change keep their time
stamp; what you wrote between the splicer comments of an Impl file is kept. Babel's other options
are understood as well, or refused with the reason.

Exit status: 0 all is well, 1 an error in the input or the output (with --breaking: something
breaks; with --format --diff: something would change), 2 a wrong command line.)";

std::string wrapped(const std::string& description) {
  constexpr std::size_t kWidth = 100 - kHelpColumn;
  std::istringstream words(description);
  std::string result;
  std::size_t width = 0;
  for (std::string word; words >> word;) {
    const bool breaks = width > 0 && width + 1 + word.size() > kWidth;
    if (width > 0) result += breaks ? '\n' : ' ';
    width = breaks ? word.size() : width + word.size() + (width > 0 ? 1 : 0);
    result += word;
  }
  return result;
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : separator) + word;
  return result;
}

}  // namespace shinar::driver

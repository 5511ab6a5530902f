#include "driver/help.hpp"

#include <sstream>

namespace shinar::driver {

const char* const kHelpHeader =
    "sidlc, Shinar's SIDL compiler: checks SIDL files and generates the code that lets programs\n"
    "written in different languages share objects.";

const char* const kHelpFooter = R"(
Examples:
  sidlc --new fortran hello                         make a project to begin with
  sidlc --check hello.sidl                          check a file
  sidlc --client=c -o gen hello.sidl                generate stubs for clients in C
  sidlc --server=c++ -o gen --impl-dir src hello.sidl
                                                    generate an implementation in C++: glue code
                                                    in gen/, the Impl files you complete in src/
  sidlc --emit=ir -o repo/hello.sidlir hello.sidl   compile a package
  sidlc --client=c -R repo more.sidl                use the types of compiled packages
  sidlc --breaking repo/hello.sidlir hello.sidl     check a release for breaking changes
  sidlc --format --in-place hello.sidl              format a file in place

Language names are case-insensitive; cxx is the same as c++. Files whose contents do not change keep
their time stamps; code between the splicer marks of an Impl file is preserved. Other Babel options
are accepted, or rejected with the reason.

Exit status: 0 success, 1 an error in the input or the output (with --breaking: there are breaking
changes; with --format --diff: a file would change), 2 invalid command line.)";

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

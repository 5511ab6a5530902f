/** in_cxx URL: as in_c.c. */
#include <cstdlib>
#include <iostream>
#include <string>

#include "huge_Ends.hxx"

namespace {

constexpr std::int64_t count = (std::int64_t{1} << 31) + 5;

void expect(bool is_right, const char* what) {
  if (is_right) return;
  std::cerr << "in_cxx: " << what << "\n";
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const huge::Ends ends = huge::Ends::_connect(argv[argc - 1]);
  auto a = sidl::array<char>::create1d(count);
  a[count - 1] = 'z';
  expect(ends.last(a) == 'z', "last");
  const std::int64_t half = count / 2, rest = count - half;
  a[half - 1] = 'h';
  expect(ends.last(a.slice(1, &half)) == 'h', "the first half");
  expect(ends.last(a.slice(1, &rest, &half)) == 'z', "the second half");
  ends.mark(a);
  expect(a[count - 1] == 'm', "mark");
  a = ends.make(count);
  expect(a.length64() == count && a[a.upper64(0)] == 'r', "make");
}

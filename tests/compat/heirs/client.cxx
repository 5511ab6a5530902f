// In the same process, or at a server: client [URL].
#include <iostream>
#include "heirs.hxx"
#include "sidl.hxx"

static int failures = 0;

static void check(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::cout << "not so: " << what << std::endl;
}

static void test_fail(heirs::Base base) {
  int n = 1;
  std::string text("before");
  sidl::array<double> x;
  heirs::Base other;
  try {
    base.fail(n, text, x, other);
    check(false, "it throws");
  } catch (sidl::SIDLException& ex) {
    check(ex.getNote() == "it went wrong", "the note");
  } catch (sidl::BaseException& ex) {
    check(ex.isType("sidl.SIDLException"), "the type");
  }
  check(text.empty() && x._is_nil() && other._is_nil(), "nothing comes of it");
}

static void test_names() {
  UCXX ::sidl::string text = "text";
  ::sidl::opaque none = NULL;
  sidl::basearray any = NULL;
  check(any._is_nil() && !none, "NULL is a generic array");
  sidl::array<sidl::string> names = sidl::array<sidl::string>::create1d(2);
  names.set(0, "Three");
  any = names;
  check("Three" == names[0] && names[0] != text && names[1] == "", "elements are compared");
  sidl::array<heirs::Base> objects = sidl::array<heirs::Base>::create1d(2);
  objects.set(1, heirs::Heir::_create());
  check(objects[0]._is_nil() && objects[1]._not_nil() && objects[1].twice(2) == 4,
        "elements are used where they are");
  any = NULL;
  check(any._is_nil() && names[0].size() == 5, "NULL drops the reference");
}

static void test_complex_numbers(heirs::Base base) {
  struct sidl_dcomplex z[2] = {{1, 2}, {3, 0}};
  struct sidl_fcomplex by[2] = {{0, 1}, {2, 0}};
  check(base.turn(z, by, 2) == 4, "structs of C are raw arrays of complex numbers");
  check(z[0].real == -2 && z[0].imaginary == 1 && z[1].real == 6, "which the method changes");
  std::complex<double> c[1] = {std::complex<double>(0, 1)};
  std::complex<float> j[1] = {std::complex<float>(0, 1)};
  check(base.turn(c, j, 1) == -1 && c[0] == -1.0, "and so are those of C++");
}

int main(int argc, char** argv) {
  const bool is_remote = argc > 1;
  heirs::Heir heir = is_remote ? heirs::Heir::_create(argv[1]) : heirs::Heir::_create();
  check(heir.thrice(4) == 12 && heir.twice(4) == 8, "twice and thrice");
  check(heir.text() == "made", "the text");
  for (int i = 0; i < 3; ++i) test_fail(heir);
  test_names();
  test_complex_numbers(heir);
  char louder[8] = "       ";
  check(heir.shout("Hello!", louder, 6) == 4 && std::string(louder) == "HELLO! ", "characters");
  if (!is_remote) {
    check(heirs::Base::wrap("mine").text() == "mine, ready", "private data are there at once");
    // an array that is declared first and then borrows
    double memory[] = {1, 2, 3};
    int32_t lower[] = {0}, upper[] = {2}, stride[] = {1};
    sidl::array<double> values;
    values.borrow(memory, 1, lower, upper, stride);
    check(values._not_nil() && values.first() == memory && values.get(2) == 3, "borrow");
  }
  heirs::Base same = heir;
  heir.deleteRef();
  check(heir._is_nil() && same._not_nil() && same.twice(1) == 2, "deleteRef leaves the handle nil");
  same.deleteRef();
  check(same._is_nil(), "the last one, too");
  if (failures == 0) std::cout << "ok" << std::endl;
  return failures;
}

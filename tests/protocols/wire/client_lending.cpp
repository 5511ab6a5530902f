/**
 * Arrays lent from the stack.
 *
 * What is lent is a struct of the caller's, with a count of references like that of any array.
 * When a call has returned, nobody may count there any more: by then it is somebody else's frame.
 */
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "client.hpp"
#include "wire_Counter.hxx"

namespace {

constexpr unsigned char pattern = 0x55;

/** An array on the stack over `values`, as a stub or an Impl in C makes it. */
struct Lent {
  explicit Lent(std::vector<double>& values, int64_t step = 1)
      : upper(static_cast<int64_t>(values.size()) / step - 1), stride(step) {
    sidl_double__array_init64(values.data(), &array, 1, &lower, &upper, &stride);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  sidl::array<double> handle() { return sidl::array<double>(&array, true); }
  bool is_untouched() const { return array.d_metadata.d_refcount == 1; }

  int64_t lower = 0;
  int64_t upper;
  int64_t stride;
  sidl_double__array array;
};

std::vector<double> numbers(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>(i) + 0.5;
  return values;
}

[[gnu::noinline]] void lend_in(const wire::Box& box, std::size_t count, int32_t step = 1) {
  std::vector<double> values = numbers(count);
  Lent lent(values, step);
  sidl::array<double> in = lent.handle();
  const sidl::array<double> back = box.doubles(in);
  CHECK(back.length() == lent.upper + 1);
  CHECK(lent.is_untouched());
}

/** The stub holds a reference of its own to the array that it lends. What is big may come back into
 * it.
 */
[[gnu::noinline]] void lend_inout(const wire::Counter& counter, std::size_t count) {
  std::vector<double> values = numbers(count);
  Lent lent(values);
  sidl::array<double> both(&lent.array, false);
  CHECK(counter.count(1, both) == 2);
  CHECK(both.length() == static_cast<int32_t>(count));
  CHECK(both._get_ior() != &lent.array || count >= 512);
  CHECK(both[lent.upper] == values.back());
  CHECK(lent.is_untouched());  // the last reference, the stub's, goes without a trace
}

[[gnu::noinline]] void lend_one_way(const wire::Counter& counter, int64_t number,
                                    std::size_t count) {
  std::vector<double> values = numbers(count);
  Lent lent(values);
  sidl::array<double> in = lent.handle();
  counter.tell(1, number, in);
  CHECK(lent.is_untouched());
  std::fill(values.begin(), values.end(), -1.0);  // on its way is what it was
}

[[gnu::noinline]] void fail(const wire::Box& box) {
  bool thrown = false;
  try {
    box.fail(7);
  } catch (const sidl::BaseException&) {
    thrown = true;
  }
  CHECK(thrown);
}

/** Another frame where the one before was; `action` must leave it alone. */
template <class Action>
[[gnu::noinline]] void among_frames(std::size_t bytes, Action action) {
  std::array<unsigned char, 16000> local;
  local.fill(pattern);
  unsigned char* volatile begin = local.data() + local.size() - bytes;
  action();
  CHECK(std::all_of(begin, begin + bytes, [](unsigned char byte) { return byte == pattern; }));
}

}  // namespace

void lending(const wire::Box& box, const std::string& url) {
  const wire::Counter counter = wire::Counter::_create(url);
  int64_t told = 0;
  for (const std::size_t count : {1u, 511u, 512u, 513u, 3472u, 40000u}) {
    lend_in(box, count);
    among_frames(6000, [&] { lend_in(box, count); });
    lend_in(box, 2 * count, 2);
    lend_inout(counter, count);
    among_frames(6000, [&] { lend_inout(counter, count); });
    among_frames(16000, [&] { fail(box); });
    lend_one_way(counter, ++told, count);
    among_frames(6000, [&] { lend_one_way(counter, ++told, count); });
    lend_inout(counter, count);
    among_frames(6000, [&] { lend_in(box, 1); });
  }
}

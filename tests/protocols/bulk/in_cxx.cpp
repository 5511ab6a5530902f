/**
 * in_cxx URL MODE COUNT: one call with so many doubles. Prints how many bytes this process has
 * asked for in big pieces in its course, and how many the server has.
 */
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bulk_Store.hxx"

namespace {

using Doubles = sidl::array<double>;

std::int64_t asked_for() {
  static const auto function =
      reinterpret_cast<std::uint64_t (*)()>(::dlsym(RTLD_DEFAULT, "bytes_asked_for"));
  return function == nullptr ? -1 : static_cast<std::int64_t>(function());
}

void expect(double found, double wanted) {
  if (found == wanted) return;
  std::printf("%g instead of %g\n", found, wanted);
  std::exit(1);
}

Doubles numbers(std::int32_t n) {
  auto all = Doubles::create1d(n);
  for (std::int32_t i = 0; i < n; ++i) all.set(i, i);
  return all;
}

/** Every other one of 2 n, backwards. */
Doubles half(std::int32_t n) {
  const std::int32_t start = 2 * n - 1, step = -2;
  return numbers(2 * n).slice(1, &n, &start, &step);
}

/** Rows of 4096 out of some that are longer. */
Doubles table(std::int32_t n) {
  const std::int32_t numbers[] = {n / 4096, 4096}, lower[] = {0, 0};
  const std::int32_t upper[] = {n / 4096 - 1, 4099};
  auto whole = Doubles::createRow(2, lower, upper);
  for (std::int32_t i = 0; i <= upper[0]; ++i) {
    for (std::int32_t j = 0; j <= upper[1]; ++j) whole.set(i, j, 4096.0 * i + j);
  }
  return whole.slice(2, numbers);
}

struct Call {
  std::function<void()> make;
  std::function<void()> check = [] {};
};

using Mode = Call (*)(const bulk::Store& store, std::int32_t n);

Call put(const bulk::Store& store, const Doubles& array, double sum) {
  return {[=]() mutable { expect(store.put(array), sum); }};
}

/** What is in the caller's own array. */
Call grow(const bulk::Store& store, const Doubles& array, double first, double last) {
  auto passed = std::make_shared<Doubles>(array);
  return {[=] { store.grow(*passed); },
          [=] {
            if (passed->_get_ior() != array._get_ior()) std::puts("another array");
            expect(array.get(array.lower(0)), first + 1);
            expect(array.get(array.upper(0)), last + 1);
          }};
}

const std::map<std::string, Mode> modes = {
    {"in", [](const bulk::Store& s, std::int32_t n) { return put(s, numbers(n), n - 1.0); }},
    {"in-slice", [](const bulk::Store& s, std::int32_t n) { return put(s, half(n), 2.0 * n); }},
    {"in-rows",
     [](const bulk::Store& s, std::int32_t n) -> Call {
       return {[=, t = table(n)]() mutable { expect(s.putTable(t), n - 1.0); }};
     }},
    {"in-raw",
     [](const bulk::Store& s, std::int32_t n) -> Call {
       auto all = std::make_shared<std::vector<double>>(n, 0.5);
       return {[=] { expect(s.putRaw(all->data(), n), 1.0); }};
     }},
    {"one-way",
     [](const bulk::Store& s, std::int32_t n) -> Call {
       return {[=, all = numbers(n)]() mutable { s.tell(all); },
               [=] { expect(s.told(), n - 1.0); }};
     }},
    {"inout", [](const bulk::Store& s, std::int32_t n) { return grow(s, numbers(n), 0, n - 1.0); }},
    {"inout-slice",
     [](const bulk::Store& s, std::int32_t n) { return grow(s, half(n), 2.0 * n - 1, 1); }},
    {"inout-rows",
     [](const bulk::Store& s, std::int32_t n) -> Call {
       const Doubles t = table(n);
       return {[=]() mutable {
                 Doubles passed = t;
                 s.growTable(passed);
               },
               [=] {
                 expect(t.get(0, 1), 2.0);
                 expect(t.get(n / 4096 - 1, 4095), n);
               }};
     }},
    {"inout-raw",
     [](const bulk::Store& s, std::int32_t n) -> Call {
       auto all = std::make_shared<std::vector<double>>(n, 0.5);
       return {[=] { s.growRaw(all->data(), n); },
               [=] {
                 expect(all->front(), 1.5);
                 expect(all->back(), 1.5);
               }};
     }},
    {"result",
     [](const bulk::Store& s, std::int32_t n) -> Call {
       return {[=] { expect(s.make(n).get(n - 1), n - 1.0); }};
     }},
    {"result-slice",
     [](const bulk::Store& s, std::int32_t n) -> Call {
       return {[=] { expect(s.half(n).get(n - 1), 2.0 * (n - 1)); }};
     }},
    {"out",
     [](const bulk::Store& s, std::int32_t n) -> Call {
       return {[=] {
         Doubles all;
         s.fill(n, all);
         expect(all.get(n - 1), n - 1.0);
       }};
     }},
};

}  // namespace

int main(int, char** arguments) {
  const auto store = bulk::Store::_create(arguments[1]);
  Call call = modes.at(arguments[2])(store, std::atoi(arguments[3]));
  asked_for();
  store.bytes();
  call.make();
  const std::int64_t mine = asked_for();
  call.check();
  const std::int64_t its = store.bytes();
  std::printf("%lld %lld\n", static_cast<long long>(mine), static_cast<long long>(its));
}

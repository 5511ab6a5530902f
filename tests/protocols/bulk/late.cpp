/**
 * late URL HOW: a call with an inout array that is given up while its answer comes. HOW: alone, or
 * with another thread, which reads the connection. Afterwards the array is the caller's alone.
 */
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bulk_Store.hxx"
#include "sidl_rmi_Deadline.hxx"
#include "sidl_rmi_TimeOutException.hxx"

namespace {

constexpr std::int32_t count = 1 << 20;

/** True if it was given up. */
bool grow(const bulk::Store& store, std::vector<double>& values) {
  sidl::rmi::Deadline::setForThread(1000);
  bool is_late = false;
  try {
    store.growRaw(values.data(), count);
  } catch (const sidl::rmi::TimeOutException&) {
    is_late = true;
  }
  sidl::rmi::Deadline::setForThread(-1);
  return is_late;
}

}  // namespace

int main(int, char** arguments) {
  const auto store = bulk::Store::_create(arguments[1]);
  const auto other = bulk::Store::_create(arguments[1]);
  std::thread reader;
  if (arguments[2] == std::string("another")) {
    reader = std::thread([&] { other.rest(4000); });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  auto values = std::make_unique<std::vector<double>>(count, 0.5);
  const bool is_late = grow(store, *values);
  const std::vector<double> seen = *values;
  const auto landed = std::count(seen.begin(), seen.end(), 1.5);
  std::printf("%s, %s\n", is_late ? "late" : "in time",
              landed > 0 && landed < count ? "in part" : "all or nothing");
  std::fflush(stdout);
  std::string line;
  std::getline(std::cin, line);  // the rest of the answer may come now
  if (!reader.joinable()) other.told();
  if (reader.joinable()) reader.join();
  const bool is_same = *values == seen;
  values.reset();
  std::printf("%s\n", is_same && store.told() == 0.0 ? "left alone" : "written to");
}

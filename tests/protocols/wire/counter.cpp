/**
 * Numbered calls of one object by many threads, and what became of each.
 *
 *     wire_counter URL THREADS FILE            calls number 0, 1, … as long as FILE is
 *     wire_counter URL THREADS FILE ordered    one-way ones, and now and then one that waits
 *     wire_counter URL THREADS FILE nested     that call back, with deadlines that may pass
 *
 * The URL is that of an object, or of a server, where one is made then. FILE gets a byte for each
 * call (enum Outcome). Every 16th call carries an array. Prints a line when the first call is to be
 * made, at the end how many calls there were of each outcome, and how long the longest took.
 */
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "counts.hpp"
#include "sidl_rmi_Deadline.hxx"
#include "sidl_rmi_NetworkException.hxx"
#include "wire_Box.hxx"
#include "wire_Counter.hxx"

namespace {

using Clock = std::chrono::steady_clock;

enum Outcome : std::uint8_t { not_made, ok, wrong, not_run, may_have_run, has_run, other, told };

/** Elements of the array with which a call goes; 0: there is none. */
std::int32_t load_of(std::size_t number) {
  constexpr std::size_t now_and_then = 16;
  if (number % now_and_then != 0) return 0;
  return number / now_and_then % now_and_then == 0 ? 20000 : 700;
}

bool is_right(const wire::Counter& counter, std::size_t number) {
  const std::int32_t size = load_of(number);
  sidl::array<double> load;
  if (size != 0) {
    load = sidl::array<double>::create1d(size);
    std::fill_n(load.first(), size, static_cast<double>(number));
  }
  const auto answer = counter.count(static_cast<std::int64_t>(number), load);
  if (answer != static_cast<std::int64_t>(number) + 1 || load._is_nil() != (size == 0))
    return false;
  return size == 0 ||
         (load.length() == size && std::all_of(load.begin(), load.end(), [number](double each) {
            return each == static_cast<double>(number);
          }));
}

/** A call that others may be waiting behind; `caller` is the thread. */
Outcome tell_or_ask(const wire::Counter& counter, std::size_t number, int caller, bool waits) {
  const auto text = static_cast<std::int64_t>(number);
  if (waits) return counter.ask(caller, text) == text + 1 ? ok : wrong;
  const std::int32_t size = load_of(number);
  counter.tell(caller, text,
               size == 0 ? sidl::array<double>() : sidl::array<double>::create1d(size));
  return told;
}

/** A call with a deadline, in the course of which the server calls `mine`. */
Outcome ask_back(const wire::Counter& counter, std::size_t number, const wire::Named& mine) {
  thread_local std::minstd_rand random(static_cast<unsigned>(number) + 1);
  const auto below = [](unsigned end) { return static_cast<std::int32_t>(random() % end); };
  const auto text = static_cast<std::int64_t>(number);
  sidl::rmi::Deadline::setForThread(1 + below(30));
  if (number % 2 == 0) return counter.askBack(mine, below(10), text) == text + 1 ? ok : wrong;
  wire::Counter caller = counter;
  return caller.askBack_recv(caller.askBack_send(mine, below(10), text)) == text + 1 ? ok : wrong;
}

/** What `call` says, or became of it. */
template <class Call>
Outcome outcome_of(Call call) {
  try {
    return call();
  } catch (const sidl::rmi::NetworkException& exception) {
    // While no server is there a moment's rest leaves some calls for when it is back.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    constexpr std::array<Outcome, 3> by_fate = {not_run, may_have_run, has_run};
    const auto fate = static_cast<std::size_t>(exception.getFate());
    return fate < by_fate.size() ? by_fate[fate] : other;
  } catch (const sidl::BaseException& exception) {
    std::printf("%s\n", exception.what());
    return other;
  }
}

enum class Calls : std::uint8_t { plain, ordered, nested };

void run(const std::string& url, int threads, const Counts& outcomes, Calls calls) {
  const bool is_object = url.find('/', url.find("//") + 2) != std::string::npos;
  const auto counter = is_object ? wire::Counter::_connect(url) : wire::Counter::_create(url);
  const wire::Named mine =
      calls == Calls::nested ? wire::Named(wire::Box::_create()) : wire::Named();
  std::atomic<std::size_t> next{0};
  std::atomic<std::int64_t> longest_ms{0};
  std::printf("counting\n");
  std::fflush(stdout);
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([&, i] {
      constexpr std::size_t often = 8;
      std::size_t made = 0;
      for (std::size_t number = next++; number < outcomes.size(); number = next++) {
        const auto start = Clock::now();
        const bool waits = ++made % often == 0;
        outcomes[number] = outcome_of([&] {
          if (calls == Calls::ordered) return tell_or_ask(counter, number, i, waits);
          if (calls == Calls::nested) return ask_back(counter, number, mine);
          return is_right(counter, number) ? ok : wrong;
        });
        const auto took =
            std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
        std::int64_t longest = longest_ms;
        while (took.count() > longest && !longest_ms.compare_exchange_weak(longest, took.count())) {
        }
      }
    });
  }
  for (std::thread& each : all) each.join();
  std::array<std::size_t, told + 1> counted{};
  for (std::size_t i = 0; i < outcomes.size(); ++i) ++counted[outcomes[i]];
  std::printf(
      "ok %zu wrong %zu not_run %zu may_have_run %zu has_run %zu other %zu told %zu longest_ms "
      "%lld\n",
      counted[ok], counted[wrong], counted[not_run], counted[may_have_run], counted[has_run],
      counted[other], counted[told], static_cast<long long>(longest_ms));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 5 ? argv[4] : "";
  const Calls calls = kind == "ordered"  ? Calls::ordered
                      : kind == "nested" ? Calls::nested
                                         : Calls::plain;
  if (argc != 4 && calls == Calls::plain) return 2;
  try {
    run(argv[1], std::atoi(argv[2]), Counts(argv[3]), calls);
    return 0;
  } catch (const sidl::BaseException& exception) {
    std::printf("%s: %s\n", exception.getClassInfo().getName().c_str(), exception.what());
    return 1;
  }
}

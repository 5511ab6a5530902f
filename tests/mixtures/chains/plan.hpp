/** Runs plans, see plans.py: what the implementation and the driver share. */
#ifndef CHAINS_PLAN_HPP
#define CHAINS_PLAN_HPP

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "chains.hxx"
#include "sidl_rmi_Deadline.hxx"
#include "sidl_rmi_TicketBook.hxx"
#include "sidl_rmi_TicketBookI.hxx"
#include "sidl_rmi_TicketI.hxx"

namespace chains_plan {

using Nodes = sidl::array<chains::Node>;

inline constexpr int forever = 1 << 30;
inline constexpr int64_t left_alone = 5;  // the result of a call that nobody waits for

inline int64_t mix(int64_t to, int64_t value) {
  return (to * 31 + value + 1) % 1000003;
}

/** The text of a plan, read from its front. */
class Reader {
 public:
  explicit Reader(const std::string& text) : at_(text.c_str()) {}

  char letter() { return *at_ == '\0' ? '\0' : *at_++; }
  char next() const { return *at_; }

  int64_t number() {
    char* end;
    const int64_t found = std::strtoll(at_, &end, 10);
    at_ = *end == ',' ? end + 1 : end;
    return found;
  }

  /** What is in brackets. */
  std::string plan() {
    const char* const begin = ++at_;
    for (int depth = 1; depth > 0; ++at_) depth += *at_ == '(' ? 1 : *at_ == ')' ? -1 : 0;
    return {begin, at_ - 1};
  }

 private:
  const char* at_;
};

/** Several nonblocking calls that are begun together, and waited for as the plan says. */
class Group {
 public:
  Group(Reader& plan, const Nodes& nodes) : how_(plan.letter()) {
    while (plan.next() != ';') {
      chains::Node target = nodes.get(static_cast<int32_t>(plan.number()));
      targets_.push_back(target);
      Nodes all = nodes;
      tickets_.push_back(target.run_send(plan.plan(), all));
    }
    plan.letter();
  }

  /** Their results. */
  std::vector<int64_t> results() {
    std::vector<int64_t> found(targets_.size(), left_alone);
    if (how_ == 'd') return found;
    for (const int i : order()) found[i] = result(i);
    return found;
  }

 private:
  /** In which they are over, or are waited for. */
  std::vector<int> order() {
    std::vector<int> found;
    for (int i = 0; i < static_cast<int>(tickets_.size()); ++i) found.push_back(i);
    if (how_ == 'c') {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      tickets_.front().cancel();
      found.erase(found.begin());
    }
    if (how_ == 'r') std::reverse(found.begin(), found.end());
    if (how_ == 't') wait_by_threads();
    if (how_ == 'p' || how_ == 'w' || how_ == 'z') {
      for (const sidl::rmi::Ticket& each : tickets_) ask(each, how_ == 'p' ? 3 : forever);
    }
    if (how_ == 'b' || how_ == 'k') {
      sidl::rmi::TicketBook book = sidl::rmi::TicketBookI::_create();
      for (const int i : found) book.insertWithID(tickets_[i], i);
      found.clear();
      for (sidl::rmi::Ticket ready; !book.isEmpty();) {
        if (how_ == 'k' && !found.empty()) ask(book, forever);
        found.push_back(book.removeReady(ready));
      }
    }
    return found;
  }

  void wait_by_threads() {
    std::vector<std::thread> threads;
    for (sidl::rmi::Ticket& each : tickets_) threads.emplace_back([&each] { each.block(); });
    for (sidl::rmi::Ticket& each : tickets_) each.block();
    for (std::thread& each : threads) each.join();
  }

  static void ask(sidl::rmi::Ticket ticket, int times) {
    for (int i = 0; i < times && !ticket.test(); ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  int64_t result(int i) {
    try {
      return targets_[i].run_recv(tickets_[i]);
    } catch (chains::Oops& oops) {
      return std::atoll(oops.getNote().c_str()) + 1;
    }
  }

  char how_;
  std::vector<chains::Node> targets_;
  std::vector<sidl::rmi::Ticket> tickets_;
};

/** What a call of run ends with: its result, or one more than the result that its exception has. */
inline int64_t call(chains::Node target, const std::string& plan, Nodes nodes) {
  try {
    return target.run(plan, nodes);
  } catch (chains::Oops& oops) {
    return std::atoll(oops.getNote().c_str()) + 1;
  }
}

/** The same with so many milliseconds. */
inline int64_t call_in_time(chains::Node target, int64_t time, const std::string& plan,
                            Nodes nodes) {
  const int64_t before = sidl::rmi::Deadline::getForThread();
  sidl::rmi::Deadline::setForThread(time);
  int64_t found = left_alone;
  try {
    found = call(target, plan, nodes);
  } catch (const sidl::BaseException&) {
  }
  sidl::rmi::Deadline::setForThread(before);
  return found;
}

/** {the result, whether it is to be thrown} */
inline std::pair<int64_t, bool> run(const std::string& text, Nodes nodes) {
  Reader plan(text);
  std::vector<sidl::rmi::Ticket> given_up;
  int64_t result = plan.number();
  for (char step; (step = plan.letter()) != '\0';) {
    if (step == 'x') return {result, true};
    if (step == 'g') {
      for (const int64_t each : Group(plan, nodes).results()) result = mix(result, each);
      continue;
    }
    const int64_t number = plan.number();
    if (step == 's') {
      std::this_thread::sleep_for(std::chrono::milliseconds(number));
      continue;
    }
    chains::Node target = nodes.get(static_cast<int32_t>(number));
    if (step == 'c') {
      result = mix(result, call(target, plan.plan(), nodes));
    } else if (step == 'o') {
      target.tell(plan.plan(), nodes);
    } else if (step == 'e') {
      chains::Node other = nodes.get(static_cast<int32_t>(plan.number()));
      result = mix(result, target.echo(other).isSame(other) ? 1 : 0);
    } else if (step == 'd') {
      const int64_t time = plan.number();
      result = mix(result, call_in_time(target, time, plan.plan(), nodes));
    } else if (step == 'q') {
      const int64_t time = plan.number();
      given_up.push_back(target.run_send(plan.plan(), nodes));
      std::this_thread::sleep_for(std::chrono::milliseconds(time));
      given_up.back().cancel();
    }
  }
  return {result, false};
}

}  // namespace chains_plan

#endif

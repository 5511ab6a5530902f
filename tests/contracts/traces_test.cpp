/**
 * Traces of calls that are checked, and what is switched while calls run.
 */
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

#include "contracts_fixture.hpp"
#include "sums_Heir.h"

namespace {

using contracts::Contracts;
using contracts::note_of;
using contracts::zeros;

class Traces : public Contracts {
 protected:
  Traces() { std::remove(file_.c_str()); }
  ~Traces() override { std::remove(file_.c_str()); }
  void start(enum sidl_EnfTraceLevel__enum level) {
    sidl_EnfPolicy_startTrace(file_.c_str(), level, &ex);
    ASSERT_EQ(note(), "");
  }
  /** What has been written since the last look. */
  std::vector<std::string> lines() {
    std::ifstream in(file_);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    std::vector<std::string> fresh(all.begin() + static_cast<std::ptrdiff_t>(seen_), all.end());
    seen_ = all.size();
    return fresh;
  }
  const std::string& file() const { return file_; }

 private:
  const std::string file_ = testing::TempDir() + "contracts_trace.out";
  std::size_t seen_ = 0;
};

/** "Type;method" and the times, which follow. */
std::pair<std::string, std::vector<std::uint64_t>> parts(const std::string& line) {
  std::vector<std::string> columns(1);
  for (const char c : line) c == ';' ? (void)columns.emplace_back() : (void)(columns.back() += c);
  std::vector<std::uint64_t> times;
  for (std::size_t i = 2; i < columns.size(); ++i) times.push_back(std::stoull(columns[i]));
  return {columns[0] + ";" + columns[1], times};
}

TEST_F(Traces, HaveALineForEachCallThatIsChecked) {
  sums_Sums_isFine(sums, 0, &ex);  // not traced yet
  start(sidl_EnfTraceLevel_CORE);
  EXPECT_TRUE(sidl_EnfPolicy_areTracing(&ex));
  EXPECT_EQ(sidl_EnfPolicy_getTraceLevel(&ex), sidl_EnfTraceLevel_CORE);
  EXPECT_EQ(lines(),
            (std::vector<std::string>{"# contract trace 1: core", "# class;method;method ns"}));
  sums_Sums_isFine(sums, 0, &ex);
  sidl_EnfPolicy_logTrace("one\ntwo", &ex);
  sums_Sums_isFine(sums, 9, &ex);  // violated: the method did not run
  EXPECT_NE(note(), "");
  std::vector<std::string> said = lines();
  ASSERT_EQ(said.size(), 4u);
  EXPECT_EQ(parts(said[0]).first, "sums.Sums;isFine");
  EXPECT_EQ(parts(said[0]).second.size(), 1u);
  EXPECT_EQ(said[1] + said[2], "# one# two");
  EXPECT_EQ(said[3], "sums.Sums;isFine;0");
  sidl_EnfPolicy_endTrace(&ex);
  EXPECT_FALSE(sidl_EnfPolicy_areTracing(&ex));
  sums_Sums_isFine(sums, 0, &ex);
  sidl_EnfPolicy_logTrace("nothing", &ex);
  EXPECT_TRUE(lines().empty());
}

TEST_F(Traces, TellTheStagesApart) {
  start(sidl_EnfTraceLevel_OVERHEAD);
  lines();
  sidl_double__array* const d = zeros(1000000);
  sums_Sums_work(sums, d, 0, &ex);
  EXPECT_EQ(note(), "");
  const auto heavy = lines();
  ASSERT_EQ(heavy.size(), 1u);
  const auto [method, times] = parts(heavy[0]);
  EXPECT_EQ(method, "sums.Sums;work");
  ASSERT_EQ(times.size(), 5u);  // method, require, ensure, invariant, whole call
  EXPECT_GT(times[1], 10 * times[2]);
  EXPECT_EQ(times[3], 0u);
  EXPECT_GE(times[4], times[0] + times[1] + times[2] + times[3]);
  sidl_double__array_deleteRef(d);
  sums_Heir heir = sums_Heir__create(&ex);
  lines();
  sums_Heir_lift(heir, 3, &ex);  // which calls super; methods that clauses call are not traced
  const auto of_heir = lines();
  ASSERT_EQ(of_heir.size(), 2u);
  EXPECT_EQ(parts(of_heir[0]).first, "sums.Base;lift");
  EXPECT_EQ(parts(of_heir[1]).first, "sums.Heir;lift");
  EXPECT_GT(parts(of_heir[1]).second[3], 0u);
  sums_Heir_deleteRef(heir, &ex);
  sidl_EnfPolicy_endTrace(&ex);
}

TEST_F(Traces, GoOnWithTheNextFileAndRefuseWhatIsNone) {
  start(sidl_EnfTraceLevel_BASIC);
  for (const int level : {-1, 4, 1 << 20}) {
    sidl_EnfPolicy_startTrace(file().c_str(), static_cast<enum sidl_EnfTraceLevel__enum>(level),
                              &ex);
    EXPECT_EQ(note(), "unknown trace level: " + std::to_string(level));
  }
  sidl_EnfPolicy_startTrace((file() + "/no/such").c_str(), sidl_EnfTraceLevel_BASIC, &ex);
  EXPECT_EQ(note().find("cannot open the trace of contracts"), 0u);
  EXPECT_EQ(sidl_EnfPolicy_getTraceLevel(&ex), sidl_EnfTraceLevel_BASIC);  // nothing has changed
  start(sidl_EnfTraceLevel_CORE);
  EXPECT_EQ(sidl_EnfPolicy_getTraceLevel(&ex), sidl_EnfTraceLevel_CORE);
  start(sidl_EnfTraceLevel_NONE);
  EXPECT_FALSE(sidl_EnfPolicy_areTracing(&ex));
}

/** Whatever is enforced or traced at the moment: what holds is no exception, what does not is. */
TEST_F(Traces, AreSwitchedWithPoliciesWhileCallsRun) {
  std::atomic<int> working{4};
  std::atomic<int> wrong{0};
  const auto work = [&](std::int32_t number) {
    sidl_BaseInterface thrown = nullptr;
    sums_Sums own = sums_Sums__create(&thrown);
    for (std::int32_t i = 0; i < 500; ++i) {
      sums_Sums const it = (i + number) % 2 == 0 ? own : sums;
      if (i % 5 == 0) sums_Sums__set_contracts(own, i % 2, "", FALSE, &thrown);
      sums_Sums_isFine(it, 0, &thrown);
      if (!note_of(thrown).empty()) ++wrong;
      sums_Sums_isFine(it, 7, &thrown);
      const std::string said = note_of(thrown);
      if (!said.empty() && said.find("precondition 'small'") != 0) ++wrong;
    }
    sums_Sums_deleteRef(own, &thrown);
    --working;
  };
  std::vector<std::thread> threads;
  for (std::int32_t i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (int i = 0; working > 0; ++i) {
    if (i % 3 == 0) start(static_cast<enum sidl_EnfTraceLevel__enum>(i % 4));
    if (i % 5 == 0) sidl_EnfPolicy_setEnforceNone(FALSE, &ex);
    sidl_EnfPolicy_setPolicy(sidl_ContractClass_ALLCLASSES,
                             static_cast<enum sidl_EnforceFreq__enum>(1 + i % 6), 3, 0.5, 0.0, 0.5,
                             FALSE, &ex);
    EXPECT_EQ(note(), "");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, 0);
  sidl_EnfPolicy_endTrace(&ex);
  EXPECT_EQ(note(), "");
  for (const std::string& line : lines()) {
    if (line[0] == '#') continue;
    EXPECT_EQ(parts(line).first, "sums.Sums;isFine");
  }
}

}  // namespace

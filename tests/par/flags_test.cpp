// Memory in which ranks on one machine see that a call has gone well on all of them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <barrier>
#include <thread>
#include <vector>

#include "calls/shared_flags.hpp"

namespace {

using shinar::par::SharedFlags;
using Seen = SharedFlags::Seen;

constexpr std::uint64_t kKey = 7;

SharedFlags::Operation operation(int rank, std::int64_t number, std::uint64_t digest = 1) {
  return {rank, 3, number, digest};
}

class Flags : public testing::Test {
 protected:
  std::unique_ptr<SharedFlags> first = SharedFlags::create(2, kKey);
  std::unique_ptr<SharedFlags> second = SharedFlags::open(first->place(), 2, kKey);
};

TEST_F(Flags, AreFoundByThoseWhoHaveTheKey) {
  EXPECT_NE(second, nullptr);
  EXPECT_EQ(SharedFlags::open(first->place(), 2, kKey + 1), nullptr);
  EXPECT_EQ(SharedFlags::open(first->place(), 3, kKey), nullptr);
  EXPECT_NE(SharedFlags::open(first->place(), 2, kKey), nullptr);
  const std::string place = first->place();
  first->hide();
  EXPECT_EQ(SharedFlags::open(place, 2, kKey), nullptr);
}

TEST_F(Flags, AreNoOtherFile) {
  for (const char* const each :
       {"", "/etc/passwd", "/dev/zero", "/proc/self/fd/0", "/proc/1/fd/0"}) {
    EXPECT_EQ(SharedFlags::open(each, 2, kKey), nullptr) << each;
  }
  // A file that can become shorter would end whoever looks at it.
  const int shorter = memfd_create("x", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(shorter, 128 + 2 * 64 * SharedFlags::kMostContexts), 0);
  const std::string place = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(shorter);
  EXPECT_EQ(SharedFlags::open(place, 2, 0), nullptr);
  close(shorter);
}

TEST_F(Flags, ShowWhoIsMissing) {
  first->set(operation(0, 1), true);
  int missing = 0;
  EXPECT_EQ(first->look(operation(0, 1), &missing), Seen::Waiting);
  EXPECT_EQ(missing, 1);
  second->set(operation(1, 1), true);
  EXPECT_EQ(first->look(operation(0, 1)), Seen::Well);
  EXPECT_EQ(second->look(operation(1, 1)), Seen::Well);
  // Other contexts have their own.
  EXPECT_EQ(first->look({0, 4, 1, 1}), Seen::Waiting);
}

TEST_F(Flags, AreSeenByThoseWhoAreSlow) {
  first->set(operation(0, 1), true);
  second->set(operation(1, 1), true);
  second->set(operation(1, 2, 5), true);  // of another method
  EXPECT_EQ(first->look(operation(0, 1)), Seen::Well);
  first->set(operation(0, 2, 5), true);
  first->set(operation(0, 4), false);
  EXPECT_EQ(second->look(operation(1, 2, 5)), Seen::Well);
  EXPECT_EQ(second->look(operation(1, 3)), Seen::Other);
  EXPECT_EQ(second->look(operation(1, 4)), Seen::Other);
  first->set(operation(0, 60), false);
  EXPECT_EQ(second->look(operation(1, 2, 5)), Seen::Well);
  first->set(operation(0, 100), true);
  EXPECT_EQ(second->look(operation(1, 2, 5)), Seen::Other);
}

TEST_F(Flags, TellWhatWentWrongOrIsNotTheSame) {
  first->set(operation(0, 1), false);
  EXPECT_EQ(second->look(operation(1, 1)), Seen::Other);
  first->set(operation(0, 2), true);
  second->set(operation(1, 2, 99), true);
  EXPECT_EQ(first->look(operation(0, 2)), Seen::Other);
  EXPECT_EQ(second->look(operation(1, 2, 99)), Seen::Other);
  // What has been said may be taken back.
  first->set(operation(0, 3), true);
  first->set(operation(0, 3), false);
  EXPECT_EQ(second->look(operation(1, 3)), Seen::Other);
  EXPECT_EQ(second->look(operation(1, 2)), Seen::Other);
}

TEST_F(Flags, HaveNumbersOfCallsWithinCalls) {
  constexpr std::int64_t epoch = std::int64_t{1} << 41;  // where Agenda has them begin
  constexpr std::int64_t most = (std::int64_t{1} << 59) - 1;
  for (const std::int64_t number : {epoch, epoch + 1, 2 * epoch + 7, most}) {
    first->set(operation(0, number), true);
    EXPECT_EQ(first->look(operation(0, number)), Seen::Waiting) << number;
    second->set(operation(1, number), true);
    EXPECT_EQ(first->look(operation(0, number)), Seen::Well) << number;
    EXPECT_EQ(second->look(operation(1, number)), Seen::Well) << number;
  }
}

TEST(FlagsOfManyRanks, LetNobodyGoOnAlone) {
  constexpr int ranks = 4;
  constexpr int operations = 5000;
  const auto goes_wrong = [](int number, int rank) { return number % 50 == rank * 10; };
  const auto of_first = SharedFlags::create(ranks, kKey);
  std::barrier all_know(ranks);
  std::vector<std::atomic<int>> passed(ranks);
  const auto run_rank = [&](int rank) {
    const auto flags = SharedFlags::open(of_first->place(), ranks, kKey);
    for (int number = 1; number <= operations; ++number) {
      const SharedFlags::Operation own = operation(rank, number, static_cast<unsigned>(number));
      passed[static_cast<std::size_t>(rank)] = number;
      flags->set(own, !goes_wrong(number, rank));
      Seen seen = Seen::Waiting;
      while (seen == Seen::Waiting) {
        const std::uint32_t heard = flags->rings();
        seen = flags->look(own);
        // Whoever rings too early, or not at all, would make this take minutes.
        if (seen == Seen::Waiting) flags->sleep(heard, std::chrono::seconds(60));
      }
      if (seen == Seen::Other) {
        all_know.arrive_and_wait();
      } else {
        for (const auto& each : passed) EXPECT_GE(each.load(), number);
      }
      EXPECT_EQ(seen == Seen::Other, number % 10 == 0 && number % 50 < ranks * 10) << number;
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(run_rank, rank);
  for (std::thread& each : threads) each.join();
}

}  // namespace

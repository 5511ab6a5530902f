// Lists of indices and the directory by which two programs find out who has what.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <string>

#include "core/directory.hpp"
#include "core/index_list.hpp"

namespace {

using shinar::par::Directory;
using shinar::par::IndexList;
using shinar::par::Message;
using shinar::par::messages_by_index;
using shinar::par::messages_of;
using shinar::par::Misfit;
using shinar::par::part_of_directory;
using shinar::par::Redistribution;
using Indices = std::vector<std::int64_t>;
using Lists = std::vector<Indices>;

// Each index goes to any rank, and is anywhere in its list.
Lists divided(Indices indices, int ranks, std::mt19937& random) {
  std::ranges::shuffle(indices, random);
  Lists lists(static_cast<std::size_t>(ranks));
  for (const std::int64_t each : indices) lists[random() % lists.size()].push_back(each);
  return lists;
}

std::vector<IndexList> lists_of(const Lists& lists) {
  std::vector<IndexList> result;
  for (std::size_t rank = 0; rank < lists.size(); ++rank) {
    result.emplace_back(lists[rank], nullptr, static_cast<int>(rank),
                        static_cast<int>(lists.size()));
  }
  return result;
}

// What both sides find out, without messages.
class Both {
 public:
  Both(const Lists& owner, const Lists& caller) : parts_(owner.size()) {
    const int count = static_cast<int>(parts_.size());
    for (const IndexList& list : lists_of(owner)) {
      each_part(list, [&](Directory& part, const Indices& these) { part.add(list.rank(), these); });
    }
    for (Directory& part : parts_) {
      part.seal();
      claims_.push_back(part.no_claims());
    }
    for (const IndexList& list : lists_of(caller)) {
      std::vector<std::int32_t> peers;
      each_part(list, [&](Directory& part, const Indices& these) {
        append(peers, part.claim(claims_of(part), list.rank(), these));
      });
      called.push_back(messages_of(list.order(count), peers));
    }
    for (const IndexList& list : lists_of(owner)) {
      std::vector<std::int32_t> peers;
      each_part(list, [&](Directory& part, const Indices& these) {
        append(peers, part.claimants(claims_of(part), these));
      });
      owned.push_back(messages_of(list.order(count), peers));
    }
  }

  std::vector<std::vector<Message>> owned, called;  // by rank

 private:
  template <typename Work>
  void each_part(const IndexList& list, Work work) {
    const IndexList::Order order = list.order(static_cast<int>(parts_.size()));
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      Indices these;
      for (std::size_t i = order.first[part]; i < order.first[part + 1]; ++i) {
        these.push_back(list[order.positions[i]]);
        EXPECT_EQ(part_of_directory(these.back(), static_cast<int>(parts_.size())),
                  static_cast<int>(part));
      }
      work(parts_[part], these);
    }
  }
  Directory::Claims& claims_of(const Directory& part) {
    return claims_[static_cast<std::size_t>(&part - parts_.data())];
  }
  static void append(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  std::vector<Directory> parts_;
  std::vector<Directory::Claims> claims_;
};

// Every element gets from the rank that has it to the one that wants it, at its place.
void check(const Lists& owner, const Lists& caller) {
  const Both both(owner, caller);
  std::map<std::pair<int, int>, Indices> sent;  // by owner and caller
  std::int64_t total = 0;
  for (std::size_t rank = 0; rank < owner.size(); ++rank) {
    for (const Message& message : both.owned[rank]) {
      Indices row(static_cast<std::size_t>(message.size));
      const Redistribution plan(both.owned[rank], static_cast<std::int64_t>(owner[rank].size()), 0);
      Indices piece = owner[rank];
      plan.pack(message, {reinterpret_cast<std::byte*>(piece.data()), {8}, 8},
                reinterpret_cast<std::byte*>(row.data()));
      sent[{static_cast<int>(rank), message.peer}] = row;
      total += message.size;
    }
  }
  for (std::size_t rank = 0; rank < caller.size(); ++rank) {
    const Redistribution plan(both.called[rank], static_cast<std::int64_t>(caller[rank].size()), 0);
    Indices piece(caller[rank].size(), -1);
    for (const Message& message : both.called[rank]) {
      const Indices& row = sent.at({message.peer, static_cast<int>(rank)});
      ASSERT_EQ(static_cast<std::int64_t>(row.size()), message.size);
      plan.unpack(message, reinterpret_cast<const std::byte*>(row.data()),
                  {reinterpret_cast<std::byte*>(piece.data()), {8}, 8});
      total -= message.size;
    }
    EXPECT_EQ(piece, caller[rank]);
  }
  EXPECT_EQ(total, 0);
}

std::string refusal(const Lists& owner, const Lists& caller) {
  try {
    const Both both(owner, caller);
  } catch (const Misfit& misfit) {
    return misfit.what();
  }
  return "";
}

TEST(Lists, EveryElementGetsToItsPlace) {
  std::mt19937 random(7);
  const std::int64_t far = std::int64_t{1} << 61;
  // Neighbours, with holes, and far from each other; on both sides of 0.
  for (const std::int64_t step :
       {std::int64_t{1}, std::int64_t{3}, std::int64_t{5000}, far / 4000}) {
    for (const auto& [m, n] : {std::pair{1, 1}, {2, 3}, {5, 2}, {4, 4}, {1, 7}}) {
      Indices indices;
      for (std::int64_t i = -2000; i < 2000; ++i) indices.push_back(i * step);
      check(divided(indices, m, random), divided(indices, n, random));
    }
  }
  check({{}, {3}, {}}, {{3}, {}});
  check({{}}, {{}, {}});
}

TEST(Lists, MessagesAscendByIndexWhoeverIsAsked) {
  std::mt19937 random(11);
  Indices indices;
  for (std::int64_t i = 0; i < 5000; ++i) indices.push_back(i * i);
  const Lists lists = divided(indices, 3, random);
  for (const int parts : {1, 2, 7}) {
    for (const IndexList& list : lists_of(lists)) {
      const IndexList::Order order = list.order(parts);
      std::vector<std::int32_t> peers;
      for (const std::uint32_t at : order.positions) {
        peers.push_back(static_cast<std::int32_t>(list[at] % 4));
      }
      std::int64_t total = 0;
      for (const Message& message : messages_by_index(list, order, peers)) {
        total += message.size;
        Indices found;
        for (const std::uint32_t at : *message.positions) found.push_back(list[at]);
        EXPECT_TRUE(std::ranges::is_sorted(found));
        EXPECT_TRUE(std::ranges::all_of(
            found, [&](std::int64_t index) { return index % 4 == message.peer; }));
      }
      EXPECT_EQ(total, list.size());
    }
  }
}

TEST(Lists, TheDirectorySaysWhoHasWhat) {
  Directory directory("the group");
  directory.add(0, Indices{1, 5});
  directory.add(2, Indices{3});
  directory.seal();
  EXPECT_EQ(directory.owners(Indices{1, 2, 3, 5, 1 << 20}),
            (std::vector<std::int32_t>{0, -1, 2, 0, -1}));
}

TEST(Lists, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(refusal({{1, 2, 1}}, {{1, 2}}), "index 1 is in the list of rank 0 twice");
  EXPECT_EQ(refusal({{1, 2}, {2, 3}}, {{1, 2, 3}}),
            "ranks 0 and 1 of the object both have index 2");
  EXPECT_EQ(refusal({{1, 2}}, {{1}, {2, 1}}), "ranks 0 and 1 of the callers both have index 1");
  EXPECT_EQ(refusal({{1, 2}}, {{1, 2}, {-5}}),
            "index -5 of rank 1 of the callers is on no rank of the object");
  EXPECT_EQ(refusal({{1, 2}}, {{2}, {}}), "index 1 of the object is on no rank of the callers");
  Indices many(1000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i);
  EXPECT_EQ(refusal({many, {700}}, {many}), "ranks 0 and 1 of the object both have index 700");
  EXPECT_EQ(refusal({{700}, many}, {many}), "ranks 0 and 1 of the object both have index 700");
}

TEST(Lists, PartsOfADirectoryHaveAboutAsMuch) {
  for (const std::int64_t step : {1, 1024, 1 << 20}) {
    std::vector<int> sizes(16);
    for (std::int64_t i = 0; i < 1 << 20; ++i) ++sizes[part_of_directory(i * step, 16)];
    EXPECT_LT(*std::ranges::max_element(sizes), 2 * (1 << 20) / 16);
  }
}

TEST(TheDirectory, KnowsThatNobodyHasClaimedAnything) {
  Directory directory;
  directory.add(0, Indices{3, 5, -7, std::numeric_limits<std::int64_t>::max()});
  directory.seal();
  EXPECT_EQ(directory.claimants({}, Indices{}), std::vector<std::int32_t>());
  for (const std::int64_t each : {std::int64_t{3}, std::int64_t{-7}, std::int64_t{4},
                                  std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_THROW(directory.claimants({}, Indices{each}), Misfit) << each;
  }
}

}  // namespace

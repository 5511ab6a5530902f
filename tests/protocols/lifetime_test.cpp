/**
 * References are counted right whatever overtakes what: all interleavings of two connections and
 * three messages, over the ledger and the streams that the servers and clients use.
 *
 * The owner has one object, the holder a reference to it. Step by step anything happens that may:
 * the holder calls the object or gives a reference back, over either connection; the owner hands
 * out one more; a message is read at either end; a call that was read is run; a connection is cut.
 * At the end all that is on its way arrives, and the holder gives everything back. With one half of
 * the rule left out (docs/simhandle-protocol.md, section 7) the search must find what goes wrong.
 */
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <functional>

#include "core/ledger.hpp"
#include "core/notice.hpp"
#include "test_host.hpp"

using namespace shinar::wire;

namespace {

/** Which decisions were made, and how many there were at each: the search goes through all. */
class Choices {
 public:
  std::size_t choose(std::size_t count) {
    if (next_ == taken_.size()) taken_.push_back({0, count});
    return taken_[next_++].first;
  }
  /** The next way through; false: there is none. */
  bool advance() {
    next_ = 0;
    while (!taken_.empty() && taken_.back().first + 1 == taken_.back().second) taken_.pop_back();
    if (taken_.empty()) return false;
    ++taken_.back().first;
    return true;
  }

 private:
  std::vector<std::pair<std::size_t, std::size_t>> taken_;
  std::size_t next_ = 0;
};

#ifdef SHINAR_SANITIZED  // takes minutes for three, and shows no other code than for two
constexpr int most_messages = 2;
#else
constexpr int most_messages = 3;
#endif

struct Rules {
  bool holds = true;    ///< what is read is held
  bool follows = true;  ///< a release follows what was sent before it
  bool settles = true;  ///< each end says how far it has read a connection that was cut
  bool cuts = true;
  int messages = most_messages;
};

constexpr std::size_t connections = 2;

enum class What { call, release, settle, grant };

struct InFlight {
  What kind;
  Message body{};  ///< of a release or settle frame
};

/** One way through; throws a text if something is not as it should be. */
class World {
 public:
  World(Choices& choices, const Rules& rules)
      : choices_(choices), rules_(rules), left_(rules.messages) {
    Encoder body;
    Answer answer{body};
    object_ = host_.create("test.Thing", answer).id;
    session_ = ledger_.open(random_id(), std::chrono::milliseconds(1000));
    for (std::size_t c = 0; c < connections; ++c) {
      own_[c] = std::make_shared<Stream>();
      theirs_[c] = std::make_shared<Stream>();
      own_[c]->number = theirs_[c]->number = c + 1;
      session_->streams->add(own_[c]);
      holders_.add(theirs_[c]);
    }
    ledger_.book(*session_, object_, 1);
  }

  void run() {
    std::vector<std::function<void()>> steps;
    for (;;) {
      steps.clear();
      add_steps(steps);
      if (steps.empty()) break;
      steps[choices_.choose(steps.size())]();
      if (references_ > 0) require(exists(), "the object is gone while it is referred to");
    }
    finish();
  }

 private:
  static void require(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
  }
  bool exists() { return host_.object_count() == 1; }

  void add_steps(std::vector<std::function<void()>>& steps) {
    for (std::size_t c = 0; c < connections; ++c) {
      if (!to_owner_[c].empty()) steps.emplace_back([this, c] { owner_reads(c); });
      if (!to_holder_[c].empty()) steps.emplace_back([this, c] { holder_reads(c); });
      if (cut_ && c != whole_) continue;
      if (left_ > 0 && references_ > 0) {
        steps.emplace_back([this, c] { send_call(c); });
        steps.emplace_back([this, c] { send_release(c); });
      }
      if (left_ > 0 && exists()) steps.emplace_back([this, c] { grant(c); });
      if (rules_.cuts && !cut_) steps.emplace_back([this, c] { cut(c); });
    }
    if (!waiting_.empty()) steps.emplace_back([this] { run_call(); });
  }

  void send_call(std::size_t c) {
    --left_;
    theirs_[c]->count_sent();
    to_owner_[c].push_back({What::call});
  }

  void send_release(std::size_t c) {
    --left_;
    give_back(c);
  }
  void give_back(std::size_t c) {
    --references_;
    send_notice(c, Notice::release(object_, 1, {}));
  }
  void send_notice(std::size_t c, const Notice& notice) {
    Encoder body;
    Streams none;
    notice.encode(body, rules_.follows ? holders_ : none, theirs_[c].get());
    const bool is_release = !notice.object.empty();
    Entry entry;
    if (is_release) entry.given_back.push_back({notice.object, notice.count, {}});
    theirs_[c]->note(theirs_[c]->count_sent(), entry);
    theirs_[c]->commit(entry);
    to_owner_[c].push_back({is_release ? What::release : What::settle, message_of(body)});
  }
  static Message message_of(Encoder& body) {
    Message message;
    std::memcpy(message.body.extend(body.body_size()), body.body(), body.body_size());
    return message;
  }

  /** The owner hands out one more reference, in an answer or in a call of its own. */
  void grant(std::size_t c) {
    --left_;
    ledger_.book(*session_, object_, 1);
    Entry entry;
    entry.lent.push_back(object_);
    own_[c]->note(own_[c]->count_sent(), entry);
    own_[c]->commit(entry);
    to_holder_[c].push_back({What::grant});
  }

  void owner_reads(std::size_t c) {
    InFlight frame = std::move(to_owner_[c].front());
    to_owner_[c].pop_front();
    if (frame.kind == What::settle) {
      Decoder decoder(frame.body);
      const auto number = decoder.get<std::uint64_t>();
      const Entry lost = session_->streams->settle(number, decoder.get<std::uint64_t>());
      ledger_.release(*session_, lost.lent);
    } else if (frame.kind == What::call) {
      require(exists(), "a call was read, and its object is not there");
      waiting_.push_back(rules_.holds ? host_.pin(object_) : Pin());
    } else {
      static_cast<void>(ledger_.release(*session_, frame.body));
    }
    if (own_[c]->count_read()) static_cast<void>(ledger_.go_on(*session_, *own_[c]));
  }

  void run_call() {
    require(waiting_.front().get() != nullptr || exists(), "a call runs, and its object is gone");
    waiting_.pop_front();
  }

  void holder_reads(std::size_t c) {
    const What kind = to_holder_[c].front().kind;
    Message body = std::move(to_holder_[c].front().body);
    to_holder_[c].pop_front();
    if (kind == What::grant) {
      ++references_;
      theirs_[c]->count_read();
      return;
    }
    Decoder decoder(body);
    const auto number = decoder.get<std::uint64_t>();
    const Entry lost = holders_.settle(number, decoder.get<std::uint64_t>());
    for (const auto& each : lost.given_back) {
      send_notice(c, Notice::release(each.object, each.count, {}));
    }
  }

  /** What was not read from a connection is lost, at both ends, which find out and say so. */
  void cut(std::size_t c) {
    cut_ = true;
    to_owner_[c].clear();
    to_holder_[c].clear();
    if (own_[c]->end()) static_cast<void>(ledger_.go_on(*session_, *own_[c]));
    theirs_[c]->end();
    const std::size_t other = 1 - c;
    whole_ = other;
    if (!rules_.settles) return;
    send_notice(other, Notice::settle(*theirs_[c]));
    Encoder body;
    Notice::settle(*own_[c]).encode(body, *session_->streams, own_[other].get());
    to_holder_[other].push_back({What::settle, message_of(body)});
  }

  /** Everything arrives, and everything is given back. */
  void finish() {
    while (references_ > 0) give_back(whole_);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t c = 0; c < connections; ++c) {
        while (!to_holder_[c].empty()) holder_reads(c);
        while (!to_owner_[c].empty()) owner_reads(c);
        more = more || !to_holder_[c].empty() || !to_owner_[c].empty();
      }
    }
    while (references_ > 0) give_back(whole_);
    while (!to_owner_[whole_].empty()) owner_reads(whole_);
    while (!waiting_.empty()) run_call();
    require(ledger_.reference_count() == 0, "references are left");
    require(!exists(), "the object is left");
  }

  Choices& choices_;
  const Rules rules_;
  int left_;
  TestHost host_;
  Ledger ledger_{host_, 10};
  std::string object_;
  std::shared_ptr<Session> session_;
  std::array<std::shared_ptr<Stream>, connections> own_, theirs_;
  Streams holders_;
  std::array<std::deque<InFlight>, connections> to_owner_, to_holder_;
  std::deque<Pin> waiting_;  ///< calls that were read and have not run
  int references_ = 1;       ///< the holder's
  bool cut_ = false;
  std::size_t whole_ = 0;
};

struct Found {
  std::size_t ways = 0;
  std::string wrong;  ///< empty: nothing
};

Found search(const Rules& rules) {
  Found found;
  Choices choices;
  do {
    ++found.ways;
    try {
      World(choices, rules).run();
    } catch (const std::runtime_error& error) {
      found.wrong = error.what();
      return found;
    }
  } while (choices.advance());
  return found;
}

}  // namespace

TEST(Lifetime, AllInterleavingsOfThreeMessages) {
  const Found found = search({});
  EXPECT_EQ(found.wrong, "") << "after " << found.ways;
  EXPECT_GT(found.ways, most_messages == 3 ? 10000u : 100u);
  std::printf("%zu interleavings\n", found.ways);
}

TEST(Lifetime, WithoutTheOrderOfReleasesCallsAreLost) {
  Rules rules;
  rules.cuts = false;
  rules.follows = false;
  rules.messages = 3;
  EXPECT_EQ(search(rules).wrong, "a call was read, and its object is not there");
}

TEST(Lifetime, WithoutHoldingWhatIsReadCallsAreLost) {
  Rules rules;
  rules.cuts = false;
  rules.holds = false;
  rules.messages = 3;
  EXPECT_EQ(search(rules).wrong, "a call runs, and its object is gone");
}

TEST(Lifetime, WithoutSettlingCutsLeaveReferences) {
  Rules rules;
  rules.settles = false;
  rules.messages = 3;
  EXPECT_EQ(search(rules).wrong, "references are left");
}

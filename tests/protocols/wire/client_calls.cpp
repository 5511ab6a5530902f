/** Calls that nobody waits for, and calls that come back. */
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include "client.hpp"
#include "sidl_rmi_CancelledException.hxx"
#include "sidl_rmi_Deadline.hxx"
#include "sidl_rmi_InstanceRegistry.hxx"
#include "sidl_rmi_TicketBook.hxx"
#include "sidl_rmi_TimeOutException.hxx"

namespace {

using sidl::rmi::Ticket;

const sidl_method_info* slowly_info() {
  for (int i = 0; i < wire_Box__info.slot_count; ++i) {
    const sidl_method_info* const method = wire_Box__info.slots[i];
    if (method != nullptr && std::strcmp(method->name, "slowly") == 0) return method;
  }
  return nullptr;
}

}  // namespace

Ticket send_slowly(const wire::Box& box, int32_t milliseconds, int32_t number,
                   const wire::Named& object) {
  sidl_BaseInterface__object* ex = nullptr;
  auto* object_ior = object._get_ior();
  void* args[] = {&milliseconds, &number, &object_ior};
  sidl_rmi_Ticket__object* const ticket = sidl_rmi_send(box._get_ior(), slowly_info(), args, &ex);
  if (ex != nullptr) sidl::throw_exception<>(ex);
  return Ticket(ticket);
}

namespace {

int32_t receive_slowly(const wire::Box& box, const Ticket& ticket) {
  sidl_BaseInterface__object* ex = nullptr;
  int32_t result = -1;
  void* args[] = {nullptr, nullptr, nullptr};
  sidl_rmi_receive(box._get_ior(), slowly_info(), ticket._get_ior(), args, &result, &ex);
  if (ex != nullptr) sidl::throw_exception<>(ex);
  return result;
}

template <class Exception, class Action>
bool throws(Action action) {
  try {
    action();
  } catch (const sidl::BaseException& thrown) {
    return sidl::babel_cast<Exception>(thrown)._not_nil();
  }
  return false;
}

template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

void tickets(const wire::Box& box) {
  const wire::Named named = box.make("five!");
  std::vector<Ticket> many;
  for (int i = 0; i < 300; ++i) many.push_back(send_slowly(box, 0, i, named));
  for (int i = 299; i >= 0; --i) CHECK(receive_slowly(box, many[std::size_t(i)]) == i + 5);

  const Ticket first = send_slowly(box, 300, 1);
  const Ticket second = send_slowly(box, 0, 2);
  CHECK(!first.test());
  CHECK(second.cancel() && !second.cancel() && second.test());
  CHECK(throws<sidl::rmi::CancelledException>([&] { receive_slowly(box, second); }));
  first.block();
  CHECK(first.test() && !first.cancel() && receive_slowly(box, first) == 1);

  sidl::rmi::TicketBook book = first.createEmptyTicketBook();
  const wire::Box other = sidl::babel_cast<wire::Box>(box.make("other"));
  const int slow = book.insert(send_slowly(box, 150, 10));
  book.insertWithID(send_slowly(other, 0, 20), 77);
  Ticket ready;
  CHECK(book.removeReady(ready) == 77);
  CHECK(book.removeReady(ready) == slow && book.isEmpty());
  for (int i = 0; i < 50; ++i) send_slowly(box, 0, i);  // nobody wants to know
  CHECK(other.add(1, 2) == 3);
}

std::ptrdiff_t thread_count() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

/** Each had a thread that waited for it. */
void many_tickets_in_a_book(const wire::Box& box) {
  constexpr int count = 2000;
  const auto before = thread_count();
  sidl::rmi::TicketBook book = send_slowly(box, 0, 0).createEmptyTicketBook();
  for (int i = 0; i < count; ++i) book.insertWithID(send_slowly(box, i == 0 ? 300 : 0, i), i);
  std::atomic<bool> over{false};
  std::ptrdiff_t most = 0;
  std::thread counts([&] {
    for (; !over; std::this_thread::sleep_for(std::chrono::milliseconds(2)))
      most = std::max(most, thread_count());
  });
  for (std::vector<bool> seen(count); !book.isEmpty();) {
    Ticket ready;
    const int id = book.removeReady(ready);
    CHECK(!seen[std::size_t(id)] && receive_slowly(box, ready) == id);
    seen[std::size_t(id)] = true;
  }
  over = true;
  counts.join();
  CHECK(most - before < 20);
}

void one_way(const wire::Box& box) {
  for (int i = 0; i < 30; ++i) box.note(i % 6 == 0 ? 10 : 0, i);
  const sidl::array<int32_t> notes = box.notes();  // after those of the same thread
  CHECK(notes.length(0) == 30);
  for (int i = 0; i < 30; ++i) CHECK(notes[i] == i);
}

void deadlines(const wire::Box& box) {
  using sidl::rmi::Deadline;
  using sidl::rmi::TimeOutException;
  Deadline::setForThread(80);
  CHECK(throws<TimeOutException>([&] { box.wait(400); }));
  CHECK(box.add(1, 1) == 2);  // the late answer does no harm
  const wire::Box other = sidl::babel_cast<wire::Box>(box.make("other"));
  CHECK(throws<TimeOutException>([&] { box.waitFor(other); }));
  Deadline::setForThread(-1);
  CHECK(box.add(2, 2) == 4);
}

void null_strings(const wire::Box& box) {
  wire::Point last;
  last.set_label("there");
  std::string log;
  const wire::Point nameless;
  CHECK(nameless.label == nullptr);
  const wire::Point moved = box.move(nameless, 1.0, last, log);
  CHECK(moved.label == nullptr && last.label == nullptr);
  wire::Point empty;
  empty.set_label("");
  const wire::Point also = box.move(empty, 1.0, last, log);
  CHECK(also.label != nullptr && *also.label == '\0');
}

/** Strings that arrive in one block, long ones and nulls among them, are replaced and outlive it.
 */
void many_strings(const wire::Box& box) {
  const int32_t size = 3000;
  const auto text = [](int32_t i) {
    const int length = i % 500 == 7 ? 16382 + i / 500 % 4 : i % 67;
    return std::string(static_cast<std::size_t>(length), static_cast<char>('a' + i % 26));
  };
  sidl::array<std::string> sent = sidl::array<std::string>::create1d(size);
  for (int32_t i = 0; i < size; ++i) {
    if (i % 9 != 0) sent[i] = text(i);
  }
  const auto same = [&](sidl_string__array* got, int32_t from, int32_t to) {
    for (int32_t i = from; i < to; ++i) {
      const char* const element = sidlArrayElem1(got, i);
      CHECK(i % 9 == 0 ? element == nullptr : element != nullptr && element == text(i));
    }
  };
  sidl::array<std::string> got = box.strings(sent);
  same(got._get_ior(), 0, size);
  for (int32_t i = 0; i < 20; ++i) got[i] = "new";
  got[1] = "newer";
  same(got._get_ior(), 20, size);
  const int32_t rest = size - 1000;
  const int32_t start = 1000;
  sidl::array<std::string> part = got.slice(1, &rest, &start);
  got = box.strings(got);
  CHECK(std::string(got[0]) == "new" && std::string(got[1]) == "newer");
  part[1001] = "in a slice";
  same(part._get_ior(), 1002, size);
}

}  // namespace

void nonblocking_calls(const wire::Box& box) {
  deadlines(box);
  tickets(box);
  many_tickets_in_a_book(box);
  one_way(box);
  null_strings(box);
  many_strings(box);
}

void callbacks(const wire::Box& box) {
  wire::Box mine = wire::Box::_create();
  const auto id = [&] { return sidl::rmi::InstanceRegistry::getInstance(mine); };
  CHECK(box.bounce(mine, 64) == 64);
  CHECK(mine.bouncers() == 1 && box.bouncers() == 1);
  CHECK(eventually([&] { return id().empty(); }));  // the server has given it back
  CHECK(box.back(mine).isSame(mine) && box.back(mine)._isLocal());
  box.keep(mine);
  CHECK(box.kept().isSame(mine) && !id().empty());
  CHECK(box.bounceKept(8) == 8);  // nobody here waits on behalf of the thread that calls
  CHECK(receive_slowly(box, send_slowly(box, 0, 1, mine)) == 4);
  box.forget();
  CHECK(eventually([&] { return id().empty(); }));
  const sidl::BaseInterface refused = wire::Box::_create();
  try {
    box.fail(3);
  } catch (const sidl::BaseException&) {
  }
  CHECK(box.bounce(mine, 1) == 1);
}

void streams(const wire::Box& box, const std::string& url) {
  for (const int dimension : {1, 2, 7}) {
    wire::Tables mine = wire::Tables::_create();
    mine.fill(dimension);
    CHECK(box.copied(mine).wrong(dimension).empty());
    const wire::Tables other = wire::Tables::_create(url);
    other.fill(dimension);
    mine.leaveTo(other);  // which packs and unpacks through streams of this process
    CHECK(box.copied(mine)._isLocal());
    CHECK(other.wrong(dimension).empty());
  }
}

void leave_object(const wire::Box& box) {
  box.keep(wire::Box::_create());
  std::printf("left\n");
  std::fflush(stdout);
  while (std::getchar() != EOF) continue;
}

// Nonblocking and oneway calls: in this process, and through the loop protocol.
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "classes.hpp"
#include "loop.hpp"
#include "rt_Async.h"
#include "rt_Runner.h"
#include "sidl_rmi_NetworkException.h"
#include "sidl_rmi_Response.h"
#include "sidl_rmi_Ticket.h"
#include "sidl_rmi_TicketBook.h"
#include "sidl_rmi_TicketBookI.h"
#include "support.hpp"

namespace {

using rt::Exception;
using rt::ok;
using rt::Ref;
using rt::take;
using rt::threw;

using Ticket = Ref<sidl_rmi_Ticket__object>;
using Book = Ref<sidl_rmi_TicketBook__object>;

// A proxy for a local object, or the object itself.
template <class T>
Ref<T> reach(void* object, const sidl_type_info* type, bool remote, Exception& ex) {
  if (!remote) return Ref<T>(sidl_cast(object, type, &ex));
  char* const url = rt::loop_url(object);
  Ref<T> proxy(sidl_connect(type, url, &ex));
  sidl_String_free(url);
  return proxy;
}

struct Where {
  const char* name;
  bool remote;
  bool observable;
};

// Otherwise a failure shows the bytes, and valgrind minds those between the members.
std::ostream& operator<<(std::ostream& out, const Where& where) {
  return out << where.name;
}

class Async : public ::testing::TestWithParam<Where> {
 protected:
  void SetUp() override {
    rt::loop_start();
    rt::loop_observable(GetParam().observable);
    live_ = rt_live();
    runner_ = reach<rt_Async__object>(object_.get(), &rt_Async__info, GetParam().remote, ex);
    ASSERT_TRUE(ok(ex));
  }

  void TearDown() override {
    rt::loop_hold(false);
    rt::loop_observable(true);
    EXPECT_EQ(rt::loop_held(), 0);
    runner_ = {};
    // threads that wait for tickets which cannot be observed may just be on their way out
    for (int i = 0; i < 10'000'000 && rt::references(object_.get()) > 1; ++i) {
      std::this_thread::yield();
    }
    EXPECT_EQ(rt::references(object_.get()), 1) << "tickets keep nothing";
    EXPECT_EQ(rt_live(), live_);
  }

  Ticket add(int32_t x) {
    Ticket ticket(rt_Async_add_send(runner_.get(), x, &ex));
    EXPECT_TRUE(ok(ex));
    return ticket;
  }

  Exception ex = nullptr;
  Ref<void> object_{sidl_create(&rt_Runner__info, &ex)};
  Ref<rt_Async__object> runner_;

 private:
  int live_ = 0;
};

sidl_double__array* numbers(std::initializer_list<double> values) {
  sidl_double__array* const array =
      sidl_double__array_create1d(static_cast<int32_t>(values.size()));
  int32_t i = 0;
  for (const double value : values) sidl_double__array_set1(array, i++, value);
  return array;
}

TEST_P(Async, EveryArgumentComesBack) {
  sidl_double__array* const a = numbers({7});
  sidl_double__array* x = numbers({1, 2});
  char* log = sidl_String_strdup("log");
  Ref<rt_A__object> other(sidl_cast(sidl_create(&rt_Base__info, &ex), &rt_A__info, &ex));
  rt::drop(other.get());
  const Ticket ticket(
      rt_Async_solve_send(runner_.get(), rt_Color_green, a, x, log, other.get(), &ex));
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(sidl_double__array_get1(x, 0), 1) << "inout arguments change when they are received";
  EXPECT_STREQ(log, "log");
  rt_Inner__data made;
  rt_A__object* replaced = other.get();
  rt_A_addRef(replaced, &ex);
  EXPECT_EQ(rt_Async_solve_recv(runner_.get(), ticket.get(), &x, &log, &made, &replaced, &ex), 7);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(sidl_double__array_get1(x, 0), 2);
  EXPECT_EQ(sidl_double__array_get1(x, 1), 4);
  EXPECT_EQ(take(log), "log+");
  EXPECT_EQ(made.n, rt_Color_green);
  EXPECT_STREQ(made.s, "made");
  EXPECT_NE(replaced, other.get());
  sidl_struct_destroy(&rt_Inner__info, &made);
  rt::drop(replaced);
  sidl_double__array_deleteRef(a);
  sidl_double__array_deleteRef(x);
}

TEST_P(Async, NullsStayNulls) {
  sidl_double__array* const a = numbers({7});
  sidl_double__array* x = nullptr;
  char* log = nullptr;
  const Ticket ticket(rt_Async_solve_send(runner_.get(), rt_Color_red, a, x, "", nullptr, &ex));
  ASSERT_TRUE(ok(ex));
  rt_Inner__data made;
  rt_A__object* other = nullptr;
  rt_Async_solve_recv(runner_.get(), ticket.get(), &x, &log, &made, &other, &ex);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(x, nullptr);
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(take(log), "+");
  sidl_struct_destroy(&rt_Inner__info, &made);
  sidl_double__array_deleteRef(a);
}

TEST_P(Async, WhatTheMethodThrowsIsThrownByTheSecondHalf) {
  const Ticket ticket(rt_Async_fail_send(runner_.get(), 1, 5, &ex));
  ASSERT_TRUE(ok(ex));
  int32_t io = 5;
  char* o = nullptr;
  EXPECT_EQ(rt_Async_fail_recv(runner_.get(), ticket.get(), &io, &o, &ex), nullptr);
  EXPECT_TRUE(threw(ex, "rt.Error"));
  EXPECT_EQ(io, 5);
  EXPECT_EQ(o, nullptr);
}

TEST_P(Async, AnswersThatNobodyTakesAreFreed) {
  const Ticket failed(rt_Async_fail_send(runner_.get(), 1, 5, &ex));
  const Ticket fine(rt_Async_fail_send(runner_.get(), 0, 5, &ex));
  EXPECT_TRUE(ok(ex));
  sidl_double__array* const x = numbers({1, 2});
  const Ticket solved(rt_Async_solve_send(runner_.get(), rt_Color_red, x, x, "log", nullptr, &ex));
  EXPECT_TRUE(ok(ex));
  sidl_double__array_deleteRef(x);
}

TEST_P(Async, RawArraysComeBackIntoTheCallersMemory) {
  std::array<double, 6> sent{1, 2, 3, 4, 5, 6};
  std::array<int32_t, 2> by{10, 20};
  const Ticket ticket(rt_Async_shift_send(runner_.get(), sent.data(), 2, by.data(), 3, &ex));
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(sent[0], 1);
  std::array<double, 6> received{};
  rt_Async_shift_recv(runner_.get(), ticket.get(), nullptr, &ex);
  std::string note;
  EXPECT_TRUE(threw(ex, "sidl.CastException", &note));
  EXPECT_EQ(note, "m is null, but must have 6 elements");
  rt_Async_shift_recv(runner_.get(), ticket.get(), received.data(), &ex);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(received, (std::array<double, 6>{11, 22, 13, 24, 15, 26}));
}

TEST_P(Async, RawArraysOfStructs) {
  std::array<double, 2> memory{1, 2};
  rt_Boxed__data b;
  sidl_struct_init(&rt_Boxed__info, &b);
  b.n = 2;
  b.values = memory.data();
  const Ticket ticket(rt_Async_box_send(runner_.get(), &b, &ex));
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(memory[1], 2) << "not before it is received";
  rt_Async_box_recv(runner_.get(), ticket.get(), &b, &ex);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(b.values, memory.data());
  EXPECT_EQ(memory[1], 20);
  EXPECT_STREQ(b.label, "boxed");
  sidl_struct_destroy(&rt_Boxed__info, &b);
}

TEST_P(Async, PointersStayInTheirProcess) {
  int target = 0;
  int other = 0;
  void* q = &other;
  const Ticket ticket(rt_Async_pointer_send(runner_.get(), &target, q, &ex));
  if (GetParam().remote) {
    EXPECT_TRUE(threw(ex, "sidl.rmi.ProtocolException"));
    return;
  }
  EXPECT_EQ(rt_Async_pointer_recv(runner_.get(), ticket.get(), &q, &ex), &other);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(q, &target);
}

TEST_P(Async, TicketsAreGoodForOneAnswer) {
  const Ticket ticket = add(1);
  EXPECT_EQ(rt_Async_add_recv(runner_.get(), ticket.get(), &ex), 2);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(rt_Async_add_recv(runner_.get(), ticket.get(), &ex), 0);
  std::string note;
  EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException", &note));
  EXPECT_EQ(note,
            "rt.Async.add_recv has already returned the answer for this ticket: a ticket can be "
            "used once");
}

TEST_P(Async, TicketsOfOtherCallsAreRefused) {
  const Ticket ticket = add(1);
  int32_t io = 3;
  char* o = nullptr;
  std::string note;
  rt_Async_fail_recv(runner_.get(), ticket.get(), &io, &o, &ex);
  EXPECT_TRUE(threw(ex, "sidl.CastException", &note));
  EXPECT_EQ(note,
            "rt.Async.fail_recv needs the ticket returned by fail_send, but got one from "
            "rt.Async.add_send");
  rt_Async_add_recv(runner_.get(), nullptr, &ex);
  EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException"));
  const Book book(sidl_rmi_Ticket_createEmptyTicketBook(ticket.get(), &ex));
  rt_Async_add_recv(runner_.get(), reinterpret_cast<sidl_rmi_Ticket__object*>(book.get()), &ex);
  EXPECT_TRUE(threw(ex, "sidl.CastException"));
  const Ref<void> stranger(sidl_create(&rt_Runner__info, &ex));
  const auto other =
      reach<rt_Async__object>(stranger.get(), &rt_Async__info, GetParam().remote, ex);
  rt_Async_add_recv(other.get(), ticket.get(), &ex);
  EXPECT_TRUE(threw(ex, "sidl.CastException", &note));
  EXPECT_EQ(note, "rt.Async.add_recv got the ticket of a call to another object");
  // another reference to the same object is fine
  const auto again = reach<rt_Async__object>(object_.get(), &rt_Async__info, GetParam().remote, ex);
  EXPECT_EQ(rt_Async_add_recv(again.get(), ticket.get(), &ex), 2);
  EXPECT_TRUE(ok(ex));
}

TEST_P(Async, TicketsOutliveTheReferenceTheyWereMadeThrough) {
  auto other = reach<rt_Async__object>(object_.get(), &rt_Async__info, GetParam().remote, ex);
  const Ticket ticket(rt_Async_add_send(other.get(), 4, &ex));
  other = {};
  EXPECT_EQ(rt_Async_add_recv(runner_.get(), ticket.get(), &ex), 5);
  EXPECT_TRUE(ok(ex));
}

TEST_P(Async, HalvesMayBeSeenAsDifferentTypes) {
  const auto derived =
      reach<rt_Runner__object>(object_.get(), &rt_Runner__info, GetParam().remote, ex);
  const Ticket ticket(rt_Runner_add_send(derived.get(), 4, &ex));
  EXPECT_EQ(rt_Async_add_recv(runner_.get(), ticket.get(), &ex), 5);
  EXPECT_TRUE(ok(ex));
}

TEST_P(Async, OverIsOver) {
  const Ticket ticket = add(1);
  sidl_rmi_Ticket_block(ticket.get(), &ex);
  EXPECT_TRUE(ok(ex));
  EXPECT_TRUE(sidl_rmi_Ticket_test(ticket.get(), &ex));
  EXPECT_FALSE(sidl_rmi_Ticket_cancel(ticket.get(), &ex));
  EXPECT_EQ(rt_Async_add_recv(runner_.get(), ticket.get(), &ex), 2);
  EXPECT_TRUE(ok(ex));
}

TEST_P(Async, ResponsesAreTheProtocols) {
  const Ticket ticket(rt_Async_fail_send(runner_.get(), 1, 0, &ex));
  const Ref<sidl_rmi_Response__object> response(sidl_rmi_Ticket_getResponse(ticket.get(), &ex));
  EXPECT_EQ(ex == nullptr, GetParam().remote);
  if (!GetParam().remote) {
    EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException"));
  }
  int32_t io = 0;
  char* o = nullptr;
  rt_Async_fail_recv(runner_.get(), ticket.get(), &io, &o, &ex);
  EXPECT_TRUE(threw(ex, "rt.Error")) << "asking for the response takes nothing away";
}

TEST_P(Async, Books) {
  const Book book(sidl_rmi_Ticket_createEmptyTicketBook(add(0).get(), &ex));
  sidl_rmi_Ticket__object* ticket = nullptr;
  EXPECT_TRUE(sidl_rmi_TicketBook_isEmpty(book.get(), &ex));
  EXPECT_TRUE(sidl_rmi_TicketBook_test(book.get(), &ex)) << "nothing to wait for";
  EXPECT_EQ(sidl_rmi_TicketBook_removeReady(book.get(), &ticket, &ex), 0);
  EXPECT_EQ(ticket, nullptr);
  EXPECT_EQ(sidl_rmi_TicketBook_getResponse(book.get(), &ex), nullptr);
  EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException"));
  sidl_rmi_TicketBook_insert(book.get(), nullptr, &ex);
  EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException"));
  const int32_t first = sidl_rmi_TicketBook_insert(book.get(), add(1).get(), &ex);
  sidl_rmi_TicketBook_insertWithID(book.get(), add(2).get(), 40, &ex);
  const int32_t third = sidl_rmi_TicketBook_insert(book.get(), add(3).get(), &ex);
  EXPECT_EQ(third, 41);
  EXPECT_FALSE(sidl_rmi_TicketBook_isEmpty(book.get(), &ex));
  EXPECT_FALSE(sidl_rmi_TicketBook_cancel(book.get(), &ex)) << "all are over";
  int32_t sum = 0;
  for (const int32_t expected : {first, 40, third}) {
    EXPECT_EQ(sidl_rmi_TicketBook_removeReady(book.get(), &ticket, &ex), expected);
    const Ticket owner(ticket);
    sum += rt_Async_add_recv(runner_.get(), ticket, &ex);
    EXPECT_TRUE(ok(ex));
  }
  EXPECT_EQ(sum, 2 + 3 + 4);
  EXPECT_TRUE(sidl_rmi_TicketBook_isEmpty(book.get(), &ex));
  sidl_rmi_TicketBook_insert(book.get(), add(1).get(), &ex);  // dropped with the book
}

TEST_P(Async, StaticMethodsStayInThisProcess) {
  char* s = sidl_String_strdup("ab");
  const Ticket ticket(rt_Runner_twice_send(21, s, &ex));
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(rt_Runner_twice_recv(ticket.get(), &s, &ex), 42);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(take(s), "abab");
}

INSTANTIATE_TEST_SUITE_P(, Async,
                         ::testing::Values(Where{"Local", false, true}, Where{"Remote", true, true},
                                           Where{"RemoteThatCannotBeObserved", true, false}),
                         [](const auto& info) { return std::string(info.param.name); });

// ---- calls that are not over at once ------------------------------------------------------------

class Pending : public Async {
 protected:
  void SetUp() override {
    Async::SetUp();
    rt::loop_hold(true);
  }
};

TEST_P(Pending, NothingWaitsBeforeTheSecondHalf) {
  const Ticket ticket = add(1);
  EXPECT_FALSE(sidl_rmi_Ticket_test(ticket.get(), &ex));
  std::thread server([] { rt::loop_answer(0); });
  EXPECT_EQ(rt_Async_add_recv(runner_.get(), ticket.get(), &ex), 2);
  EXPECT_TRUE(ok(ex));
  server.join();
}

TEST_P(Pending, CancelledCallsAreOverAndLateAnswersDropped) {
  const Ticket ticket = add(1);
  EXPECT_TRUE(sidl_rmi_Ticket_cancel(ticket.get(), &ex));
  EXPECT_FALSE(sidl_rmi_Ticket_cancel(ticket.get(), &ex));
  EXPECT_TRUE(sidl_rmi_Ticket_test(ticket.get(), &ex));
  rt::loop_answer(0);
  rt_Async_add_recv(runner_.get(), ticket.get(), &ex);
  EXPECT_TRUE(threw(ex, "sidl.rmi.CancelledException"));
}

TEST_P(Pending, ADeadlineThatPassesEndsACall) {
  const Ticket ticket = add(1);
  rt::loop_expire(0);
  sidl_rmi_Ticket_getResponse(ticket.get(), &ex);
  EXPECT_TRUE(threw(ex, "sidl.rmi.TimeOutException"));
  rt_Async_add_recv(runner_.get(), ticket.get(), &ex);
  EXPECT_TRUE(threw(ex, "sidl.rmi.TimeOutException"));
}

TEST_P(Pending, OnewayCallsDoNotWait) {
  const int32_t before = rt_Async_noted(runner_.get(), &ex);
  rt_Async_note(runner_.get(), 5, &ex);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(rt_Async_noted(runner_.get(), &ex), before);
  rt::loop_answer(0);
  EXPECT_EQ(rt_Async_noted(runner_.get(), &ex), before + 5);
}

TEST_P(Pending, BooksGiveTicketsInTheOrderOfTheirAnswers) {
  const Book book(reinterpret_cast<sidl_rmi_TicketBook__object*>(
      sidl_cast_borrowed(sidl_rmi_TicketBookI__create(&ex), &sidl_rmi_TicketBook__info)));
  for (int32_t i = 0; i < 3; ++i) {
    sidl_rmi_TicketBook_insertWithID(book.get(), add(i).get(), i, &ex);
  }
  EXPECT_FALSE(sidl_rmi_TicketBook_test(book.get(), &ex));
  std::vector<int32_t> order;
  for (const int index : {2, 0, 0}) {
    std::thread server([index] { rt::loop_answer(index); });
    sidl_rmi_Ticket__object* ticket = nullptr;
    const int32_t id = sidl_rmi_TicketBook_removeReady(book.get(), &ticket, &ex);
    const Ticket owner(ticket);
    EXPECT_EQ(rt_Async_add_recv(runner_.get(), ticket, &ex), id + 1);
    EXPECT_TRUE(ok(ex));
    order.push_back(id);
    server.join();
  }
  EXPECT_EQ(order, (std::vector<int32_t>{2, 0, 1}));
}

TEST_P(Pending, BooksHoldTicketsOfAnyOrigin) {
  const Book book(sidl_rmi_Ticket_createEmptyTicketBook(add(0).get(), &ex));
  const Book inner(sidl_rmi_TicketBook_createEmptyTicketBook(book.get(), &ex));
  sidl_rmi_TicketBook_insertWithID(inner.get(), add(1).get(), 7, &ex);
  sidl_rmi_TicketBook_insertWithID(book.get(),
                                   reinterpret_cast<sidl_rmi_Ticket__object*>(inner.get()), 1, &ex);
  EXPECT_FALSE(sidl_rmi_TicketBook_test(book.get(), &ex));
  const auto local = reach<rt_Async__object>(object_.get(), &rt_Async__info, false, ex);
  const Ticket here(rt_Async_add_send(local.get(), 2, &ex));
  sidl_rmi_TicketBook_insertWithID(book.get(), here.get(), 2, &ex);
  sidl_rmi_Ticket__object* ticket = nullptr;
  EXPECT_EQ(sidl_rmi_TicketBook_removeReady(book.get(), &ticket, &ex), 2);
  rt::drop(ticket);
  std::thread server([] { rt::loop_answer(1); });
  EXPECT_EQ(sidl_rmi_TicketBook_removeReady(book.get(), &ticket, &ex), 1);
  server.join();
  rt::drop(ticket);
  EXPECT_EQ(sidl_rmi_TicketBook_removeReady(inner.get(), &ticket, &ex), 7);
  rt::drop(ticket);
  rt::loop_answer(0);
}

/* removeReady never returned. */
TEST_P(Pending, BooksDoNotHoldThemselves) {
  const Book first(sidl_rmi_Ticket_createEmptyTicketBook(add(0).get(), &ex));
  const Book second(sidl_rmi_TicketBook_createEmptyTicketBook(first.get(), &ex));
  const Book third(sidl_rmi_TicketBook_createEmptyTicketBook(first.get(), &ex));
  const auto insert = [this](const Book& into, const Book& book) {
    sidl_rmi_TicketBook_insert(into.get(), reinterpret_cast<sidl_rmi_Ticket__object*>(book.get()),
                               &ex);
  };
  insert(first, first);
  EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException"));
  EXPECT_TRUE(sidl_rmi_TicketBook_isEmpty(first.get(), &ex));
  insert(first, second);
  insert(first, second);
  insert(second, third);
  insert(first, third);
  EXPECT_TRUE(ok(ex));
  for (const Book* const each : {&first, &second, &third}) {
    insert(third, *each);
    EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException"));
  }
  for (int i = 0; i < 3; ++i) {  // an empty book is over
    sidl_rmi_Ticket__object* ticket = nullptr;
    sidl_rmi_TicketBook_removeReady(first.get(), &ticket, &ex);
    rt::drop(ticket);
  }
  insert(third, first);
  EXPECT_TRUE(ok(ex));
  rt::loop_answer(0);
}

TEST_P(Pending, BooksCancelWhatTheyHold) {
  const Book book(sidl_rmi_Ticket_createEmptyTicketBook(add(0).get(), &ex));
  rt::loop_answer(0);
  const Ticket ticket = add(1);
  sidl_rmi_TicketBook_insert(book.get(), ticket.get(), &ex);
  std::thread waiter([&] {
    Exception failure = nullptr;
    EXPECT_EQ(sidl_rmi_TicketBook_getResponse(book.get(), &failure), nullptr);
    EXPECT_TRUE(threw(failure, "sidl.rmi.CancelledException"));
  });
  EXPECT_TRUE(sidl_rmi_TicketBook_cancel(book.get(), &ex));
  waiter.join();
  rt::loop_answer(0);
}

TEST_P(Pending, BooksMayGoWhileTheirCallsAreOnTheWay) {
  {
    const Book book(sidl_rmi_Ticket_createEmptyTicketBook(add(0).get(), &ex));
    sidl_rmi_TicketBook_insert(book.get(), add(1).get(), &ex);
    sidl_rmi_TicketBook_insert(book.get(), add(2).get(), &ex);
    std::thread server([] { rt::loop_answer(1); });
    sidl_rmi_TicketBook_block(book.get(), &ex);
    EXPECT_TRUE(ok(ex));
    server.join();
  }
  rt::loop_answer(0);
  rt::loop_answer(0);
}

// Many threads send, receive through one book, and answer; every answer is taken once.
TEST_P(Pending, FromManyThreads) {
  constexpr int kThreads = 4, kCalls = 50;
  const Book book(static_cast<sidl_rmi_TicketBook__object*>(
      sidl_cast_borrowed(sidl_rmi_TicketBookI__create(&ex), &sidl_rmi_TicketBook__info)));
  std::atomic<int> sum{0}, taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      Exception failure = nullptr;
      for (int i = 0; i < kCalls; ++i) {
        const Ticket ticket(rt_Async_add_send(runner_.get(), i, &failure));
        sidl_rmi_TicketBook_insert(book.get(), ticket.get(), &failure);
        EXPECT_TRUE(ok(failure));
      }
    });
    threads.emplace_back([&] {
      Exception failure = nullptr;
      while (taken < kThreads * kCalls) {
        sidl_rmi_Ticket__object* ticket = nullptr;
        sidl_rmi_TicketBook_removeReady(book.get(), &ticket, &failure);
        const Ticket owner(ticket);
        if (ticket == nullptr) {
          std::this_thread::yield();
          continue;
        }
        sum += rt_Async_add_recv(runner_.get(), ticket, &failure);
        EXPECT_TRUE(ok(failure));
        ++taken;
      }
    });
  }
  for (int answered = 0; answered < kThreads * kCalls;) {
    if (rt::loop_held() == 0) {
      std::this_thread::yield();
      continue;
    }
    rt::loop_answer(rt::loop_held() - 1);
    ++answered;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, kThreads * (kCalls * (kCalls - 1) / 2 + kCalls));
}

INSTANTIATE_TEST_SUITE_P(, Pending,
                         ::testing::Values(Where{"Observable", true, true},
                                           Where{"NotObservable", true, false}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace

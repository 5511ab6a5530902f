// Nonblocking methods: what the two halves give is what the whole method gives.
#include <complex>
#include <vector>

#include "sidl_rmi_Deadline.hxx"
#include "sidl_rmi_TicketBookI.hxx"
#include "support.hpp"
#include "ty_Calls.hxx"
#include "ty_Generics.hxx"
#include "ty_Item.hxx"
#include "ty_Objects.hxx"
#include "ty_Orders.hxx"
#include "ty_Raws.hxx"
#include "ty_Structs.hxx"
#include "ty_Value.hxx"

namespace {

using sidl::rmi::Ticket;

class Halves : public ty_test::Both {};

sidl::array<int32_t> numbers(bool by_row) {
  auto array =
      by_row ? sidl::array<int32_t>::create2dRow(2, 3) : sidl::array<int32_t>::create2dCol(2, 3);
  for (int32_t i = 0; i < 2; ++i) {
    for (int32_t j = 0; j < 3; ++j) array(i, j) = 10 * i + j;
  }
  return array;
}

TEST_P(Halves, ArraysOfADeclaredOrder) {
  const ty::Orders orders = object<ty::Orders>();
  for (const bool by_row : {false, true}) {
    const auto a = numbers(by_row);
    sidl::array<int32_t> o, io = numbers(by_row);
    const Ticket ticket = orders.rows_send(a, io);
    EXPECT_EQ(io(1, 2), 12);
    ASSERT_TRUE(orders.rows_recv(ticket, o, io));
    EXPECT_TRUE(o.isRowOrder());
    EXPECT_TRUE(io.isRowOrder());
    EXPECT_EQ(o(1, 2), 12);
    EXPECT_EQ(io(1, 2), 24);
    EXPECT_EQ(ty_test::references(o), 1);
    EXPECT_EQ(ty_test::references(io), 1);
  }
}

TEST_P(Halves, Enums) {
  const ty::Orders orders = object<ty::Orders>();
  auto a = sidl::array<ty::Color>::create2dRow(2, 2);
  for (int32_t i = 0; i < 2; ++i) {
    for (int32_t j = 0; j < 2; ++j) a(i, j) = i == j ? ty::Color_blue : ty::Color_green;
  }
  sidl::array<ty::Color> o;
  ty::Color c = ty::Color_red;
  const Ticket ticket = orders.colors_send(a, c);
  EXPECT_EQ(c, ty::Color_red);
  const sidl::array<ty::Color> result = orders.colors_recv(ticket, o, c);
  EXPECT_EQ(c, ty::Color_green);
  EXPECT_EQ(result.get(0, 1), ty::Color_green);
  EXPECT_EQ(o.get(1, 1), ty::Color_blue);
  EXPECT_TRUE(o.isColumnOrder());
}

TEST_P(Halves, GenericArrays) {
  const ty::Generics generics = object<ty::Generics>();
  sidl::basearray o, io;
  const Ticket kind = generics.anyKind_send(sidl::array<double>::create2dRow(2, 2), io);
  EXPECT_EQ(generics.anyKind_recv(kind, o, io), 204);
  EXPECT_EQ(o.dimen(), 2);
  EXPECT_EQ(sidl::array<int64_t>(io).length(), 3);
  const Ticket same = generics.same_send(sidl::array<std::string>::create1d(4));
  EXPECT_EQ(sidl::array<std::string>(generics.same_recv(same)).length(), 4);
}

TEST_P(Halves, Objects) {
  ONLY_IN_PROCESS();
  {
    const ty::Objects objects = object<ty::Objects>();
    const int32_t lower[] = {0, 0, 0}, upper[] = {0, 0, 1};
    auto a = sidl::array<ty::Item>::createRow(3, lower, upper);
    a(0, 0, 1) = ty::Item::_create();
    sidl::array<ty::Numbered> io = sidl::array<ty::Numbered>::create1d(1);
    sidl::array<ty::Item> o;
    const Ticket ticket = objects.through_send(a, io, a.get(0, 0, 1));
    EXPECT_EQ(io.length(), 1);
    const sidl::array<ty::Item> result = objects.through_recv(ticket, o, io);
    EXPECT_TRUE(result.get(0, 0, 1).isSame(a.get(0, 0, 1)));
    EXPECT_EQ(io.length(), 2);
    objects.through_send(a, io, a.get(0, 0, 1));  // nobody takes it
  }
  EXPECT_EQ(ty::Item::alive(), 0);
}

TEST_P(Halves, CopiesOfObjects) {
  const ty::Calls calls = object<ty::Calls>();
  const ty::Value v = ty::Value::_create();
  ty::Value io = ty::Value::_create();
  v.set(4);
  const Ticket ticket = calls.twice_send(v, io);
  EXPECT_EQ(calls.twice_recv(ticket, io).get(), 8);
  EXPECT_EQ(io.get(), 1);
}

TEST_P(Halves, Strings) {
  const ty::Calls calls = object<ty::Calls>();
  std::string o = "before", io = "kept";
  const Ticket ticket = calls.text_send("text", io);
  EXPECT_EQ(calls.text_recv(ticket, o, io), "text");
  EXPECT_EQ(o, "text");
  EXPECT_EQ(io, "kept");
}

TEST_P(Halves, Structs) {
  double edges[] = {1, 2}, others[] = {10, 20};
  int32_t cells[8] = {}, other_cells[8] = {};
  ty::Mesh a, other;
  a.n = other.n = 2;
  a.edges = edges;
  a.cells = cells;
  other.edges = others;
  other.cells = other_cells;
  ty::Pair io;
  io.set_second(other);
  const ty::Structs structs = object<ty::Structs>();
  const Ticket ticket = structs.mesh_send(a, io);
  EXPECT_EQ(others[1], 20);
  EXPECT_EQ(other_cells[7], 0);
  EXPECT_EQ(structs.mesh_recv(ticket, io), 3);
  EXPECT_EQ(others[1], 23);
  EXPECT_EQ(other_cells[7], -1);
  EXPECT_EQ(io.second.edges, others);
}

TEST_P(Halves, RawArraysAreMemory) {
  const ty::Raws raws = object<ty::Raws>();
  const double x[] = {1, 2, 3}, y[] = {10, 100, 1000};
  EXPECT_EQ(raws.dot_recv(raws.dot_send(x, y, 3)), 3210);
  const int32_t sent[] = {1, 2, 3, 4, 5, 6};
  const Ticket fill = raws.fill_send(sent, 2, 3);
  EXPECT_THROW(raws.fill_recv(fill, static_cast<int32_t*>(nullptr)), sidl::RuntimeException);
  std::vector<int32_t> received(6);
  raws.fill_recv(fill, received.data());
  EXPECT_EQ(received, (std::vector<int32_t>{10, 21, 29, 40, 48, 59}));
  const std::complex<double> z[] = {1.0, {0, 1}, {2, 2}, 3.0, 4.0, 5.0};
  std::complex<double> scaled[6];
  raws.scale_recv(raws.scale_send(z, 2, 1, {0, 2}), scaled);
  EXPECT_EQ(scaled[5], std::complex<double>(0, 10));
  EXPECT_THROW(raws.dot_send(x, y, -1), sidl::RuntimeException);
  EXPECT_THROW(raws.dot_send(x, nullptr, 1), sidl::RuntimeException);
}

TEST_P(Halves, RawArraysAreArrays) {
  const ty::Raws raws = object<ty::Raws>();
  sidl::array<int32_t> a = numbers(true);
  const Ticket fill = raws.fill_send(a);
  EXPECT_EQ(a(1, 2), 12);
  raws.fill_recv(fill, a);
  EXPECT_EQ(a(1, 2), 119);
  EXPECT_EQ(ty_test::references(a), 1);
  // what went as an array may come back to memory
  int32_t memory[6] = {};
  raws.fill_recv(raws.fill_send(numbers(false)), memory);
  EXPECT_EQ(memory[5], 119);
}

TEST_P(Halves, OverloadsWhoseAnswersLookAlike) {
  const ty::Raws raws = object<ty::Raws>();
  const sidl::fcomplex memory[] = {1.0F};
  const Ticket array = raws.kind_send(sidl::array<sidl::fcomplex>::create1d(1));
  const Ticket raw = raws.kind_send(memory, 1);
  EXPECT_EQ(raws.kindRaw_recv(raw), "raw");
  EXPECT_THROW(raws.kindRaw_recv(array), sidl::RuntimeException) << "it is the other one's";
  EXPECT_EQ(raws.kind_recv(array), "array");
}

TEST_P(Halves, Exceptions) {
  const ty::Raws raws = object<ty::Raws>();
  int32_t a[] = {7};
  std::string s = "before";
  const Ticket ticket = raws.failRaw_send(a, 1);
  EXPECT_THROW(raws.failRaw_recv(ticket, a, s), sidl::BaseException);
  EXPECT_EQ(a[0], 7);
  EXPECT_EQ(s, "");
  EXPECT_THROW(raws.failRaw_recv(ticket, a, s), sidl::RuntimeException) << "it was taken";
}

TEST_P(Halves, ManyAtOnce) {
  const ty::Raws raws = object<ty::Raws>();
  const double x[] = {1, 2, 3, 4};
  sidl::rmi::TicketBook book = sidl::rmi::TicketBookI::_create();
  for (int32_t n = 0; n <= 4; ++n) book.insertWithID(raws.dot_send(x, x, n), n);
  const double expected[] = {0, 1, 5, 14, 30};
  std::vector<bool> seen(5);
  while (!book.isEmpty()) {
    Ticket ticket;
    const int32_t n = book.removeReady(ticket);
    EXPECT_EQ(raws.dot_recv(ticket), expected[n]);
    seen[n] = true;
  }
  EXPECT_EQ(seen, std::vector<bool>(5, true));
}

TEST_P(Halves, Deadlines) {
  const ty::Raws raws = object<ty::Raws>();
  const double x[] = {1, 2};
  sidl::rmi::Deadline::setForObject(raws, 3600 * 1000);
  EXPECT_EQ(sidl::rmi::Deadline::getForObject(raws), ty_test::server() ? 3600 * 1000 : -1);
  EXPECT_EQ(raws.dot(x, x, 2), 5);
  EXPECT_EQ(raws.dot_recv(raws.dot_send(x, x, 2)), 5);
}

TEST_P(Halves, FromC) {
  from_c(from_c_halves);
}

TEST(HalvesOf, StaticMethods) {
  const int32_t sent[] = {3, 4};
  int32_t received[2] = {};
  const Ticket ticket = ty::Item::last_send(sent, 2);
  EXPECT_TRUE(ticket.test());
  EXPECT_FALSE(ticket.cancel());
  EXPECT_EQ(ty::Item::last_recv(ticket, received), 4);
  EXPECT_EQ(received[0], 3);
  EXPECT_THROW(ty::Item::last_recv(Ticket(), received), sidl::RuntimeException);
}

IN_BOTH_LANGUAGES(Halves);

}  // namespace

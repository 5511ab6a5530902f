/**
 * Arrays of structs from C++ and C: calls of both implementations, in this process or in that of a
 * server (REC_SERVER).
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "rec.hxx"
#include "sidl_raw_array.h"

extern "C" {
const char* elements_in_c(struct rec_Store__object* store);
const char* owners_in_c(struct rec_Store__object* store);
}

namespace {

using rec::Particle;
using rec::Plain;
using rec::Record;
using Particles = sidl::array<Particle>;
using Records = sidl::array<Record>;

const char* server() {
  return std::getenv("REC_SERVER");
}

/** A new object of the class, on the server or, without one, here. */
rec::Store make(const char* class_name, const char* where = server()) {
  sidl::exception_slot ex;
  const sidl_type_info* const type = sidl_type_find(class_name);
  void* const object =
      where != nullptr ? sidl_create_remote(type, where, ex.ptr()) : sidl_create(type, ex.ptr());
  ex.check<>();
  const sidl::BaseInterface made(static_cast<sidl_BaseInterface__object*>(object));
  return sidl::babel_cast<rec::Store>(made);
}

struct InC {
  static constexpr const char* name = "rec.InC";
};
struct InCxx {
  static constexpr const char* name = "rec.InCxx";
};

Particle particle(std::int64_t i) {
  Particle result;
  result.x = 0.5 * static_cast<double>(i);
  result.y = -1;
  result.z = 1e300;
  result.id = i;
  result.charge = -7;
  result.set_alive(i % 2 == 1);
  result.tag = static_cast<char>('a' + i);
  return result;
}

bool same(const Particle& a, const Particle& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.id == b.id && a.charge == b.charge &&
         a.get_alive() == b.get_alive() && a.tag == b.tag;
}

Particles particles(std::int64_t count) {
  auto all = Particles::create1d(count);
  for (std::int64_t i = 0; i < count; ++i) all[i] = particle(i);
  return all;
}

Plain plain(int i) {
  Plain result;
  result.c = static_cast<char>('A' + i);
  result.set_z({1.5 * i, -2.5});
  result.set_at(particle(i));
  result.set_w({0.5F, static_cast<float>(i)});
  result.set_color(rec::Color_green);
  result.f = 0.25F;
  for (int k = 0; k < 3; ++k) result.v[k] = i - k;
  for (int k = 0; k < 6; ++k) result.m[k] = 0.5F * static_cast<float>(i + k);
  return result;
}

bool same(const Plain& a, const Plain& b) {
  return a.c == b.c && a.get_z() == b.get_z() && same(a.get_at(), b.get_at()) &&
         a.get_w() == b.get_w() && a.get_color() == b.get_color() && a.f == b.f &&
         std::ranges::equal(a.v, b.v) && std::ranges::equal(a.m, b.m);
}

/** Each owns other things, and some nothing. */
Record record(int i) {
  Record result;
  result.n = i;
  result.set_name("name " + std::to_string(i));
  result.a = i;
  result.set_z({0.5, 1.0 * i});
  result.set_color(rec::Color_green);
  result.set_at(particle(i));
  if (i % 2 == 1) {
    result.set_values(sidl::array<double>::create1d(i));
    for (int k = 0; k < i; ++k) result.get_values()[k] = k;
    result.set_parts(particles(i));
    rec::Item item = rec::Item::_create();
    item.rename("item " + std::to_string(i));
    result.set_companion(item);
  }
  auto memory = sidl::array<double>::create1d(i);
  for (int k = 0; k < i; ++k) memory[k] = 10.0 * k;
  result.raw = memory.first();
  result._raw = reinterpret_cast<sidl_double__array*>(memory._give());
  result.ids[0] = i;
  result.ids[1] = -i;
  return result;
}

bool same(const Record& a, const Record& b) {
  const bool plain = a.n == b.n && a.get_name() == b.get_name() && a.a == b.a &&
                     a.get_z() == b.get_z() && a.get_color() == b.get_color() &&
                     same(a.get_at(), b.get_at()) && std::ranges::equal(a.ids, b.ids);
  if (!plain || a.get_values().length() != b.get_values().length()) return false;
  if (a.get_values()._is_nil() != b.get_values()._is_nil()) return false;
  if (a.get_companion()._is_nil() != b.get_companion()._is_nil()) return false;
  if (a.get_companion()._not_nil() && a.get_companion().name() != b.get_companion().name()) {
    return false;
  }
  const Particles p = a.get_parts(), q = b.get_parts();
  if (p.length() != q.length()) return false;
  for (int i = 0; i < p.length(); ++i) {
    if (!same(p[i], q[i]) || a.get_values()[i] != b.get_values()[i]) return false;
  }
  for (int i = 0; i < a.n; ++i) {
    if (a.raw[i] != b.raw[i]) return false;
  }
  return true;
}

Records records(int count, int from = 0) {
  auto all = Records::create1d(count);
  for (int i = 0; i < count; ++i) all[i] = record(from + i);
  return all;
}

template <class T>
bool same(const sidl::array<T>& a, const sidl::array<T>& b) {
  if (a._is_nil() || b._is_nil()) return a._is_nil() == b._is_nil();
  if (a.dimen() != b.dimen() || a.size() != b.size()) return false;
  for (int d = 0; d < a.dimen(); ++d) {
    if (a.lower64(d) != b.lower64(d) || a.upper64(d) != b.upper64(d)) return false;
  }
  std::vector<std::int64_t> index;
  for (int d = 0; d < a.dimen(); ++d) index.push_back(a.lower64(d));
  for (std::size_t n = a.size(); n > 0; --n) {
    if (!same(a.get(index.data()), b.get(index.data()))) return false;
    for (int d = 0; d < a.dimen() && ++index[d] > a.upper64(d); ++d) index[d] = a.lower64(d);
  }
  return true;
}

/** Every other element of an array that has twice as many. */
template <class T>
sidl::array<T> spread(const sidl::array<T>& dense) {
  const std::int64_t count = dense.length64(0), step = 2;
  auto wide = sidl::array<T>::create1d(2 * count);
  const sidl::array<T> result = wide.slice(1, &count, nullptr, &step);
  for (std::int64_t i = 0; i < count; ++i) result[i] = dense[i];
  return result;
}

template <class Class>
class Arrays : public testing::Test {
 protected:
  const rec::Store store = make(Class::name);
};
#ifdef REC_IN_FORTRAN
struct InFortran {
  static constexpr const char* name = "rec.InFortran";
};
using Classes = testing::Types<InC, InCxx, InFortran>;
#else
using Classes = testing::Types<InC, InCxx>;
#endif
TYPED_TEST_SUITE(Arrays, Classes);

TYPED_TEST(Arrays, FromC) {
  EXPECT_STREQ(elements_in_c(this->store._get_ior()), nullptr);
  EXPECT_STREQ(owners_in_c(this->store._get_ior()), nullptr);
}

TYPED_TEST(Arrays, PlainOnesInEveryMode) {
  const Particles a = particles(5);
  Particles out, both = particles(3);
  const Particles result = this->store.rotate(a, out, both);
  EXPECT_TRUE(same(result, particles(3)));
  EXPECT_TRUE(same(out, a));
  ASSERT_EQ(both.length(), 2);
  EXPECT_EQ(both[1].id, 77);
}

TYPED_TEST(Arrays, StructsInStructs) {
  auto a = sidl::array<Plain>::create1d(4);
  for (int i = 0; i < 4; ++i) a[i] = plain(i);
  sidl::array<Plain> out, both = spread(a);
  const sidl::array<Plain> result = this->store.rotatePlain(a, out, both);
  EXPECT_TRUE(same(result, a));
  EXPECT_TRUE(same(out, a));
  EXPECT_EQ(both.length(), 2);
}

rec::Page page(int first) {
  rec::Page result;
  for (int i = 0; i < 4096; ++i) {
    result.x[i] = first + i;
    result.n[i] = first - i;
  }
  return result;
}

bool same(const rec::Page& a, const rec::Page& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TYPED_TEST(Arrays, StructsAsLargeAsAMethodMayHave) {
  rec::Page out, both = page(7);
  EXPECT_TRUE(same(this->store.rotatePages(page(1), out, both), page(7)));
  EXPECT_TRUE(same(out, page(1)));
  EXPECT_TRUE(same(both, rec::Page()));
}

TYPED_TEST(Arrays, OwnersInEveryMode) {
  const Records a = records(5);
  Records out, both = records(3, 2);
  const Records result = this->store.rotateRecords(a, out, both);
  EXPECT_TRUE(same(result, records(3, 2)));
  EXPECT_TRUE(same(out, a));
  EXPECT_EQ(both.length(), 2);
  EXPECT_EQ(both[1].get_name(), "");
}

TYPED_TEST(Arrays, OfArrays) {
  auto a = sidl::array<rec::Bag>::create1d(3);
  auto texts = sidl::array<std::string>::create1d(1);
  texts[0] = "text";
  a[1].set_texts(texts);
  sidl::array<rec::Bag> out, both;
  EXPECT_TRUE(this->store.rotateBags(a, out, both)._is_nil());
  ASSERT_EQ(out.length(), 3);
  EXPECT_TRUE(out[0].get_texts()._is_nil());
  EXPECT_EQ(static_cast<std::string>(out[1].get_texts()[0]), "text");
}

TYPED_TEST(Arrays, OfTheStructItself) {
  auto leaves = sidl::array<rec::Tree>::create1d(2);
  leaves[1].set_name("leaf");
  auto a = sidl::array<rec::Tree>::create1d(1);
  a[0].set_name("branch");
  a[0].set_branches(leaves);
  rec::Tree root, io, out;
  root.set_branches(a);
  io.set_branches(a);
  const sidl::array<rec::Tree> result = this->store.forest(a, root, out, io);
  ASSERT_EQ(result.length(), 1);
  EXPECT_EQ(result[0].get_branches()[1].get_name(), "leaf");
  EXPECT_EQ(out.get_branches()[0].get_branches()[1].get_name(), "leaf");
  EXPECT_EQ(io.get_name(), "branch");
  EXPECT_EQ(io.get_branches()[1].get_name(), "leaf");
}

/** Texts are read by units of memory where they begin at one, and else by bytes. */
TYPED_TEST(Arrays, TextsOfEveryLengthAtEveryPlace) {
  constexpr std::size_t unit = 32, room = 10 * unit;
  constexpr int shifts = 18, lengths = 46;
  std::vector<char> memory(unit + room * shifts * lengths, '#');
  char* const first = memory.data() + unit - reinterpret_cast<std::uintptr_t>(memory.data()) % unit;
  std::vector<rec_Tree__data> mine(std::size_t{shifts} * lengths);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const std::size_t n = i % lengths;
    const std::size_t length = n < 36 ? n : 250 + n - 36;  // short, and about as long as may be
    char* const text = first + room * i + i / lengths;
    std::memset(text, static_cast<char>('a' + n % 26), length);
    text[length] = '\0';
    if (i % 7 != 6) mine[i].name = text;
  }
  using Trees = sidl::array<rec::Tree>;
  const std::int64_t lower = 0, upper = static_cast<std::int64_t>(mine.size()) - 1, step = 1;
  const Trees a =
      Trees::borrowed(reinterpret_cast<rec::Tree*>(mine.data()), 1, &lower, &upper, &step);
  rec::Tree out, io;
  io.set_branches(Trees::create1d(1));
  const Trees back = this->store.forest(a, rec::Tree(), out, io);
  ASSERT_EQ(back.length64(), a.length64());
  for (std::int64_t i = lower; i <= upper; ++i) EXPECT_EQ(back[i].get_name(), a[i].get_name());
}

TYPED_TEST(Arrays, OfEachOther) {
  auto rooms = sidl::array<rec::Room>::create1d(1);
  rooms[0].set_name("behind");
  auto opens = sidl::array<rec::Room>::create2dRow(1, 2);
  opens.set(0, 1, rooms[0]);
  auto doors = sidl::array<rec::Door>::create1d(2);
  doors[0].set_rooms(rooms);
  doors[1].number = 7;
  doors[1].get_key().set_opens(opens);
  rec::Room io;
  io.set_doors(doors);
  rec::Door out;
  const sidl::array<rec::Door> result = this->store.house(doors, doors[1], out, io);
  ASSERT_EQ(result.length(), 2);
  EXPECT_EQ(result[0].get_rooms()[0].get_name(), "behind");
  EXPECT_EQ(result[1].get_key().get_opens().get(0, 1).get_name(), "behind");
  EXPECT_EQ(out.number, 7);
  EXPECT_EQ(out.get_key().get_opens().get(0, 1).get_name(), "behind");
  EXPECT_EQ(io.get_name(), "behind");
  EXPECT_TRUE(sidl::basearray(this->store.same(doors))._not_nil());
}

TYPED_TEST(Arrays, NullAndEmpty) {
  Particles out, both;
  EXPECT_TRUE(this->store.rotate(Particles(), out, both)._is_nil());
  EXPECT_TRUE(out._is_nil());
  both = particles(0);
  const Particles result = this->store.rotate(particles(0), out, both);
  EXPECT_TRUE(same(result, particles(0)));
  EXPECT_TRUE(same(out, particles(0)));
  Records back = records(0), copies;
  EXPECT_TRUE(same(this->store.rotateRecords(records(0), copies, back), records(0)));
  EXPECT_TRUE(same(copies, records(0)));
}

TYPED_TEST(Arrays, Slices) {
  const Particles a = spread(particles(6));
  Particles out, both = spread(particles(4));
  EXPECT_TRUE(same(this->store.rotate(a, out, both), particles(4)));
  EXPECT_TRUE(same(out, particles(6)));
  Records copies, back = spread(records(3));
  EXPECT_TRUE(same(this->store.rotateRecords(spread(records(4)), copies, back), records(3)));
  EXPECT_TRUE(same(copies, records(4)));
}

TYPED_TEST(Arrays, RanksOrdersAndBounds) {
  const std::int64_t lower[] = {-1, 5'000'000'000, 0, 1, 0, 0, 3};
  std::int64_t upper[] = {0, 5'000'000'001, 1, 1, 2, 0, 4};
  for (const bool row : {false, true}) {
    auto a = row ? Particles::createRow(7, lower, upper) : Particles::createCol(7, lower, upper);
    std::int64_t i = 0;
    for (Particle& each : a) each = particle(i++);
    EXPECT_TRUE(same(this->store.ranks(a), a));
    const std::int64_t count[] = {2, 1, 2, 1, 2, 1, 2}, step[] = {1, 1, 1, 1, 2, 1, 1};
    const Particles part = a.slice(7, count, nullptr, step);
    EXPECT_TRUE(same(this->store.ranks(part), part));
    auto table = row ? Records::createRow(2, lower, upper) : Records::createCol(2, lower, upper);
    int n = 0;
    for (Record& each : table) each = record(n++);
    EXPECT_TRUE(same(this->store.tables(table), table));
    auto matrix =
        row ? Particles::createRow(2, lower, upper) : Particles::createCol(2, lower, upper);
    for (Particle& each : matrix) each = particle(i++);
    const Particles rows = this->store.rows(matrix), columns = this->store.columns(matrix);
    EXPECT_TRUE(same(rows, matrix) && rows.isRowOrder());
    EXPECT_TRUE(same(columns, matrix) && columns.isColumnOrder());
  }
}

TYPED_TEST(Arrays, InPlace) {
  Particles a = particles(4);
  const Particle* const first = a.first();
  this->store.shift(a);
  EXPECT_EQ(a[3].x, 2.5);
  EXPECT_EQ(this->store.sum(a), 2.5 + 2 + 1.5 + 1 + 4);
  if (server() != nullptr) return;
  EXPECT_EQ(a.first(), first);
  EXPECT_EQ(this->store.address(a), reinterpret_cast<std::intptr_t>(first)) << "no copy";
}

/** In C any number that is not zero is true; what comes from another process is 0 or 1. */
TYPED_TEST(Arrays, OfBoolsOfC) {
  if (server() == nullptr) return;
  Particles a = particles(3), out, both;
  static_cast<struct rec_Particle__data&>(a[1]).alive = 0x700;
  this->store.rotate(a, out, both);
  EXPECT_EQ(static_cast<struct rec_Particle__data&>(out[1]).alive, 1);
}

TYPED_TEST(Arrays, OfAnyType) {
  EXPECT_TRUE(same(Particles(this->store.same(particles(3))), particles(3)));
  EXPECT_TRUE(same(Particles(this->store.same(spread(particles(3)))), particles(3)));
  EXPECT_EQ(Particles(this->store.same(particles(0))).length64(), 0);
  EXPECT_TRUE(Particles(this->store.same(Particles()))._is_nil());
  const sidl::basearray same_one = this->store.same(records(2));
  EXPECT_EQ(same_one.arrayType(), sidl_struct_array);
  EXPECT_TRUE(Particles(same_one)._is_nil());
  EXPECT_TRUE(same(Records(same_one), records(2)));
}

TYPED_TEST(Arrays, Later) {
  const Particles a = spread(particles(3));
  Records both = records(2);
  auto ticket = this->store.later_send(a, both);
  const Particles result = this->store.later_recv(ticket, both);
  EXPECT_TRUE(same(result, particles(3)));
  EXPECT_EQ(both[0].get_name(), "later");
  this->store.tell(a);
  EXPECT_EQ(this->store.told(), 1.5 + 3);
}

/** Through another one, which calls back. */
TYPED_TEST(Arrays, Relayed) {
  const rec::Store other = make("rec.InCxx", nullptr);
  const Records a = records(4);
  EXPECT_TRUE(same(this->store.relay(other, a), a));
}

/** Texts that arrive lie in a block of their array: what is moved out of it takes copies. */
TYPED_TEST(Arrays, MovedOut) {
  std::string longer(300, 'x');
  Records a = records(6);
  a[4].set_name(longer);
  Records out, both, gone = this->store.rotateRecords(a, out, both);
  Record kept = std::move(out[2]);
  Record assigned;
  assigned = std::move(out[4]);
  Records mine = records(2);
  std::swap(mine[0], out[1]);
  std::vector<Record> others(std::make_move_iterator(out.begin() + 3),
                             std::make_move_iterator(out.begin() + 4));
  EXPECT_TRUE(same(out[1], record(0)));
  EXPECT_EQ(out[2].get_name(), "");
  out.deleteRef();
  a.deleteRef();
  Record expected = record(4);
  expected.set_name(longer);
  EXPECT_TRUE(same(kept, record(2)));
  EXPECT_TRUE(same(assigned, expected));
  EXPECT_TRUE(same(mine[0], record(1)));
  EXPECT_TRUE(same(others[0], record(3)));
}

/** In an object that travels by value. */
TYPED_TEST(Arrays, InCopies) {
  rec::Crate crate = rec::Crate::_create();
  crate.put(spread(particles(3)), records(3));
  const rec::Crate back = this->store.unchanged(crate);
  EXPECT_TRUE(same(back.particles(), particles(3)));
  EXPECT_TRUE(same(back.records(), records(3)));
  crate.put(particles(0), Records());
  EXPECT_TRUE(same(this->store.unchanged(crate).particles(), particles(0)));
  EXPECT_TRUE(this->store.unchanged(crate).records()._is_nil());
}

TEST(Elements, AreReferences) {
  Particles a = particles(3);
  EXPECT_EQ(&a[0], a.first());
  EXPECT_EQ(&a(2) - &a(0), 2);
  EXPECT_EQ(a.span().size(), 3u);
  a.span()[1].id = 11;
  EXPECT_EQ(a.get(1).id, 11);
  a.set(1, particle(1));
  EXPECT_TRUE(same(a[1], particle(1)));
  EXPECT_THROW(a.get(3), std::out_of_range);
  Record* const kept = records(2).first();
  EXPECT_NE(kept, nullptr);
}

TEST(Elements, CopiesOwnWhatTheyHave) {
  Records a = records(4);
  const std::int64_t count = 2, start = 1;
  Records part = a.slice(1, &count, &start);
  a[1].set_name("shared");
  EXPECT_EQ(part[1].get_name(), "shared");
  Records copy = part;
  copy.smartCopy();
  EXPECT_EQ(copy.first(), part.first()) << "counted already";
  auto other = Records::create1d(4);
  other.copy(a);
  a[1].set_name("changed");
  EXPECT_EQ(other[1].get_name(), "shared");
  EXPECT_TRUE(same(other[3], a[3]));
  Records columns = spread(other);
  columns.ensure(1, sidl::column_major_order);
  EXPECT_TRUE(same(columns, other));
}

/** Borrowed ones are copied by who keeps them, with all that they own. */
TEST(Elements, BorrowedAndLent) {
  std::vector<Record> mine{record(0), record(1), record(2)};
  const std::int64_t lower = 0, upper = 2, step = 1;
  Records borrowed = Records::borrowed(mine.data(), 1, &lower, &upper, &step);
  Records kept = borrowed;
  kept.smartCopy();
  mine[1].set_name("mine");
  EXPECT_EQ(borrowed[1].get_name(), "mine");
  EXPECT_EQ(kept[1].get_name(), "name 1");
  sidl__array* const loan =
      sidl_struct_loan_begin(Record::_struct_info(), mine.data(), 1, &lower, &upper, &step);
  sidl__array_addRef(loan);
  const Records lent{reinterpret_cast<sidl_struct__array*>(loan)};
  EXPECT_TRUE(sidl_loan_end(loan));
  mine.clear();
  EXPECT_EQ(lent[1].get_name(), "mine");
  EXPECT_TRUE(same(lent[2], record(2)));
}

}  // namespace

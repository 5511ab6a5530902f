/**
 * What clauses mean, how often they are checked, and what a violation says and leaves.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "contracts_fixture.hpp"
#include "sidl_BaseException.h"
#include "sidl_EnfPolicy.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "sidl_contract.h"
#include "sums_Base.h"
#include "sums_Heir.h"
#include "sums_Named.h"
#include "sums_Sums.h"

namespace {

using contracts::Contracts;
using contracts::note_of;
using contracts::zeros;

TEST_F(Contracts, Integers) {
  const auto integers = [&](std::int32_t i, std::int64_t k) {
    return holds([&] { sums_Sums_integers(sums, i, k, &ex); });
  };
  EXPECT_TRUE(integers(1, 2));
  EXPECT_FALSE(integers(1, -6));
  EXPECT_EQ(
      said,
      "precondition of sums.Sums.integers does not hold: i + k * 2 > -10 and i % 7 <= 6 and k "
      "/ i != 99 and i ** 2 >= 0, where i is 1 and k is -6 (sums.sidl:36)");
  EXPECT_EQ(type, "sidl.PreViolation");
  EXPECT_FALSE(integers(1, std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(ends_with_reason(said, "an integer overflows"));
  EXPECT_FALSE(integers(0, 1));
  EXPECT_TRUE(ends_with_reason(said, "an integer is divided by zero"));
  EXPECT_FALSE(integers(-1, std::numeric_limits<std::int64_t>::min()));
}

TEST_F(Contracts, Bits) {
  for (const std::int32_t i : {2, 8, 9, 0, 10}) {
    EXPECT_TRUE(holds([&] { sums_Sums_bits(sums, i, -1, &ex); })) << i << said;
  }
  EXPECT_FALSE(holds([&] { sums_Sums_bits(sums, 5, -1, &ex); }));
  EXPECT_TRUE(holds([&] { sums_Sums_bits(sums, 5, 5, &ex); }));
}

TEST_F(Contracts, Reals) {
  const auto reals = [&](float f, double d) {
    return holds([&] { sums_Sums_reals(sums, f, d, &ex); });
  };
  EXPECT_TRUE(reals(1, 2));
  EXPECT_FALSE(reals(5, 2));
  EXPECT_FALSE(reals(1, -2));
  EXPECT_FALSE(reals(1, std::nan("")));
  EXPECT_TRUE(ends_with_reason(said, "a number is NaN")) << said;
  EXPECT_FALSE(reals(0, 0));  // 0 / 0
}

TEST_F(Contracts, ComplexNumbers) {
  const auto complexes = [&](sidl_fcomplex a, sidl_dcomplex b) {
    return holds([&] { sums_Sums_complexes(sums, a, b, &ex); });
  };
  EXPECT_TRUE(complexes({1, 2}, {7, 7}));
  EXPECT_TRUE(complexes({2, 3}, {4, 6}));
  EXPECT_TRUE(complexes({2, 3}, {2, 3}));
  EXPECT_FALSE(complexes({2, 3}, {2, 4}));
}

TEST_F(Contracts, WordsOfLogic) {
  const auto words = [&](bool a, bool b, char c) {
    return holds([&] { sums_Sums_words(sums, a, b, c, &ex); });
  };
  EXPECT_TRUE(words(false, false, 'a'));
  EXPECT_TRUE(words(false, true, 'x'));
  EXPECT_FALSE(words(true, false, 'a'));  // implies
  EXPECT_FALSE(words(true, true, 'x'));   // xor, or not
  EXPECT_FALSE(words(false, true, 'a'));  // iff
}

TEST_F(Contracts, NullAndObjects) {
  sums_Base base = sums_Base__create(&ex);
  sums_Named named = sums_Named__cast(base, &ex);
  const auto things = [&](const char* s, sums_Named n, std::int64_t color) {
    return holds([&] {
      sidl_string__array* const some = sidl_string__array_create1d(1);
      sums_Sums_things(sums, s, n, some, nullptr, static_cast<sums_Color__enum>(color), &ex);
      sidl_string__array_deleteRef(some);
    });
  };
  EXPECT_TRUE(things("s", named, 5));
  EXPECT_TRUE(things("s", nullptr, 5));
  EXPECT_FALSE(things(nullptr, named, 5));
  EXPECT_FALSE(things("s", named, 6));
  EXPECT_NE(said.find("where s is \"s\" and n is not null and a is an array of 1 and color is 6"),
            std::string::npos)
      << said;
  EXPECT_TRUE(holds(
      [&] { sums_Sums_things(sums, nullptr, nullptr, nullptr, nullptr, sums_Color_red, &ex); }));
  sums_Named_deleteRef(named, &ex);
  sums_Base_deleteRef(base, &ex);
}

/** Arrays of every kind of number; a section that is neither dense nor ascending in memory. */
struct Arrays {
  sidl_int__array* a = sidl_int__array_create1d(3);
  sidl_long__array* b = sidl_long__array_create1d(3);
  sidl_float__array* c = sidl_float__array_create1d(3);
  sidl_double__array* d = sidl_double__array_create2dRow(2, 3);
  sidl_dcomplex__array* e = sidl_dcomplex__array_create1d(3);
  Arrays() {
    for (std::int32_t i = 0; i < 3; ++i) {
      sidl_int__array_set1(a, i, i + 1);
      sidl_long__array_set1(b, i, i);
      sidl_float__array_set1(c, i, static_cast<float>(i + 1));
      sidl_dcomplex__array_set1(e, i, {static_cast<double>(i) + 1, 0});
      for (std::int32_t k = 0; k < 2; ++k) sidl_double__array_set2(d, k, i, 2 * i + k);
    }
  }
  ~Arrays() {
    sidl_int__array_deleteRef(a);
    sidl_long__array_deleteRef(b);
    sidl_float__array_deleteRef(c);
    sidl_double__array_deleteRef(d);
    sidl_dcomplex__array_deleteRef(e);
  }
};

TEST_F(Contracts, RelationsOfElements) {
  Arrays x;
  const auto relations = [&] {
    return holds([&] { sums_Sums_relations(sums, x.a, x.b, x.c, x.d, x.e, &ex); });
  };
  EXPECT_TRUE(relations()) << said;
  sidl_double__array_set2(x.d, 1, 1, -1);
  EXPECT_FALSE(relations());
  sidl_double__array_set2(x.d, 1, 1, std::nan(""));  // fulfils nothing
  EXPECT_FALSE(relations());
  sidl_double__array_set2(x.d, 1, 1, 1);
  sidl_dcomplex__array_set1(x.e, 2, {5, 0});
  EXPECT_FALSE(relations());
  sidl_dcomplex__array_set1(x.e, 2, {5, 1});
  EXPECT_TRUE(relations()) << said;
  sidl_long__array_deleteRef(x.b);
  x.b = sidl_long__array_create1d(2);
  std::fill_n(sidl_long__array_first(x.b), 2, 0);
  EXPECT_FALSE(relations());
  EXPECT_TRUE(ends_with_reason(said, "arrays of different shapes are compared")) << said;
}

TEST_F(Contracts, Functions) {
  Arrays x;
  const auto functions = [&](sidl__array* g = nullptr) {
    return holds([&] { sums_Sums_functions(sums, x.a, x.d, x.e, g, &ex); });
  };
  EXPECT_TRUE(functions()) << said;
  EXPECT_TRUE(functions(reinterpret_cast<sidl__array*>(x.a))) << said;
  EXPECT_FALSE(functions(reinterpret_cast<sidl__array*>(x.d)));
  sidl_int__array_set1(x.a, 1, 0);
  EXPECT_FALSE(functions());
  sidl_int__array_deleteRef(x.a);
  x.a = sidl_int__array_create1d(0);
  EXPECT_FALSE(functions());
  EXPECT_TRUE(ends_with_reason(said, "an array without elements has no extreme")) << said;
  sidl_int__array_deleteRef(x.a);
  x.a = nullptr;
  EXPECT_FALSE(functions());
}

/** Negated or not: with NaN there is no answer, unless an element is it. */
TEST_F(Contracts, NumbersThatAreNaN) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const auto apart = [&](double x, float f, sidl_dcomplex z) {
    return holds([&] { sums_Sums_apart(sums, x, f, z, &ex); });
  };
  EXPECT_TRUE(apart(5, 5, {5, 0})) << said;
  EXPECT_FALSE(apart(1, 5, {5, 0}));
  EXPECT_EQ(said.find("NaN"), std::string::npos);
  EXPECT_TRUE(apart(infinity, 5, {5, infinity})) << said;
  EXPECT_FALSE(apart(nan, 5, {5, 0}));
  EXPECT_TRUE(ends_with_reason(said, "a number is NaN")) << said;
  EXPECT_FALSE(apart(5, std::nanf(""), {5, 0}));
  EXPECT_TRUE(ends_with_reason(said, "a number is NaN")) << said;
  EXPECT_FALSE(apart(5, 5, {infinity, nan}));
  EXPECT_TRUE(ends_with_reason(said, "a number is NaN")) << said;
  EXPECT_FALSE(apart(-infinity, std::numeric_limits<float>::infinity(), {5, 0}));
  EXPECT_TRUE(ends_with_reason(said, "the difference of infinite numbers is NaN")) << said;
  sidl_double__array* const v = zeros(2);
  for (sidl_double__array* const array : {static_cast<sidl_double__array*>(nullptr), v}) {
    EXPECT_TRUE(holds([&] { sums_Sums_below(sums, array, 1, &ex); })) << said;
    EXPECT_FALSE(holds([&] { sums_Sums_below(sums, array, nan, &ex); }));
    EXPECT_TRUE(ends_with_reason(said, "a number is NaN")) << said;
  }
  sidl_double__array_set1(v, 1, nan);
  EXPECT_TRUE(holds([&] { sums_Sums_below(sums, v, 1, &ex); })) << said;
  sidl_double__array_deleteRef(v);
}

TEST_F(Contracts, CharsAreBytes) {
  const auto letter = [&](char c, const char* s) {
    return holds([&] { sums_Sums_letters(sums, c, s, &ex); });
  };
  EXPECT_TRUE(letter('z', nullptr)) << said;
  EXPECT_TRUE(letter('\xe9', nullptr)) << said;
  EXPECT_FALSE(letter('a', nullptr));
  EXPECT_NE(said.find("where c is 'a' and s is null"), std::string::npos) << said;
}

/** Whatever the values are, the note is UTF-8, and one line. */
TEST_F(Contracts, NotesAreReadable) {
  const auto values = [&](char c, const std::string& s) {
    EXPECT_FALSE(holds([&] { sums_Sums_letters(sums, c, s.c_str(), &ex); }));
    const std::size_t begin = said.find("where ") + 6;
    return said.substr(begin, said.rfind(" (") - begin);
  };
  EXPECT_EQ(values('\xe9', "caf\xe9"), "c is '\\xe9' and s is \"caf\\xe9\"");
  EXPECT_EQ(values('\0', "caf\xc3\xa9\n"), "c is '\\x00' and s is \"caf\xc3\xa9\\n\"");
  EXPECT_EQ(values('\'', ""), R"(c is '\'' and s is "")");
  EXPECT_EQ(values('\\', "'"), R"(c is '\\' and s is "'")");
  const std::string long_one(59, 'x');
  EXPECT_EQ(values('~', long_one + "y"), "c is '~' and s is \"" + long_one + "y\"");
  EXPECT_EQ(values('~', long_one + "\xc3\xa9"), "c is '~' and s is \"" + long_one + "\"...");
}

TEST_F(Contracts, SectionsOfArrays) {
  std::vector<double> memory(64, 7);
  for (const int at : {63, 60, 43, 40}) memory[static_cast<std::size_t>(at)] = 1;
  const std::int64_t lower[] = {0, 0}, upper[] = {1, 1}, stride[] = {-20, -3};
  sidl_double__array* const section =
      sidl_double__array_borrow64(&memory[63], 2, lower, upper, stride);
  EXPECT_TRUE(holds([&] { sums_Sums_strides(sums, section, &ex); })) << said;
  memory[43] = 2;
  EXPECT_FALSE(holds([&] { sums_Sums_strides(sums, section, &ex); }));
  sidl_double__array_deleteRef(section);
  // more than a block, with the one that is wrong at its end
  sidl_double__array* const large = sidl_double__array_create2dCol(1, 5000);
  std::fill_n(sidl_double__array_first(large), 5000, 1.0);
  sidl_double__array_first(large)[4999] = 2;
  EXPECT_FALSE(holds([&] { sums_Sums_strides(sums, large, &ex); }));
  sidl_double__array_deleteRef(large);
}

TEST_F(Contracts, MethodsThatClausesCallAreNotChecked) {
  EXPECT_TRUE(holds([&] { sums_Sums_calls(sums, 7, &ex); })) << said;  // isFine wants less
  EXPECT_TRUE(holds([&] { sums_Sums_calls(sums, 2, &ex); })) << said;  // it calls that again
  EXPECT_FALSE(holds([&] { sums_Sums_isFine(sums, 7, &ex); }));
  EXPECT_FALSE(holds([&] { sums_Sums_calls(sums, 1, &ex); }));
  EXPECT_TRUE(ends_with_reason(said, "a method that it calls throws sidl.SIDLException: no answer"))
      << said;
}

TEST_F(Contracts, WhatAViolatedMethodGaveBackIsReleased) {
  sums_Point__data p, q;
  sums_Point__init(&p);
  p.name = sidl_String_strdup("p");
  sums_Point__data result = sums_Sums_points(sums, &p, &q, FALSE, &ex);
  EXPECT_STREQ(q.name, "p");
  EXPECT_STREQ(result.name, "p");
  sums_Point__destroy(&q, &ex);
  sums_Point__destroy(&result, &ex);
  const sums_Point__data none = sums_Sums_points(sums, &p, &q, TRUE, &ex);
  EXPECT_EQ(note(),
            "postcondition 'right' of sums.Sums.points does not hold: not wrong, where wrong "
            "is true (sums.sidl:74)");
  EXPECT_EQ(type, "sidl.PostViolation");
  EXPECT_EQ(q.name, nullptr);
  EXPECT_EQ(none.name, nullptr);
  sums_Point__destroy(&p, &ex);
}

TEST_F(Contracts, HeirsHaveThoseOfTheirAncestors) {
  sums_Heir heir = sums_Heir__create(&ex);
  const auto lift = [&](std::int32_t by) { return holds([&] { sums_Heir_lift(heir, by, &ex); }); };
  EXPECT_TRUE(lift(3)) << said;
  EXPECT_FALSE(lift(2));
  EXPECT_NE(said.find("'odd' of sums.Heir.lift does not hold: odd(levels), where levels is 2"),
            std::string::npos)
      << said;
  EXPECT_FALSE(lift(-1));
  EXPECT_NE(said.find("by > 0, where by is -1"), std::string::npos) << said;
  EXPECT_NE(said.find("'up' of sums.Heir.lift"), std::string::npos);
  EXPECT_FALSE(lift(47));
  EXPECT_EQ(type, "sidl.InvViolation");
  EXPECT_EQ(said,
            "invariant 'low' of sums.Heir does not hold after lift: level() < 50 (sums.sidl:27)");
  // through an interface, and what the parent implements
  sums_Named named = sums_Named__cast(heir, &ex);
  EXPECT_FALSE(holds([&] { sums_Named_rename(named, "", &ex); }));
  EXPECT_EQ(said,
            "precondition 'named' of sums.Heir.rename does not hold: to != \"\", where to is \"\" "
            "(sums.sidl:10)");
  EXPECT_FALSE(holds([&] { sums_Named_rename(named, "x", &ex); }));
  EXPECT_EQ(type, "sidl.PostViolation");
  sums_Named_deleteRef(named, &ex);
  sums_Heir_deleteRef(heir, &ex);
}

TEST_F(Contracts, AreSwitchedForAllForOneAndForTheirClass) {
  sums_Base one = sums_Base__create(&ex);
  sums_Base other = sums_Base__create(&ex);
  const auto lifts = [&](sums_Base base) { return holds([&] { sums_Base_lift(base, 0, &ex); }); };
  EXPECT_FALSE(lifts(one));
  sums_Base__set_contracts(one, FALSE, "", FALSE, &ex);
  EXPECT_TRUE(lifts(one));
  EXPECT_FALSE(lifts(other));
  enforce(sidl_ContractClass_POSTCONDS);
  EXPECT_TRUE(lifts(other));
  enforce(sidl_ContractClass_SIMPLEEXPRS);
  EXPECT_FALSE(lifts(other));
  enforce(sidl_ContractClass_METHODCALLS);
  EXPECT_TRUE(lifts(other));
  sidl_EnfPolicy_setEnforceNone(FALSE, &ex);
  EXPECT_TRUE(lifts(other));
  sums_Base_deleteRef(one, &ex);
  sums_Base_deleteRef(other, &ex);
}

/** Of 1000 calls that violate a clause, those that were told so. */
std::vector<int> violations(sums_Sums sums) {
  std::vector<int> result;
  sidl_BaseInterface ex = nullptr;
  for (int i = 0; i < 1000; ++i) {
    sums_Sums_isFine(sums, 5, &ex);
    if (!note_of(ex).empty()) result.push_back(i);
  }
  return result;
}

TEST_F(Contracts, OnceInAnInterval) {
  sidl_contracts_configure("test", "pre,periodic,10", &ex);
  std::vector<int> found = violations(sums);
  ASSERT_EQ(found.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)], 10 * i);
  sidl_EnfPolicy_setEnforceNone(TRUE, &ex);
  sidl_contracts_configure("test", "pre,random,10", &ex);
  found = violations(sums);
  ASSERT_EQ(found.size(), 100u);
  std::set<int> places;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(found[static_cast<std::size_t>(i)] / 10, i);  // once in each window
    places.insert(found[static_cast<std::size_t>(i)] % 10);
  }
  EXPECT_EQ(places.size(), 10u);
}

/** What a method and its only clause took, and how often that was checked. */
struct Took {
  double method = 0, clause = 0, checks = 0;
};

Took took(const std::string& method) {
  const std::string file = testing::TempDir() + "contracts_times.out";
  std::remove(file.c_str());
  sidl_BaseInterface ex = nullptr;
  sidl_EnfPolicy_dumpStats(file.c_str(), "", "", TRUE, &ex);
  Took result;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.find("sums.Sums;" + method + ";") != 0) continue;
    const double time = std::stod(line.substr(line.rfind(';') + 1));
    if (line.find(method + ";;") != std::string::npos) {
      result.method = time;
    } else {
      result.clause = time;
      std::vector<std::string> columns(1);
      for (const char c : line)
        c == ';' ? (void)columns.emplace_back() : (void)(columns.back() += c);
      result.checks = std::stod(columns[4]);
    }
  }
  std::remove(file.c_str());
  return result;
}

void work(sums_Sums sums, sidl_double__array* d, std::int32_t additions, int calls) {
  sidl_BaseInterface ex = nullptr;
  for (int i = 0; i < calls; ++i) sums_Sums_work(sums, d, additions, &ex);
  EXPECT_EQ(ex, nullptr);
}

/** Cheap methods, dear clauses: what the thread spends with checks stays a part of the rest. */
TEST_F(Contracts, ChecksThatFitIn) {
  sidl_double__array* const d = zeros(100000);
  sidl_contracts_configure("test", "pre,adaptfit,0.25", &ex);
  statistics_are_clear();
  double share = 0;
  double checks = 0;
  for (int round = 0; round < 50; ++round) {  // others may have the processor while one checks
    work(sums, d, 1000, 2000);
    const Took times = took("work");
    share = times.clause / times.method;
    checks = times.checks;
    if (checks > 1 && share > 0.225 && share < 0.275) break;
  }
  EXPECT_GT(checks, 1);
  EXPECT_NEAR(share, 0.25, 0.025);
  sidl_double__array_deleteRef(d);
}

TEST_F(Contracts, ChecksThatFitTheirMethods) {
  sidl_double__array* const large = zeros(1000000);
  sidl_double__array* const small = zeros(1);
  work(sums, small, 10, 100000);  // checked, but not timed: says nothing of what a check takes
  const double untimed = took("work").checks;
  sidl_contracts_configure("test", "pre,adapttiming,0.5", &ex);
  work(sums, large, 10, 300);
  EXPECT_LT(took("work").checks - untimed, 30);  // a millisecond beside nothing
  statistics_are_clear();
  work(sums, small, 100000, 300);
  EXPECT_GT(took("work").checks, 270);
  sidl_double__array_deleteRef(large);
  sidl_double__array_deleteRef(small);
}

TEST_F(Contracts, ChecksThatAreDoneAllTheSameAtFirst) {
  sidl_double__array* const d = zeros(100000);
  // exp(t / T) / sqrt(T) >= 5 for the first 40 ms
  sidl_EnfPolicy_setPolicy(sidl_ContractClass_PRECONDS, sidl_EnforceFreq_SIMANNEAL, 1, 0.0, 0.0,
                           5.0, TRUE, &ex);
  ASSERT_EQ(note(), "");
  std::thread([&] {  // whose account is new
    work(sums, d, 1000, 200);
    const double checks = took("work").checks;
    EXPECT_GT(checks, 60);
    EXPECT_LT(checks, 140);
    while (took("work").method < 60e3) work(sums, d, 100000, 100);
    const double before = took("work").checks;
    work(sums, d, 1000, 200);
    EXPECT_EQ(took("work").checks, before);
  })
      .join();
  sidl_double__array_deleteRef(d);
}

/** A float as what it is compared as, so that nobody reads that 4.9 is not less than 4.9. */
TEST_F(Contracts, NotesTellValuesApart) {
  const auto shown = [&](float f) {
    EXPECT_FALSE(holds([&] { sums_Sums_reals(sums, f, 2.5, &ex); }));
    const std::size_t begin = said.find("where ") + 6;
    return said.substr(begin, said.rfind(" (") - begin);
  };
  EXPECT_EQ(shown(5.1f), "f is 5.099999904632568 and d is 2.5");
  EXPECT_EQ(shown(7.25f), "f is 7.25 and d is 2.5");
}

TEST_F(Contracts, PoliciesInWords) {
  for (const char* text :
       {"", "al", "allx", "all,", "all,often", "pre,periodic,0", "pre,random,x", "pre,periodic,1,2",
        "all,adaptfit,-1", "post,adaptfit,nan", "all,always,3", "all,periodic", "pre,adaptfit",
        "pre,periodic,2.5", "none,always"}) {
    sidl_contracts_configure("SIDL_CONTRACTS", text, &ex);
    EXPECT_EQ(note().find("SIDL_CONTRACTS: \"" + std::string(text) + "\""), 0u) << text;
    EXPECT_EQ(sidl_EnfPolicy_getContractClass(&ex), sidl_ContractClass_ALLCLASSES);
  }
  sidl_contracts_configure("test", "bogus", &ex);
  EXPECT_NE(note().find(": all, pre, post, inv, prepost, invpre, invpost, calls, results, simple, "
                        "constant, linear, quadratic, cubic, quartic, quintic, sextic, septic or "
                        "none, and"),
            std::string::npos);
  sidl_contracts_configure("test", "septic", &ex);
  EXPECT_EQ(ex, nullptr);
  EXPECT_EQ(sidl_EnfPolicy_getContractClass(&ex), sidl_ContractClass_SEPTIC);
  sidl_contracts_configure("test", "all,always", &ex);
  EXPECT_EQ(ex, nullptr);
  sidl_contracts_configure("test", "inv,adaptfit,0.25", &ex);
  EXPECT_EQ(ex, nullptr);
  EXPECT_EQ(sidl_EnfPolicy_getEnforceFreq(&ex), sidl_EnforceFreq_ADAPTFIT);
  EXPECT_EQ(sidl_EnfPolicy_getOverheadLimit(&ex), 0.25);
  sidl_contracts_configure("test", "none", &ex);
  EXPECT_FALSE(sidl_EnfPolicy_areEnforcing(&ex));
}

TEST_F(Contracts, Statistics) {
  const std::string file = testing::TempDir() + "contracts_statistics.out";
  std::remove(file.c_str());
  for (const std::int32_t i : {1, 5, 7, 0}) {
    sums_Sums_isFine(sums, i, &ex);
    note();
  }
  sums_Sums__dump_stats(sums, file.c_str(), "here", &ex);
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[3], "# here: sums.Sums");
  EXPECT_EQ(lines[4], "sums.Sums;isFine;;4;0;0;0");
  EXPECT_EQ(lines[5], "sums.Sums;isFine;small;0;4;2;0");
  std::remove(file.c_str());
}

TEST_F(Contracts, StatisticsOfOneClassBeginAgain) {
  sums_Base base = sums_Base__create(&ex);
  sums_Base_lift(base, 1, &ex);
  const auto lines = [](const std::string& type) {
    const std::string file = testing::TempDir() + "contracts_reset.out";
    std::remove(file.c_str());
    sidl_BaseInterface failed = nullptr;
    sidl_EnfPolicy_dumpStats(file.c_str(), "", "", TRUE, &failed);
    std::ifstream in(file);
    int count = 0;
    for (std::string line; std::getline(in, line);) count += line.find(type + ";") == 0;
    std::remove(file.c_str());
    return count;
  };
  for (const bool of_class : {false, true}) {
    holds([&] { sums_Sums_isFine(sums, 1, &ex); });
    EXPECT_GT(lines("sums.Sums"), 0);
    if (of_class) {
      sidl_set_contracts_static(&sums_Sums__info, TRUE, "", TRUE, &ex);
    } else {
      sums_Sums__set_contracts(sums, TRUE, "", FALSE, &ex);
      EXPECT_GT(lines("sums.Sums"), 0);
      sums_Sums__set_contracts(sums, TRUE, "", TRUE, &ex);
    }
    EXPECT_EQ(lines("sums.Sums"), 0);
    EXPECT_GT(lines("sums.Base"), 0);
  }
  sums_Base_deleteRef(base, &ex);
}

/** Clauses are chosen by what they walk: none of d's elements, or those of two dimensions. */
TEST_F(Contracts, AreChosenByTheirCost) {
  sidl_double__array* const d = zeros(4);
  sidl_double__array* const ones = sidl_double__array_create2dRow(2, 2);
  std::fill_n(sidl_double__array_first(ones), 4, 2.0);
  sidl_double__array_set1(d, 1, -1.0);
  const auto violates_linear = [&] { return !holds([&] { sums_Sums_work(sums, d, 0, &ex); }); };
  const auto violates_quadratic = [&] {
    return !holds([&] { sums_Sums_strides(sums, ones, &ex); });
  };
  const auto violates_constant = [&] { return !holds([&] { sums_Sums_isFine(sums, 7, &ex); }); };
  const auto violates_call = [&] { return !holds([&] { sums_Sums_calls(sums, 1, &ex); }); };
  const struct {
    enum sidl_ContractClass__enum contracts;
    bool constant, linear, quadratic, call;
  } cases[] = {{sidl_ContractClass_CONSTANT, true, false, false, false},
               {sidl_ContractClass_LINEAR, false, true, false, false},
               {sidl_ContractClass_QUADRATIC, false, false, true, false},
               {sidl_ContractClass_CUBIC, false, false, false, false},
               {sidl_ContractClass_SEPTIC, false, false, false, false},
               {sidl_ContractClass_METHODCALLS, false, false, false, true},
               {sidl_ContractClass_ALLCLASSES, true, true, true, true}};
  for (const auto& each : cases) {
    enforce(each.contracts);
    EXPECT_EQ(violates_constant(), each.constant) << each.contracts;
    EXPECT_EQ(violates_linear(), each.linear) << each.contracts;
    EXPECT_EQ(violates_quadratic(), each.quadratic) << each.contracts;
    EXPECT_EQ(violates_call(), each.call) << each.contracts;
  }
  char* const name = sidl_EnfPolicy_getPolicyName(FALSE, &ex);
  EXPECT_STREQ(name, "ALLCLASSES, ALWAYS");
  sidl_String_free(name);
  sidl_double__array_deleteRef(d);
  sidl_double__array_deleteRef(ones);
}

/** The way that most calls take, and the other one: neither counts what the other has counted. */
TEST_F(Contracts, QuickChecksCountAsOthersDo) {
  const auto counts = [&](const std::string& prefix) {
    const std::string file = testing::TempDir() + "contracts_quick.out";
    std::remove(file.c_str());
    sidl_EnfPolicy_dumpStats(file.c_str(), "", "", TRUE, &ex);
    std::ifstream in(file);
    std::string result;
    for (std::string line; std::getline(in, line);) {
      if (line.find(prefix) == 0) result += line.substr(prefix.size()) + " ";
    }
    std::remove(file.c_str());
    return result;
  };
  sums_Sums_integers(sums, 1, 1, &ex);
  sums_Sums_integers(sums, 3, 0, &ex);
  EXPECT_EQ(note(), "");
  sums_Sums_integers(sums, 0, 1, &ex);  // divides by zero
  EXPECT_TRUE(ends_with_reason(note(), "an integer is divided by zero"));
  const std::string all = counts("sums.Sums;integers;");
  EXPECT_EQ(all.find(";3;0;0;0 "), 0u) << all;
  EXPECT_NE(all.find(";0;3;1;0 "), std::string::npos) << all;
  enforce(sidl_ContractClass_POSTCONDS);
  sums_Sums_integers(sums, 0, 1, &ex);
  EXPECT_EQ(note(), "");
  EXPECT_EQ(counts("sums.Sums;integers;"), ";1;0;0;0 ");
}

}  // namespace

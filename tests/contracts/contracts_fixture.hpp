/**
 * What tests of contracts have in common: an object of sums.Sums, whose clauses are all enforced.
 */
#ifndef TESTS_CONTRACTS_FIXTURE_HPP
#define TESTS_CONTRACTS_FIXTURE_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "sidl_BaseException.h"
#include "sidl_EnfPolicy.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "sums_Sums.h"

namespace contracts {

/** The note of an exception, which it clears; "" if there is none. */
inline std::string note_of(sidl_BaseInterface& ex, std::string* type = nullptr) {
  if (ex == nullptr) return "";
  sidl_BaseInterface failed = nullptr;
  sidl_BaseException base = sidl_BaseException__cast(ex, &failed);
  char* const note = sidl_BaseException_getNote(base, &failed);
  sidl_ClassInfo info = sidl_BaseException_getClassInfo(base, &failed);
  char* const name = sidl_ClassInfo_getName(info, &failed);
  const std::string result = note;
  if (type != nullptr) *type = name;
  sidl_String_free(note);
  sidl_String_free(name);
  sidl_ClassInfo_deleteRef(info, &failed);
  sidl_BaseException_deleteRef(base, &failed);
  SIDL_CLEAR(ex);
  return result;
}

class Contracts : public testing::Test {
 protected:
  Contracts() { enforce(sidl_ContractClass_ALLCLASSES); }
  ~Contracts() override {
    sidl_EnfPolicy_setEnforceNone(TRUE, &ex);
    sums_Sums_deleteRef(sums, &ex);
  }
  void enforce(enum sidl_ContractClass__enum contracts) {
    sidl_EnfPolicy_setEnforceAll(contracts, TRUE, &ex);
    ASSERT_EQ(ex, nullptr);
  }
  void statistics_are_clear() {
    sidl_EnfPolicy_setPolicy(sidl_EnfPolicy_getContractClass(&ex),
                             sidl_EnfPolicy_getEnforceFreq(&ex),
                             sidl_EnfPolicy_getSamplingInterval(&ex),
                             sidl_EnfPolicy_getOverheadLimit(&ex), 0.0, 0.0, TRUE, &ex);
  }
  std::string note() { return note_of(ex, &type); }
  /** What follows the clause in the note of `call`. */
  template <typename Call>
  bool holds(Call call) {
    call();
    said = note();
    return said.empty();
  }
  static bool ends_with_reason(const std::string& text, const std::string& reason) {
    return text.find("; " + reason + " (sums.sidl:") != std::string::npos;
  }

  sidl_BaseInterface ex = nullptr;
  sums_Sums sums = sums_Sums__create(&ex);
  std::string type;
  std::string said;
};

inline sidl_double__array* zeros(std::int64_t count) {
  sidl_double__array* const result = sidl_double__array_create1d(count);
  std::fill_n(sidl_double__array_first(result), count, 0.0);
  return result;
}

}  // namespace contracts
#endif

#include "sidl_ior.h"

const char* sidl_kind_name(int32_t kind) {
  static const char* const names[] = {
#define SIDL_KIND(name, number) [number] = #name,
#include "sidl_kinds.def"
  };
  const int32_t count = (int32_t)(sizeof names / sizeof names[0]);
  return kind < 0 || kind >= count ? "unknown" : names[kind];
}

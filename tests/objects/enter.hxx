// enter.hxx: log.h for the classes implemented in C++.
#pragma once

#include "log.h"
#include "ob_Oops.hxx"

namespace ob {

// Notes that a hook runs; throws if it is the one that is to fail.
inline void enter(const char* hook) {
  if (!ob_enter(hook)) return;
  Oops oops = Oops::_create();
  oops.setNote(hook);
  throw oops;
}

// Notes what an object says while a hook runs.
inline void note(const std::string& text) {
  ob_note(sidl::to_c(text));
}

}  // namespace ob

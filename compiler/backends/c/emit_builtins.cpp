// The built-in functions of <Type>.h that are the same for every type, and an Impl's data.
#include <algorithm>

#include "backends/c/emit.hpp"

namespace shinar::backends::c {

using codegen::Printer;

// Not in the Impl's own header: one written by Babel only declares them.
void emit_private_data(Printer& printer, const ObjectModel& model) {
  if (!model.is_class) return;
  printer.emit({{"symbol", model.symbol}}, R"(
    struct $symbol$__data;

    /** For an implementation in C: the object's private data, or NULL if it has none. */
    SIDL_INLINE struct $symbol$__data*
    $symbol$__get_data($symbol$ self)
    {
      return (struct $symbol$__data*)self->d_data;
    }

    /** For an implementation in C: gives the object its private data; frees nothing. */
    SIDL_INLINE void
    $symbol$__set_data($symbol$ self, struct $symbol$__data* data)
    {
      self->d_data = data;
    }

  )");
}

void emit_builtins(Printer& printer, const ObjectModel& model) {
  const bool has_statics = std::any_of(model.stubs.begin(), model.stubs.end(),
                                       [](const MethodModel& m) { return m.is_static; });
  printer.emit(
      {{"symbol", model.symbol}, {"statics", has_statics ? "#define SIDL_BUILTIN_STATICS" : ""}},
      R"(
    /* $symbol$__getURL, __isRemote, __isLocal, __exec and the like */
    #define SIDL_BUILTIN_F(function) $symbol$__##function
    #define SIDL_BUILTIN_SELF struct $symbol$__object*
    #define SIDL_BUILTIN_INFO $symbol$__info
    $statics$
    #include "sidl_builtin_functions.h"

  )");
}

}  // namespace shinar::backends::c

// The built-in functions of <Type>.h that switch hooks and contracts, count references as code
// written for Babel does, and lead to an Impl's data.
#include <algorithm>

#include "backends/c/emit.hpp"

namespace shinar::backends::c {
namespace {

using codegen::Printer;

void emit_instance(Printer& printer, const std::string& symbol) {
  printer.emit({{"symbol", symbol}}, R"(
    /** Switches the object's hooks on or off. */
    static inline void
    $symbol$__set_hooks($symbol$ self, sidl_bool enable, sidl_BaseInterface* _ex)
    {
      sidl_set_hooks(self, enable, _ex);
    }

    /** Switches the object's contracts on or off; see sidl_set_contracts. */
    static inline void
    $symbol$__set_contracts($symbol$ self, sidl_bool enable, const char* enfFilename, sidl_bool resetCounters, sidl_BaseInterface* _ex)
    {
      sidl_set_contracts(self, enable, enfFilename, resetCounters, _ex);
    }

    /** Adds what was counted while contracts were checked to a file; see sidl_dump_stats. */
    static inline void
    $symbol$__dump_stats($symbol$ self, const char* filename, const char* prefix, sidl_BaseInterface* _ex)
    {
      sidl_dump_stats(self, filename, prefix, _ex);
    }

  )");
}

void emit_static(Printer& printer, const std::string& symbol) {
  printer.emit({{"symbol", symbol}}, R"(
    /** Switches the hooks of the static methods on or off. */
    static inline void
    $symbol$__set_hooks_static(sidl_bool enable, sidl_BaseInterface* _ex)
    {
      sidl_set_hooks_static(&$symbol$__info, enable, _ex);
    }

    /** Switches the contracts of the static methods on or off; see sidl_set_contracts. */
    static inline void
    $symbol$__set_contracts_static(sidl_bool enable, const char* enfFilename, sidl_bool resetCounters, sidl_BaseInterface* _ex)
    {
      sidl_set_contracts_static(&$symbol$__info, enable, enfFilename, resetCounters, _ex);
    }

    /** Adds what was counted for the static methods to a file; see sidl_dump_stats. */
    static inline void
    $symbol$__dump_stats_static(const char* filename, const char* prefix, sidl_BaseInterface* _ex)
    {
      sidl_dump_stats_static(&$symbol$__info, filename, prefix, _ex);
    }

  )");
}

}  // namespace

// Not in the Impl's own header, which may be one that Babel wrote: that declares them merely.
void emit_private_data(Printer& printer, const ObjectModel& model) {
  if (!model.is_class) return;
  printer.emit({{"symbol", model.symbol}}, R"(
    struct $symbol$__data;

    /** For an implementation in C: the object's private data, or NULL if it has none. */
    static inline struct $symbol$__data*
    $symbol$__get_data($symbol$ self)
    {
      return (struct $symbol$__data*)self->d_data;
    }

    /** For an implementation in C: gives the object its private data; frees nothing. */
    static inline void
    $symbol$__set_data($symbol$ self, struct $symbol$__data* data)
    {
      self->d_data = data;
    }

  )");
}

void emit_references(Printer& printer, const ObjectModel& model) {
  printer.emit({{"symbol", model.symbol}, {"self", model.is_class ? "self" : "self->d_object"}}, R"(
    /** As $symbol$__connect; without `ar` the object's URL brought a reference, which is taken over. */
    static inline $symbol$
    $symbol$__connectI(const char* url, sidl_bool ar, sidl_BaseInterface* _ex)
    {
      return ($symbol$)sidl_connect_counted(&$symbol$__info, url, ar, _ex);
    }

    /** Takes one more reference, wherever the object lives. */
    static inline void
    $symbol$__raddRef($symbol$ self, sidl_BaseInterface* _ex)
    {
      self->d_epv->f_addRef($self$, _ex);
    }

  )");
}

void emit_enforcement(Printer& printer, const ObjectModel& model) {
  emit_instance(printer, model.symbol);
  const bool has_statics = std::any_of(model.stubs.begin(), model.stubs.end(),
                                       [](const MethodModel& m) { return m.is_static; });
  if (has_statics) emit_static(printer, model.symbol);
}

}  // namespace shinar::backends::c

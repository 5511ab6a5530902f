// packing.cpp: default packing of exceptions implemented in Python: see shinar/_packing.py.
#include <cstring>

#include "core.hpp"
#include "sidl_io_Deserializer_IOR.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_io_Serializer_IOR.h"

namespace sidl_python {
namespace {

typedef void (*state_function)(void* self, void* stream, exception_slot ex);

// The slot of a method of sidl.io.Serializable in a class and its parents.
uint16_t slot_of(const struct sidl_type_info* info, const char* name) {
  uint16_t slot = 0;
  while (info->slots[slot]->type->id != sidl_io_Serializable__info.id ||
         std::strcmp(info->slots[slot]->name, name) != 0) {
    ++slot;
  }
  return slot;
}

state_function& function_at(const void* epv, uint16_t slot) {
  return static_cast<state_function*>(const_cast<void*>(epv))[slot];
}

// The parent's part first, then that of this class.
void move_state(implementation& in, void* self, void* stream, const struct sidl_type_info* seen_as,
                const char* method, const char* function, exception_slot ex) {
  function_at(in.description->parent->epv, slot_of(in.info, method))(self, stream, ex);
  if (*ex) return;
  run_in_python(method, ex, [&] {
    const py::handle own(python_of(in.info, self));
    if (!own) return;
    import_module("shinar._packing").attr(function)(own, wrap_borrowed(stream, seen_as));
  });
}

}  // namespace

bool has_facet(const struct sidl_type_info* info, const struct sidl_type_info& interface) {
  for (uint16_t i = 0; i < info->facet_count; ++i) {
    if (info->facets[i].type->id == interface.id) return true;
  }
  return false;
}

void pack_state(implementation& in, void* self, void* serializer, exception_slot ex) {
  move_state(in, self, serializer, &sidl_io_Serializer__info, "packObj", "pack", ex);
}

void unpack_state(implementation& in, void* self, void* deserializer, exception_slot ex) {
  move_state(in, self, deserializer, &sidl_io_Deserializer__info, "unpackObj", "unpack", ex);
}

void add_packing(const implementation& in) {
  if (!has_facet(in.info, sidl_BaseException__info)) return;
  state_function& pack = function_at(in.description->epv, slot_of(in.info, "packObj"));
  state_function& unpack = function_at(in.description->epv, slot_of(in.info, "unpackObj"));
  if (pack || unpack) return;  // the class declares at least one of them
  pack = in.pack;
  unpack = in.unpack;
}

}  // namespace sidl_python

#include "object/find_struct.h"

#include <string.h>

#include "base/seen.h"
#include "object/type_registry.h"

struct search {
  const char* name;
  const struct sidl_struct_info* found;
  struct seen seen;
};

static void look_at(struct search* search, const struct sidl_type_ref* ref) {
  const uint8_t kind = ref->kind == sidl_kind_array ? ref->element : ref->kind;
  const struct sidl_struct_info* const info = ref->structure;
  if (kind != sidl_kind_struct || search->found != NULL) return;
  if (seen_before(&search->seen, info, NULL)) return;
  if (strcmp(info->name, search->name) == 0) {
    search->found = info;
    return;
  }
  for (int32_t i = 0; i < info->member_count; ++i) look_at(search, &info->members[i].type);
}

static void look_at_method(struct search* search, const struct sidl_method_info* method) {
  look_at(search, &method->result);
  for (int32_t i = 0; i < method->arg_count; ++i) look_at(search, &method->args[i].type);
}

static void look_at_type(const struct sidl_type_info* type, void* data) {
  struct search* const search = data;
  for (uint16_t i = 0; i < type->slot_count && search->found == NULL; ++i) {
    look_at_method(search, type->slots[i]);
  }
  for (uint16_t i = 0; i < type->static_count && search->found == NULL; ++i) {
    look_at_method(search, &type->statics[i]);
  }
}

const struct sidl_struct_info* find_struct(const char* name) {
  struct search search = {name, NULL, {0}};
  type_registry_each(look_at_type, &search);
  seen_free(&search.seen);
  return search.found;
}

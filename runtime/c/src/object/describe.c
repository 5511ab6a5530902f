#include "object/describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/seen.h"
#include "object/type_refs.h"
#include "object/type_registry.h"
#include "sidlArray.h"
#include "sidl_String.h"

/* The enums and structs found so far, each once. */
struct met {
  const void** enums; /* const struct sidl_enum_info* */
  size_t enum_count;
  const void** structs; /* const struct sidl_struct_info* */
  size_t struct_count;
  struct seen begun; /* structs of the list, and those whose members are looked at */
  bool failed;       /* out of memory */
};

static void met_free(struct met* met) {
  free(met->enums);
  free(met->structs);
  seen_free(&met->begun);
}

/* Ensures space for one more pointer in a list of `count`, which grows at each power of two. */
static bool reserve(const void*** list, size_t count) {
  if ((count & (count - 1)) != 0) return true;
  const void** const more = realloc(*list, (count == 0 ? 1 : 2 * count) * sizeof *more);
  if (more == NULL) return false;
  *list = more;
  return true;
}

static void meet_struct(struct met* met, const struct sidl_struct_info* info);

static const struct sidl_enum_info* enum_at(const struct met* met, size_t i) {
  return met->enums[i];
}

static const struct sidl_struct_info* struct_at(const struct met* met, size_t i) {
  return met->structs[i];
}

static void meet_enum(struct met* met, const struct sidl_enum_info* info) {
  for (size_t i = 0; i < met->enum_count; ++i) {
    if (strcmp(enum_at(met, i)->name, info->name) == 0) return;
  }
  if (reserve(&met->enums, met->enum_count)) {
    met->enums[met->enum_count++] = info;
  } else {
    met->failed = true;
  }
}

static const struct sidl_enum_info* enum_of(const struct sidl_type_ref* ref) {
  const bool element = is_array_kind(ref->kind);
  if ((element ? ref->element : ref->kind) != sidl_kind_enum) return NULL;
  return (ref->flags & sidl_ref_raw) != 0 ? NULL : ref->enumeration;
}

static void meet(struct met* met, const struct sidl_type_ref* ref) {
  const struct sidl_enum_info* const enumeration = enum_of(ref);
  if (enumeration != NULL) meet_enum(met, enumeration);
  const uint8_t kind = ref->kind == sidl_kind_array ? ref->element : ref->kind;
  if (kind == sidl_kind_struct) meet_struct(met, ref->structure);
}

static bool is_listed(const struct met* met, const char* name) {
  for (size_t i = 0; i < met->struct_count; ++i) {
    if (strcmp(struct_at(met, i)->name, name) == 0) return true;
  }
  return false;
}

/* A struct follows those that it contains; what arrays are of may come later. */
static void meet_struct(struct met* met, const struct sidl_struct_info* info) {
  if (is_listed(met, info->name) || seen_before(&met->begun, info, NULL)) return;
  for (int32_t i = 0; i < info->member_count; ++i) meet(met, &info->members[i].type);
  if (is_listed(met, info->name)) return; /* another library's, which one of them contains */
  if (reserve(&met->structs, met->struct_count)) {
    met->structs[met->struct_count++] = info;
  } else {
    met->failed = true;
  }
}

static void meet_method(struct met* met, const struct sidl_method_info* method) {
  meet(met, &method->result);
  for (int32_t i = 0; i < method->arg_count; ++i) meet(met, &method->args[i].type);
}

static void meet_methods(struct met* met, const struct sidl_type_info* type) {
  for (uint16_t i = 0; i < type->slot_count; ++i) meet_method(met, type->slots[i]);
  for (uint16_t i = 0; i < type->static_count; ++i) meet_method(met, &type->statics[i]);
}

/* ---- types as they are used
 * ----------------------------------------------------------------------
 */

/* A struct's raw array is an array, as an argument that is one. */
static const char* kind_name(uint8_t kind) {
  return sidl_kind_name(is_array_kind(kind) ? sidl_kind_array : kind);
}

/* {"kind": …} of a value, and the name of its type if it has one. */
static void write_named(struct json* json, const struct sidl_type_ref* ref, uint8_t kind) {
  const struct sidl_enum_info* const enumeration = enum_of(ref);
  json_open(json, "{");
  json_member(json, "kind", kind_name(kind));
  if (enumeration != NULL) json_member(json, "name", enumeration->name);
  if (kind == sidl_kind_struct) json_member(json, "name", ref->structure->name);
  if (kind == sidl_kind_interface || kind == sidl_kind_class) {
    json_member(json, "name", ref->object->name);
  }
  if ((ref->flags & sidl_ref_copy) != 0) json_flag(json, "copy", true);
  json_close(json, "}");
}

static void write_array(struct json* json, const struct sidl_type_ref* ref) {
  json_open(json, "{");
  json_member(json, "kind", "array");
  if (ref->element != sidl_kind_void) {
    json_key(json, "element");
    write_named(json, ref, ref->element);
    /* streams declare one dimension, and accept any number */
    json_number(json, "dimension", ref->dimension == 0 ? 1 : ref->dimension);
  }
  if (ref->order == sidl_column_major_order) json_member(json, "order", "column-major");
  if (ref->order == sidl_row_major_order) json_member(json, "order", "row-major");
  if ((ref->flags & sidl_ref_raw) != 0) json_flag(json, "raw", true);
  if (ref->kind == sidl_kind_inline) {
    json_key(json, "lengths");
    json_open(json, "[");
    for (int d = 0; d < ref->dimension; ++d) json_integer(json, ref->lengths[d]);
    json_close(json, "]");
  }
  json_close(json, "}");
}

static void write_type(struct json* json, const char* key, const struct sidl_type_ref* ref) {
  json_key(json, key);
  if (is_array_kind(ref->kind)) {
    write_array(json, ref);
  } else {
    write_named(json, ref, ref->kind);
  }
}

/* ---- types as they are declared -----------------------------------------------------------------
 */

static void write_enums(struct json* json, const struct met* met) {
  json_key(json, "enums");
  json_open(json, "{");
  for (size_t i = 0; i < met->enum_count; ++i) {
    const struct sidl_enum_info* const info = enum_at(met, i);
    json_key(json, info->name);
    json_open(json, "[");
    for (int32_t e = 0; e < info->enumerator_count; ++e) {
      json_open(json, "{");
      json_member(json, "name", info->enumerators[e].name);
      json_number(json, "value", info->enumerators[e].value);
      json_close(json, "}");
    }
    json_close(json, "]");
  }
  json_close(json, "}");
}

static void write_structs(struct json* json, const struct met* met) {
  json_key(json, "structs");
  json_open(json, "{");
  for (size_t i = 0; i < met->struct_count; ++i) {
    const struct sidl_struct_info* const info = struct_at(met, i);
    json_key(json, info->name);
    json_open(json, "[");
    for (int32_t m = 0; m < info->member_count; ++m) {
      json_open(json, "{");
      json_member(json, "name", info->members[m].name);
      write_type(json, "type", &info->members[m].type);
      json_close(json, "}");
    }
    json_close(json, "]");
  }
  json_close(json, "}");
}

static void write_arguments(struct json* json, const struct sidl_method_info* method) {
  static const char* const modes[] = {"", "in", "out", "inout"};
  json_key(json, "arguments");
  json_open(json, "[");
  for (int32_t i = 0; i < method->arg_count; ++i) {
    json_open(json, "{");
    json_member(json, "name", method->args[i].name);
    json_member(json, "mode", modes[method->args[i].mode & 3]);
    write_type(json, "type", &method->args[i].type);
    json_close(json, "}");
  }
  json_close(json, "]");
}

static void write_throws(struct json* json, const struct sidl_method_info* method) {
  if (method->throws == NULL) return;
  json_key(json, "throws");
  json_open(json, "[");
  for (const char* at = method->throws; *at != '\0';) {
    const size_t length = strcspn(at, " ");
    char* const name = sidl_String_strndup(at, length);
    json_string(json, name);
    json->failed = json->failed || name == NULL;
    free(name);
    at += length;
    at += strspn(at, " ");
  }
  json_close(json, "]");
}

/* The digest is a string, as not all JSON parsers have 64-bit integers. */
static void write_method(struct json* json, const struct sidl_method_info* method,
                         const char* callable) {
  char digest[17];
  snprintf(digest, sizeof digest, "%016" PRIx64, method->digest);
  json_open(json, "{");
  json_member(json, "name", method->name);
  json_member(json, "from", method->type->name);
  json_member(json, "digest", digest);
  json_member(json, "call", callable);
  if ((method->flags & sidl_method_oneway) != 0) json_flag(json, "oneway", true);
  if ((method->flags & sidl_method_nonblocking) != 0) json_flag(json, "nonblocking", true);
  if ((method->flags & sidl_method_concurrent) != 0) json_flag(json, "concurrent", true);
  write_type(json, "result", &method->result);
  write_arguments(json, method);
  write_throws(json, method);
  json_close(json, "}");
}

static void write_methods(struct json* json, const struct sidl_type_info* type) {
  json_key(json, "methods");
  json_open(json, "[");
  for (uint16_t i = 0; i < type->slot_count; ++i) {
    write_method(json, type->slots[i], type->slots[i]->exec == NULL ? "local" : "object");
  }
  for (uint16_t i = 0; i < type->static_count; ++i) {
    write_method(json, &type->statics[i], "static");
  }
  json_close(json, "]");
}

static void write_parents(struct json* json, const struct sidl_type_info* type) {
  json_member(json, "parent", type->parent == NULL ? NULL : type->parent->name);
  json_key(json, "interfaces");
  json_open(json, "[");
  for (uint16_t i = 0; i < type->facet_count; ++i) {
    if (type->facets[i].type != type) json_string(json, type->facets[i].type->name);
  }
  json_close(json, "]");
}

char* describe_type(const struct sidl_type_info* type) {
  struct json json = {0};
  struct met met = {0};
  meet_methods(&met, type);
  json_open(&json, "{");
  json_member(&json, "name", type->name);
  json_member(&json, "version", type->version);
  json_member(&json, "kind", kind_name(type->kind));
  json_flag(&json, "abstract", (type->flags & sidl_type_abstract) != 0);
  if ((type->flags & sidl_type_concurrent) != 0) json_flag(&json, "concurrent", true);
  write_parents(&json, type);
  write_methods(&json, type);
  write_enums(&json, &met);
  write_structs(&json, &met);
  json_close(&json, "}");
  json.failed = json.failed || met.failed || met.begun.failed;
  met_free(&met);
  return json_take(&json);
}

/* ---- enums and structs alone --------------------------------------------------------------------
 */

static void meet_type(const struct sidl_type_info* type, void* met) {
  meet_methods(met, type);
}

/* Selects the named type, and for a struct the types of its members. */
static bool narrow(struct met* all, const char* name, struct met* one, const char** kind) {
  for (size_t i = 0; i < all->enum_count; ++i) {
    if (strcmp(enum_at(all, i)->name, name) != 0) continue;
    meet_enum(one, all->enums[i]);
    *kind = "enum";
    return true;
  }
  for (size_t i = 0; i < all->struct_count; ++i) {
    if (strcmp(struct_at(all, i)->name, name) != 0) continue;
    meet_struct(one, all->structs[i]);
    *kind = "struct";
    return true;
  }
  return false;
}

char* describe_value_type(const char* name, bool* found) {
  struct json json = {0};
  struct met all = {0};
  struct met one = {0};
  const char* kind = NULL;
  type_registry_each(meet_type, &all);
  *found = narrow(&all, name, &one, &kind);
  if (*found) {
    json_open(&json, "{");
    json_member(&json, "name", name);
    json_member(&json, "kind", kind);
    write_enums(&json, &one);
    write_structs(&json, &one);
    json_close(&json, "}");
  }
  json.failed = json.failed || one.failed || all.failed;
  met_free(&one);
  met_free(&all);
  return json_take(&json);
}

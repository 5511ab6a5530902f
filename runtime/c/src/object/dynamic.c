#include "object/dynamic.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "object/alive.h"
#include "object/class.h"
#include "object/layout.h"
#include "object/object.h"
#include "object/throw.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_BaseInterface_IOR.h"
#include "sidl_String.h"

struct dynamic_class {
  struct sidl_class class; /* first */
  const struct sidl_dynamic_functions* functions;
};

/* ---- any class made at run time
 * ------------------------------------------------------------------
 */

static void begin_counted(void* self, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  alive_level(object_of(self)->d_class, +1);
}

static void destroy_data(void* self, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  alive_level(object_of(self)->d_class, -1);
  dynamic_functions(self)->destroy(*dynamic_data(self));
}

/* Recognises such classes by their common destructor. */
const struct sidl_dynamic_functions* dynamic_class_functions(const struct sidl_class* class) {
  if (class->dtor != &destroy_data) return NULL;
  return ((const struct dynamic_class*)(const void*)class)->functions;
}

const struct sidl_dynamic_functions* dynamic_functions(const void* obj) {
  return dynamic_class_functions(object_of(obj)->d_class);
}

void** dynamic_data(const void* obj) {
  struct sidl_object* const object = object_of(obj);
  return (void**)(void*)((char*)object + object->d_class->info->data_offset);
}

struct sidl_class* dynamic_class_create(const struct sidl_type_info* type,
                                        struct sidl_class* parent,
                                        const struct sidl_dynamic_functions* functions) {
  struct dynamic_class* const made = calloc(1, sizeof *made);
  void** const epv = calloc(type->slot_count, sizeof(void*));
  if (made == NULL || epv == NULL) {
    free(made);
    free(epv);
    return NULL;
  }
  const uint16_t inherited = parent->info->slot_count;
  memcpy(epv, parent->epv, inherited * sizeof(void*));
  void* const* const stubs = type->remote_epv;
  memcpy(epv + inherited, stubs + inherited, (type->slot_count - inherited) * sizeof(void*));
  made->functions = functions;
  made->class.ior_major = SIDL_IOR_MAJOR_VERSION;
  made->class.ior_minor = SIDL_IOR_MINOR_VERSION;
  made->class.info = type;
  made->class.epv = epv;
  made->class.parent = parent;
  made->class.ctor = alive_is_counted ? &begin_counted : NULL;
  made->class.dtor = &destroy_data;
  return &made->class;
}

/* ---- classes that implement interfaces
 * -----------------------------------------------------------
 */

/* A type made at run time; like all types it and its class are never freed. */
struct made_type {
  struct sidl_type_info info;
  struct sidl_type_cache cache;
  const struct sidl_dynamic_functions* functions;
  struct sidl_class* class;
  struct made_type* next;
  struct sidl_facet* facets;
  const struct sidl_method_info** slots;
  void** stubs; /* of the slots */
};

static struct made_type* made_types; /* with class_lock */

static bool has_facet(const struct sidl_type_info* type, uint64_t id) {
  for (uint16_t i = 0; i < type->facet_count; ++i) {
    if (type->facets[i].type->id == id) return true;
  }
  return false;
}

static bool same_method(const struct sidl_method_info* a, const struct sidl_method_info* b) {
  return a->digest == b->digest && a->type->id == b->type->id && strcmp(a->name, b->name) == 0;
}

/* The slot of the method: an existing one, or a new one. */
static uint16_t slot_for(struct made_type* made, const struct sidl_method_info* method,
                         void* stub) {
  for (uint16_t s = 0; s < made->info.slot_count; ++s) {
    if (same_method(made->slots[s], method)) return s;
  }
  made->slots[made->info.slot_count] = method;
  made->stubs[made->info.slot_count] = stub;
  return made->info.slot_count++;
}

/* False if memory is exhausted. */
static bool add_facet(struct made_type* made, const struct sidl_type_info* interface) {
  if (interface->id == sidl_BaseInterface__info.id || has_facet(&made->info, interface->id)) {
    return true;
  }
  uint16_t* const slots = calloc(interface->slot_count, sizeof *slots);
  if (slots == NULL) return false;
  void* const* const stubs = interface->remote_epv;
  for (uint16_t s = 0; s < interface->slot_count; ++s) {
    slots[s] = slot_for(made, interface->slots[s], stubs[s]);
  }
  made->facets[made->info.facet_count++] =
      (struct sidl_facet){interface, (uint32_t)made->info.size, slots};
  made->info.size += sizeof(struct sidl_facet_object);
  return true;
}

static void free_type(struct made_type* made) {
  for (uint16_t i = 0; i < made->info.facet_count; ++i) free((void*)made->facets[i].slots);
  free((char*)made->info.name);
  free(made->facets);
  free(made->slots);
  free(made->stubs);
  free(made);
}

/* Allocates space for everything in the interfaces; NULL if memory is exhausted. */
static struct made_type* new_type(const char* name, const struct sidl_type_info* const* interfaces,
                                  size_t count) {
  size_t facets = 1;
  size_t slots = sidl_BaseClass__info.slot_count;
  for (size_t i = 0; i < count; ++i) {
    facets += interfaces[i]->facet_count + 1u;
    slots += interfaces[i]->slot_count;
    for (uint16_t f = 0; f < interfaces[i]->facet_count; ++f) {
      slots += interfaces[i]->facets[f].type->slot_count;
    }
  }
  struct made_type* const made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  made->info.name = sidl_String_strdup(name);
  made->facets = calloc(facets, sizeof *made->facets);
  made->slots = calloc(slots, sizeof *made->slots);
  made->stubs = calloc(slots, sizeof *made->stubs);
  if (made->info.name != NULL && made->facets != NULL && made->slots != NULL &&
      made->stubs != NULL && slots <= UINT16_MAX && facets <= UINT16_MAX) {
    return made;
  }
  free_type(made);
  return NULL;
}

static bool fill_type(struct made_type* made, const struct sidl_type_info* const* interfaces,
                      size_t count) {
  struct sidl_type_info* const info = &made->info;
  info->version = "";
  info->id = fnv1a(info->name);
  info->layout = info->id; /* no other code was compiled for it */
  info->kind = sidl_kind_class;
  info->parent = &sidl_BaseClass__info;
  info->facets = made->facets;
  info->slots = made->slots;
  info->size = sizeof(struct sidl_BaseClass__object);
  info->remote_epv = made->stubs;
  info->cache = &made->cache;
  for (; info->slot_count < sidl_BaseClass__info.slot_count; ++info->slot_count) {
    made->slots[info->slot_count] = sidl_BaseClass__info.slots[info->slot_count];
  }
  for (size_t i = 0; i < count; ++i) {
    for (uint16_t f = 0; f < interfaces[i]->facet_count; ++f) {
      if (!add_facet(made, interfaces[i]->facets[f].type)) return false;
    }
    if (!add_facet(made, interfaces[i])) return false;
  }
  info->data_offset = info->size;
  info->size += sizeof(void*);
  return true;
}

static struct made_type* make_type(const char* name, const struct sidl_type_info* const* interfaces,
                                   size_t count, const struct sidl_dynamic_functions* functions,
                                   struct sidl_BaseInterface__object** _ex) {
  struct sidl_class* const base = class_of_type(&sidl_BaseClass__info, _ex);
  struct made_type* const made = base == NULL ? NULL : new_type(name, interfaces, count);
  if (made != NULL && fill_type(made, interfaces, count)) {
    made->functions = functions;
    made->class = dynamic_class_create(&made->info, base, functions);
    if (made->class != NULL && layout_admit(&made->info, _ex) && class_finish(made->class)) {
      return made;
    }
  }
  if (*_ex == NULL) throw_memory(_ex);
  if (made == NULL) return NULL;
  if (made->class != NULL) free(made->class->epv);
  free(made->class);
  free_type(made);
  return NULL;
}

static bool is_made_of(const struct made_type* made, const char* name,
                       const struct sidl_type_info* const* interfaces, size_t count,
                       const struct sidl_dynamic_functions* functions) {
  if (made->functions != functions || strcmp(made->info.name, name) != 0) return false;
  size_t wanted = 0; /* facets: those of the interfaces, each once, and no others */
  for (size_t i = 0; i < count; ++i) {
    if (!has_facet(&made->info, interfaces[i]->id)) return false;
  }
  for (uint16_t f = 0; f < made->info.facet_count; ++f) {
    const struct sidl_type_info* const facet = made->facets[f].type;
    bool found = false;
    for (size_t i = 0; i < count && !found; ++i) {
      found = interfaces[i]->id == facet->id || has_facet(interfaces[i], facet->id);
    }
    wanted += found;
  }
  return wanted == made->info.facet_count;
}

const struct sidl_class* sidl_dynamic_class(const char* name,
                                            const struct sidl_type_info* const* interfaces,
                                            size_t count,
                                            const struct sidl_dynamic_functions* functions,
                                            struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  class_lock();
  struct made_type* made = made_types;
  while (made != NULL && !is_made_of(made, name, interfaces, count, functions)) made = made->next;
  if (made == NULL) {
    made = make_type(name, interfaces, count, functions, _ex);
    if (made != NULL) {
      made->next = made_types;
      made_types = made;
    }
  }
  class_unlock();
  return made == NULL ? NULL : made->class;
}

void* sidl_dynamic_create(const struct sidl_class* type, void* data,
                          struct sidl_BaseInterface__object** _ex) {
  void* const object = object_create(type, _ex);
  if (object != NULL) *dynamic_data(object) = data;
  return object;
}

void* sidl_dynamic_data(const void* obj, const struct sidl_dynamic_functions* functions) {
  return obj == NULL || dynamic_functions(obj) != functions ? NULL : *dynamic_data(obj);
}

sidl_bool sidl_dynamic_revive(void* obj) {
  int32_t* const count = &object_of(obj)->d_refcount;
  int32_t seen = __atomic_load_n(count, __ATOMIC_RELAXED);
  while (seen > 0 && !__atomic_compare_exchange_n(count, &seen, seen + 1, false, __ATOMIC_ACQ_REL,
                                                  __ATOMIC_RELAXED)) {
  }
  return seen > 0;
}

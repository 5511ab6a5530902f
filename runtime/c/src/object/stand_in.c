#include "object/stand_in.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/reference.h"
#include "object/class.h"
#include "object/dynamic.h"
#include "object/layout.h"
#include "object/object.h"
#include "object/throw.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_SIDLException_IOR.h"
#include "sidl_protocol.h"

/* The data of an object: state in the encoding of its protocol. */
struct kept_state {
  const char* encoding;
  size_t size;
  char bytes[];
};

static void refuse(void* data, void* self, const struct sidl_method_info* method, void* const* args,
                   void* result, struct sidl_BaseInterface__object** _ex) {
  (void)data;
  (void)args;
  (void)result;
  const char* const name = sidl_object_type(self)->name;
  THROW(_ex, sidl_NotImplementedException,
        "%s.%s cannot be called: the object came from another process, and this process has no "
        "implementation of class %s. Link the library that implements it, or list it in an .scl "
        "file on SIDL_DLL_PATH",
        method->type->name, method->name, name);
}

static const struct sidl_dynamic_functions functions = {refuse, free};

/* There are few of these classes; they are never freed. */
struct stand_in {
  struct sidl_class* class;
  struct stand_in* next;
};

static struct stand_in* stand_ins; /* with class_lock */

/* With the lock held. */
static struct sidl_class* make(const struct sidl_type_info* type,
                               struct sidl_BaseInterface__object** _ex) {
  struct sidl_class* const parent = exception_class(type->parent, _ex);
  if (parent == NULL || !layout_check_parent(type->parent, parent->info, _ex)) return NULL;
  if (!layout_admit(type, _ex)) return NULL;
  struct stand_in* const entry = calloc(1, sizeof *entry);
  struct sidl_class* const class =
      entry == NULL ? NULL : dynamic_class_create(type, parent, &functions);
  if (class == NULL || !class_finish(class)) {
    if (class != NULL) free(class->epv);
    free(class);
    free(entry);
    throw_memory(_ex);
    return NULL;
  }
  *entry = (struct stand_in){class, stand_ins};
  stand_ins = entry;
  return class;
}

static struct sidl_class* stand_in_class(const struct sidl_type_info* type,
                                         struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  const struct sidl_type_info* ancestor = type->parent;
  while (ancestor != NULL && ancestor->id != sidl_SIDLException__info.id) {
    ancestor = ancestor->parent;
  }
  if (ancestor == NULL) return NULL;
  class_lock();
  const struct stand_in* known = stand_ins;
  while (known != NULL && known->class->info != type) known = known->next;
  struct sidl_class* const class = known != NULL ? known->class : make(type, _ex);
  class_unlock();
  return class;
}

/* The type, or the nearest parent, that has methods of its own. */
static const struct sidl_type_info* with_methods(const struct sidl_type_info* type) {
  while ((type->flags & sidl_type_inherits_all) != 0 && type->parent != NULL) type = type->parent;
  return type;
}

struct sidl_class* exception_class(const struct sidl_type_info* type,
                                   struct sidl_BaseInterface__object** _ex) {
  /*
   * The program has the type's stubs, so its own catalogues may be searched for an implementation.
   */
  const struct sidl_type_info* const implemented = with_methods(type);
  struct sidl_class* class = class_of_type(implemented, _ex);
  if (class != NULL && implemented != type) class = class_load_linked(type, _ex);
  if (class != NULL) return class;
  reference_drop(*_ex);
  return stand_in_class(type, _ex);
}

const struct sidl_type_info* stand_in_type(const void* obj) {
  const struct sidl_class* class = object_of(obj)->d_class;
  while (dynamic_class_functions(class) == &functions) class = class->parent;
  return class->info;
}

sidl_bool sidl_value_is_stand_in(const void* obj) {
  return obj != NULL && dynamic_functions(obj) == &functions;
}

void sidl_value_keep_state(void* obj, const char* encoding, const void* bytes, size_t size) {
  if (!sidl_value_is_stand_in(obj)) return;
  struct kept_state* const kept = malloc(sizeof *kept + size);
  if (kept != NULL) {
    kept->encoding = encoding;
    kept->size = size;
    memcpy(kept->bytes, bytes, size);
  }
  void** const data = dynamic_data(obj);
  free(*data);
  *data = kept;
}

const void* sidl_value_kept_state(const void* obj, const char* encoding, size_t* size) {
  *size = 0;
  const struct kept_state* const kept = sidl_value_is_stand_in(obj) ? *dynamic_data(obj) : NULL;
  if (kept == NULL || strcmp(kept->encoding, encoding) != 0) return NULL;
  *size = kept->size;
  return kept->bytes;
}

void stand_in_copy_state(const void* from, void* to) {
  const struct kept_state* const kept = sidl_value_is_stand_in(from) ? *dynamic_data(from) : NULL;
  if (kept != NULL) sidl_value_keep_state(to, kept->encoding, kept->bytes, kept->size);
}

/*
 * load_class.c: finding the implementation of a class.
 *
 * In this order: libsidl's own classes; the symbol <Type>__class in the program and its libraries;
 * the same in the library of the stubs and what it links (for libraries loaded privately, as by
 * Python); libraries passed to sidl.Loader; an implementation that this process uses already; the
 * catalogues on SIDL_DLL_PATH; and last, for a class without anything of its own, a class
 * synthesised from its parent's.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "object/class.h"
#include "object/layout.h"
#include "object/library.h"
#include "object/throw.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_String.h"

/* "Did you mean plant.Kernel? ", or an empty text; NULL if memory is exhausted. To be freed. */
static char* meant_by(const char* name) {
  char* const near = sidl_type_find(name) == NULL ? sidl_class_near(name) : NULL;
  char* const question =
      near == NULL ? sidl_String_strdup("") : text_format("Did you mean %s? ", near);
  free(near);
  return question;
}

static void throw_not_found(const char* name, const char* advice,
                            struct sidl_BaseInterface__object** _ex) {
  char* const searched = library_search_report(name);
  char* const symbol = library_class_symbol(name);
  char* const question = meant_by(name);
  THROW(_ex, sidl_NotImplementedException,
        "no implementation of class %s: symbol %s is neither in the program nor in its libraries; "
        "catalogues searched: %s. %s%s (SIDL_DEBUG_DLOPEN=1 shows the search)",
        name, symbol == NULL ? "?" : symbol, searched == NULL ? "?" : searched,
        question == NULL ? "" : question, advice);
  free(question);
  free(symbol);
  free(searched);
}

static struct sidl_class* from_function(sidl_class_function function, const char* name,
                                        struct sidl_BaseInterface__object** _ex) {
  struct sidl_class* const class = function();
  if (class == NULL || class->info == NULL) {
    THROW(_ex, sidl_NotImplementedException,
          "the implementation of class %s was found, but could not be loaded: see standard "
          "error for the reason",
          name);
    return NULL;
  }
  if (strcmp(class->info->name, name) == 0) return class;
  THROW(_ex, sidl_NotImplementedException, "the implementation found for class %s is of class %s",
        name, class->info->name);
  return NULL;
}

/* The class synthesised for `type`. */
static struct sidl_class* synthesised(const struct sidl_type_info* type,
                                      struct sidl_BaseInterface__object** _ex) {
  class_lock();
  struct sidl_class* class = atomic_load_acquire(&type->cache->implementation);
  if (class == NULL) {
    class = class_synthesise(type);
    if (class == NULL) {
      throw_memory(_ex);
    } else if (class_prepare(class, _ex)) {
      atomic_store_release(&type->cache->implementation, class);
    } else {
      free(class->epv);
      free(class);
      class = NULL;
    }
  }
  class_unlock();
  return class;
}

static sidl_class_function find(const struct sidl_type_info* type, bool may_load) {
  const sidl_class_function own = class_builtin(type);
  if (own != NULL) return own;
  const bool inherits_all = (type->flags & sidl_type_inherits_all) != 0;
  if (inherits_all && strncmp(type->name, "sidl.", 5) == 0) return NULL;
  return may_load ? library_find_class(type->name, type)
                  : library_find_loaded_class(type->name, type);
}

/*
 * Loads nothing: the implementation may be in a library opened privately, whose tables are not the
 * registered ones of the type.
 */
static struct sidl_class* made_ready(const struct sidl_type_info* type) {
  struct sidl_class* const class = class_made_ready(type);
  if (class != NULL) atomic_store_release(&type->cache->implementation, class);
  return class;
}

/*
 * An implementation that this process uses already, for stubs whose own library has none: a
 * catalogue may list another one, but then objects made by these stubs would be of another class
 * than those there are. A synthesised class is no reason not to search.
 */
static struct sidl_class* in_use(const struct sidl_type_info* type) {
  if (class_builtin(type) != NULL || (type->flags & sidl_type_inherits_all) != 0) return NULL;
  if (library_find_linked_class(type->name, type) != NULL) return NULL;
  struct sidl_class* const class = made_ready(type);
  if (class != NULL) library_trace("class %s: this process has it already", type->name);
  return class;
}

/* The class returned by `function`, made ready, if it is the one the stubs are for. */
static struct sidl_class* accept(sidl_class_function function, const struct sidl_type_info* type,
                                 struct sidl_BaseInterface__object** _ex) {
  struct sidl_class* const class = from_function(function, type->name, _ex);
  if (class == NULL || !class_prepare(class, _ex)) return NULL;
  if (!layout_check(type, class->info, &sidl_NotImplementedException__info, _ex)) return NULL;
  /*
   * A class that is still loading (we are in its load function) must not be visible to others yet.
   */
  if (class_is_ready(class)) atomic_store_release(&type->cache->implementation, class);
  return class;
}

struct sidl_class* class_load(const struct sidl_type_info* type,
                              struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (type->kind != sidl_kind_class) {
    THROW(_ex, sidl_NotImplementedException, "%s is an interface and has no implementation",
          type->name);
    return NULL;
  }
  struct sidl_class* const used = in_use(type);
  if (used != NULL) return used;
  const sidl_class_function function = find(type, true);
  if (function != NULL) return accept(function, type, _ex);
  if ((type->flags & sidl_type_inherits_all) != 0) return synthesised(type, _ex);
  throw_not_found(type->name,
                  "Link the library that implements it (a program exports its own classes only "
                  "if it is linked with -rdynamic) or list it in an .scl file on SIDL_DLL_PATH",
                  _ex);
  return NULL;
}

/*
 * The request may come from a peer: no catalogue is read, not even for a message or a parent, and
 * nothing is loaded but what comes with libsidl.
 */
struct sidl_class* class_load_linked(const struct sidl_type_info* type,
                                     struct sidl_BaseInterface__object** _ex) {
  struct sidl_class* known = atomic_load_acquire(&type->cache->implementation);
  *_ex = NULL;
  if (known == NULL) known = made_ready(type);
  if (known != NULL) return known;
  const sidl_class_function function = find(type, false);
  if (function == NULL && (type->flags & sidl_type_inherits_all) == 0) return NULL;
  if (type->parent != NULL && class_load_linked(type->parent, _ex) == NULL) return NULL;
  return function != NULL ? accept(function, type, _ex) : synthesised(type, _ex);
}

/* Caches the class for the type, if it fits the stubs. */
static void keep(const struct sidl_type_info* type, struct sidl_class* class) {
  if (atomic_load_acquire(&type->cache->implementation) == NULL && class_is_ready(class) &&
      layout_fits(type, class->info)) {
    atomic_store_release(&type->cache->implementation, class);
  }
}

struct sidl_class* class_load_by_name(const char* name, struct sidl_BaseInterface__object** _ex) {
  const struct sidl_type_info* const type = sidl_type_find(name);
  *_ex = NULL;
  struct sidl_class* const used = type == NULL ? NULL : in_use(type);
  if (used != NULL) return used;
  /* A lookup by name has no stubs that the class would have to fit. */
  const sidl_class_function function =
      type == NULL ? library_find_class(name, NULL) : find(type, true);
  if (function == NULL && type != NULL) return class_of_type(type, _ex);
  if (function == NULL) {
    throw_not_found(name, "List its library in an .scl file on SIDL_DLL_PATH", _ex);
    return NULL;
  }
  struct sidl_class* const class = from_function(function, name, _ex);
  if (class == NULL || !class_prepare(class, _ex)) return NULL;
  const struct sidl_type_info* const registered = type != NULL ? type : sidl_type_find(name);
  if (registered != NULL) keep(registered, class);
  return class;
}

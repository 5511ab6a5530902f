#include "object/throw.h"

#include <stdlib.h>

#include "base/reference.h"
#include "base/text.h"
#include "object/exception_text.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_MemAllocException_IOR.h"
#include "sidl_SIDLException.h"

/* Made when the library is loaded and never destroyed: libsidl keeps its first reference. */
static struct sidl_BaseInterface__object* memory_exception;

__attribute__((constructor)) static void make_memory_exception(void) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl_SIDLException__object* const made = sidl_create(&sidl_MemAllocException__info, &ex);
  if (made == NULL) return; /* no memory even for this: throw_memory then aborts */
  sidl_SIDLException_setNote(made, "out of memory", &ex);
  exception_text_freeze(made->d_data);
  memory_exception = (struct sidl_BaseInterface__object*)made;
}

void throw_memory(struct sidl_BaseInterface__object** _ex) {
  if (memory_exception == NULL) abort();
  *_ex = reference_take(memory_exception);
}

void throw_note(const struct sidl_type_info* type, struct sidl_BaseInterface__object** _ex,
                const char* file, int32_t line, const char* function, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char* const note = text_vformat(format, arguments);
  va_end(arguments);
  struct sidl_BaseInterface__object* failure = NULL;
  struct sidl_SIDLException__object* const thrown =
      note == NULL ? NULL : sidl_create(type, &failure);
  if (thrown != NULL) {
    struct sidl_BaseInterface__object* ignored = NULL;
    sidl_SIDLException_setNote(thrown, note, &ignored);
    if (ignored == NULL) sidl_SIDLException_add(thrown, file, line, function, &ignored);
    reference_drop(ignored);
    *_ex = (struct sidl_BaseInterface__object*)thrown;
  } else if (failure != NULL) {
    *_ex = failure;
  } else {
    throw_memory(_ex);
  }
  free(note);
}

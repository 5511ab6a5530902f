#include "object/class_info.h"

#include <stdlib.h>

#include "base/reference.h"
#include "base/text.h"
#include "object/throw.h"
#include "sidl_ClassInfoI_IOR.h"
#include "sidl_ClassInfo_IOR.h"
#include "sidl_String.h"

struct sidl_ClassInfo__object* class_info_create(const char* name, const char* version,
                                                 struct sidl_BaseInterface__object** _ex) {
  struct sidl_ClassInfoI__object* const object = sidl_create(&sidl_ClassInfoI__info, _ex);
  if (object == NULL) return NULL;
  struct class_info* const info = calloc(1, sizeof *info);
  if (info != NULL) {
    info->name = sidl_String_strdup(name);
    info->version = sidl_String_strdup(version);
    info->ior_version = text_format("%d.%d", SIDL_IOR_MAJOR_VERSION, SIDL_IOR_MINOR_VERSION);
  }
  object->d_data = info;
  if (info == NULL || info->name == NULL || info->version == NULL || info->ior_version == NULL) {
    reference_drop(object);
    throw_memory(_ex);
    return NULL;
  }
  return sidl_cast_borrowed(object, &sidl_ClassInfo__info);
}

void class_info_destroy(struct class_info* info) {
  if (info == NULL) return;
  free(info->name);
  free(info->version);
  free(info->ior_version);
  free(info);
}

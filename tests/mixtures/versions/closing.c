/* Opens a library with types and closes it again, twice; then uses what it has brought. */
#include <dlfcn.h>
#include <stdio.h>

#include "sidl_BaseInterface.h"
#include "sidl_ior.h"

int main(int count, char** arguments) {
  sidl_BaseInterface ex = NULL;
  for (int i = 0; i < 2 && count > 1; ++i) {
    void* const library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    if (dlclose(library) != 0) return 2;
  }
  const struct sidl_type_info* const type = sidl_type_find("mix.Thing");
  if (type == NULL) return 3;
  void* const object = sidl_create(type, &ex);
  printf("%s %s\n", type->name, object != NULL && ex == NULL ? "made" : "refused");
  if (object != NULL) sidl_BaseInterface_deleteRef(object, &ex);
  return 0;
}

/* Of the time: functions without their headers. */
#include <stdio.h>
#include "sidl_header.h"
#include "sidl_BaseInterface.h"
struct mesh_Grid__object;
struct mesh_Grid__object* mesh_Grid__create(sidl_BaseInterface*);
extern void mesh_Grid_deleteRef(struct mesh_Grid__object*, sidl_BaseInterface*);
extern sidl_bool mesh_Grid__isLocal(struct mesh_Grid__object*, sidl_BaseInterface*);
extern struct sidl_BaseClass__object* sidl_BaseClass__create(sidl_BaseInterface*);
extern void sidl_BaseClass_deleteRef(struct sidl_BaseClass__object*, sidl_BaseInterface*);
int main(void) {
  sidl_BaseInterface ex = 0;
  struct mesh_Grid__object* grid = mesh_Grid__create(&ex);
  struct sidl_BaseClass__object* object = sidl_BaseClass__create(&ex);
  if (ex || !grid || !object || !mesh_Grid__isLocal(grid, &ex)) return 1;
  mesh_Grid_deleteRef(grid, &ex);
  sidl_BaseClass_deleteRef(object, &ex);
  puts("ok");
  return 0;
}

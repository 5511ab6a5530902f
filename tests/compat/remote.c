/*
 * A client of a server elsewhere, in C, as one was written in 2010.
 */
#include <stdio.h>
#include <string.h>
#include "mesh.h"
#include "sidl_BaseException.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "sidl_rmi_NetworkException.h"
#include "sidl_rmi_ProtocolFactory.h"

int main(int argc, char **argv) {
  sidl_BaseInterface ex = NULL, throwaway = NULL;
  mesh_Grid grid = NULL, again = NULL, counted = NULL;
  mesh_Field field = NULL;
  sidl_rmi_NetworkException network;
  char *url = NULL, *label = NULL;
  int status = 1;
  if (argc != 2) return 2;
  sidl_rmi_ProtocolFactory_addProtocol("simhandle", "sidlx.rmi.SimHandle", &ex);
  SIDL_CHECK(ex);
  grid = mesh_Grid__createRemote(argv[1], &ex);
  SIDL_CHECK(ex);
  if (!mesh_Grid__isRemote(grid, &ex) || mesh_Grid__isLocal(grid, &ex)) goto EXIT;
  mesh_Grid_resize(grid, 2, 2, &ex);
  SIDL_CHECK(ex);
  url = mesh_Grid__getURL(grid, &ex);
  SIDL_CHECK(ex);
  again = mesh_Grid__connect(url, &ex);
  SIDL_CHECK(ex);
  if (!mesh_Grid_isSame(again, (sidl_BaseInterface)grid, &ex)) goto EXIT;
  counted = mesh_Grid__connectI(url, TRUE, &ex);
  SIDL_CHECK(ex);
  mesh_Grid__raddRef(counted, &ex);
  SIDL_CHECK(ex);
  mesh_Grid_deleteRef(counted, &ex);
  SIDL_CHECK(ex);
  field = mesh_Field__connect(url, &ex);
  SIDL_CHECK(ex);
  label = mesh_Field_label(field, &ex);
  SIDL_CHECK(ex);
  mesh_Grid_fail(grid, 1, &ex);
  if (!SIDL_CATCH(ex, "sidl.SIDLException")) goto EXIT; /* mesh.MeshError is implemented there alone */
  SIDL_CLEAR(ex);
  if (mesh_Grid__createRemote("simhandle://127.0.0.1:1", &ex) || !ex) goto EXIT;
  network = sidl_rmi_NetworkException__cast(ex, &throwaway);
  if (!network || sidl_rmi_NetworkException_getErrno(network, &throwaway) == 0) goto EXIT;
  sidl_rmi_NetworkException_deleteRef(network, &throwaway);
  SIDL_CLEAR(ex);
  printf("ok\n");
  status = 0;
EXIT:
  if (ex) SIDL_CLEAR(ex);
  sidl_String_free(url);
  sidl_String_free(label);
  if (field) mesh_Field_deleteRef(field, &throwaway);
  if (counted) mesh_Grid_deleteRef(counted, &throwaway);
  if (again) mesh_Grid_deleteRef(again, &throwaway);
  if (grid) mesh_Grid_deleteRef(grid, &throwaway);
  return status;
}

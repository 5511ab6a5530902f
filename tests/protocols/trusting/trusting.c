/* As PROGRAM of test_tls.py: trusting_c URL AUTHORITIES CERTIFICATE KEY */
#include <stdio.h>
#include <stdlib.h>

#include "sidl_BaseException.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "sidl_rmi_InstanceHandle.h"
#include "sidl_rmi_ProtocolFactory.h"
#include "sidl_rmi_Trust.h"

static sidl_BaseInterface ex, ignored;

static void check(void) {
  if (ex != NULL) exit(1);
}

/** Prints the class of the object, or why there is none. */
static void try_to_connect(const char* url) {
  sidl_rmi_InstanceHandle handle =
      sidl_rmi_ProtocolFactory_connectInstance(url, "sidl.BaseClass", TRUE, &ex);
  char* text = NULL;
  if (ex != NULL) {
    sidl_BaseException error = sidl_BaseException__cast(ex, &ignored);
    text = sidl_BaseException_getNote(error, &ignored);
    sidl_BaseException_deleteRef(error, &ignored);
    SIDL_CLEAR(ex);
  } else {
    text = sidl_rmi_InstanceHandle_getTypeName(handle, &ex);
    check();
    sidl_rmi_InstanceHandle_deleteRef(handle, &ex);
    check();
  }
  puts(text);
  sidl_String_free(text);
}

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  try_to_connect(argv[1]);
  sidl_rmi_Trust_setAuthorities(argv[2], &ex);
  check();
  try_to_connect(argv[1]);
  sidl_rmi_Trust_setCertificate(argv[3], argv[4], &ex);
  check();
  try_to_connect(argv[1]);
  return 0;
}

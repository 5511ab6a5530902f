/* What headers bring along: client [URL]. */
#include <stdio.h>
#include <string.h>

#include "heirs_Heir.h"
#include "sidl_Exception.h"

static int failures = 0;

static void check(int holds, const char *what) {
  if (holds) return;
  ++failures;
  printf("not so: %s\n", what);
}

/* Exceptions without a header of their own. */
static void throw_it(sidl_BaseInterface *_ex) {
  SIDL_THROW(*_ex, sidl_SIDLException, "thrown here");
EXIT:
  return;
}

static void test_exceptions(void) {
  sidl_BaseInterface ex = NULL, other = NULL;
  sidl_BaseException caught;
  sidl_MemAllocException none;
  char *note;
  throw_it(&ex);
  caught = sidl_BaseException__cast(ex, &other);
  note = sidl_BaseException_getNote(caught, &other);
  none = sidl_MemAllocException__cast(ex, &other);
  check(strcmp(note, "thrown here") == 0 && !none, "sidl_Exception.h has the exceptions");
  sidl_String_free(note);
  sidl_BaseException_deleteRef(caught, &other);
  SIDL_CLEAR(ex);
}

/* The types of arguments and results, and a static method of the parent class. */
static void test_types(void) {
  sidl_BaseInterface ex = NULL;
  heirs_Base made = heirs_Heir_wrap("mine", &ex);
  char *text = heirs_Base_text(made, &ex);
  sidl_ClassInfo info = heirs_Base_getClassInfo(made, &ex);
  char *name = sidl_ClassInfo_getName(info, &ex);
  check(strcmp(text, "mine, ready") == 0, "an inherited static method");
  check(strcmp(name, "heirs.Base") == 0, "the header of a result's type");
  sidl_String_free(text);
  sidl_String_free(name);
  sidl_ClassInfo_deleteRef(info, &ex);
  heirs_Base_deleteRef(made, &ex);
}

int main(int argc, char **argv) {
  sidl_BaseInterface ex = NULL;
  heirs_Heir heir =
      argc > 1 ? heirs_Heir__createRemote(argv[1], &ex) : heirs_Heir__create(&ex);
  check(heirs_Heir_thrice(heir, 4, &ex) == 12, "thrice");
  {
    struct sidl_dcomplex z[2] = {{1, 2}, {3, 0}};
    struct sidl_fcomplex by[2] = {{0, 1}, {2, 0}};
    check(heirs_Heir_turn(heir, z, by, 2, &ex) == 4 && z[0].imaginary == 1, "complex numbers");
    char louder[8] = "       ";
    check(heirs_Heir_shout(heir, "Hello!", louder, 6, &ex) == 4, "characters");
    check(strcmp(louder, "HELLO! ") == 0, "which the method changes");
  }
  heirs_Heir_deleteRef(heir, &ex);
  test_exceptions();
  test_types();
  if (failures == 0) puts("ok");
  return failures;
}

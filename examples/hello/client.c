#include <stdio.h>

#include "hello.h"
#include "sidl_Exception.h"
#include "sidl_String.h"

int main(int argc, char** argv) {
  sidl_BaseInterface _ex = NULL;
  hello_World world =
      argc > 1 ? hello_World__createRemote(argv[1], &_ex) : hello_World__create(&_ex);
  SIDL_CHECK(_ex);
  char* text = hello_World_greet(world, "C", &_ex);
  SIDL_CHECK(_ex);
  puts(text);
  sidl_String_free(text);
  hello_World_deleteRef(world, &_ex);
  return 0;
EXIT:
  sidl_report_exception(_ex);
  return 1;
}

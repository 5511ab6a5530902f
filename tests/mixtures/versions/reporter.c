/* Calls what another version has otherwise, and reports the exceptions with their traces. */
#include "mix.h"
#include "sidl_Exception.h"
#include "sidl_String.h"

int main(int count, char** arguments) {
  sidl_BaseInterface ex = NULL;
  sidl_BaseInterface none = NULL;
  const char* const url = count > 1 ? arguments[1] : NULL;
  mix_Maker maker = url ? mix_Maker__createRemote(url, &ex) : mix_Maker__create(&ex);
  SIDL_CHECK(ex);
  mix_Maker_paint(maker, mix_Color_green, &ex);
  sidl_report_exception(ex);
  mix_Thing thing = mix_Maker_make(maker, &ex);
  SIDL_CHECK(ex);
  sidl_String_free(mix_Thing_unit(thing, &ex));
  sidl_report_exception(ex);
  mix_Thing_deleteRef(thing, &none);
  mix_Maker_deleteRef(maker, &none);
  return 0;
EXIT:
  sidl_report_exception(ex);
  return 1;
}

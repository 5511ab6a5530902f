/* DO-NOT-DELETE splicer.begin(heirs.Base._includes) */
#include <stdlib.h>
#include "sidl_String.h"

static struct heirs_Base__data* make(const char* text) {
  struct heirs_Base__data* data = malloc(sizeof *data);
  data->text = sidl_String_strdup(text);
  data->is_ready = 0;
  return data;
}
/* DO-NOT-DELETE splicer.end(heirs.Base._includes) */

/* DO-NOT-DELETE splicer.begin(heirs.Base._ctor) */
heirs_Base__set_data(self, make("made"));
if (heirs_Base__get_data(self) == NULL) {
  /* Babel's frame had the headers of these. */
  sidl_MemAllocException none = sidl_MemAllocException_getSingletonException(_ex);
  SIDL_CHECK(*_ex);
  sidl_MemAllocException_setNote(none, "Out of memory.", _ex);
  SIDL_CHECK(*_ex);
  sidl_MemAllocException_add(none, __FILE__, __LINE__, "heirs.Base._ctor", _ex);
  SIDL_CHECK(*_ex);
  *_ex = (sidl_BaseInterface)none;
}
EXIT:;
/* DO-NOT-DELETE splicer.end(heirs.Base._ctor) */

/* DO-NOT-DELETE splicer.begin(heirs.Base._ctor2) */
heirs_Base__get_data(self)->is_ready = heirs_Base__get_data(self) == private_data;
/* DO-NOT-DELETE splicer.end(heirs.Base._ctor2) */

/* DO-NOT-DELETE splicer.begin(heirs.Base._dtor) */
struct heirs_Base__data* data = heirs_Base__get_data(self);
sidl_String_free(data->text);
free(data);
/* DO-NOT-DELETE splicer.end(heirs.Base._dtor) */

/* DO-NOT-DELETE splicer.begin(heirs.Base.wrap) */
return heirs_Base__wrapObj(make(text), _ex);
/* DO-NOT-DELETE splicer.end(heirs.Base.wrap) */

/* DO-NOT-DELETE splicer.begin(heirs.Base.text) */
struct heirs_Base__data* data = heirs_Base__get_data(self);
return sidl_String_concat2(data->text, data->is_ready ? ", ready" : "");
/* DO-NOT-DELETE splicer.end(heirs.Base.text) */

/* DO-NOT-DELETE splicer.begin(heirs.Base.twice) */
return 2 * i;
/* DO-NOT-DELETE splicer.end(heirs.Base.twice) */

/* DO-NOT-DELETE splicer.begin(heirs.Base.fail) */
*n = 0;
*text = sidl_String_strdup("nobody gets this");
*x = sidl_double__array_create1d(3);
*other = self;
heirs_Base_addRef(*other, _ex); SIDL_CHECK(*_ex);
SIDL_THROW(*_ex, sidl_SIDLException, "it went wrong");
EXIT:
sidl_String_free(*text);
sidl_double__array_deleteRef(*x);
{
  sidl_BaseInterface ignored = NULL;
  heirs_Base_deleteRef(*other, &ignored);
}
/* DO-NOT-DELETE splicer.end(heirs.Base.fail) */

/* DO-NOT-DELETE splicer.begin(heirs.Base.turn) */
double sum = 0;
for (int32_t i = 0; i < n; ++i) {
  const double real = z[i].real * by[i].real - z[i].imaginary * by[i].imaginary;
  z[i].imaginary = z[i].real * by[i].imaginary + z[i].imaginary * by[i].real;
  z[i].real = real;
  sum += real;
}
return sum;
/* DO-NOT-DELETE splicer.end(heirs.Base.turn) */

/* DO-NOT-DELETE splicer.begin(heirs.Base.shout) */
int32_t count = 0;
for (int32_t i = 0; i < n; ++i) {
  const int is_small = said[i] >= 'a' && said[i] <= 'z';
  louder[i] = (char)(is_small ? said[i] - 'a' + 'A' : said[i]);
  count += is_small;
}
return count;
/* DO-NOT-DELETE splicer.end(heirs.Base.shout) */

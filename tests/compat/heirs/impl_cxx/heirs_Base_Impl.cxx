// DO-NOT-DELETE splicer.begin(heirs.Base._includes)
#include "sidl_SIDLException.hxx"
// DO-NOT-DELETE splicer.end(heirs.Base._includes)

// DO-NOT-DELETE splicer.begin(heirs.Base.wrap)
heirs::Base made = heirs::Base::_create();
static_cast<Base_impl*>(made._get_ior()->d_data)->d_text = text + ", ready";
return made;
// DO-NOT-DELETE splicer.end(heirs.Base.wrap)

// DO-NOT-DELETE splicer.begin(heirs.Base.text)
return d_text;
// DO-NOT-DELETE splicer.end(heirs.Base.text)

// DO-NOT-DELETE splicer.begin(heirs.Base.twice)
return 2 * i;
// DO-NOT-DELETE splicer.end(heirs.Base.twice)

// DO-NOT-DELETE splicer.begin(heirs.Base.fail)
n = 0;
sidl::SIDLException ex = sidl::SIDLException::_create();
ex.setNote("it went wrong");
throw ex;
// DO-NOT-DELETE splicer.end(heirs.Base.fail)

// DO-NOT-DELETE splicer.begin(heirs.Base.turn)
double sum = 0;
for (int32_t i = 0; i < n; ++i) {
  const double real = z[i].real * by[i].real - z[i].imaginary * by[i].imaginary;
  z[i].imaginary = z[i].real * by[i].imaginary + z[i].imaginary * by[i].real;
  z[i].real = real;
  sum += real;
}
return sum;
// DO-NOT-DELETE splicer.end(heirs.Base.turn)

// DO-NOT-DELETE splicer.begin(heirs.Base.shout)
int32_t count = 0;
for (int32_t i = 0; i < n; ++i) {
  const int is_small = said[i] >= 'a' && said[i] <= 'z';
  louder[i] = (char)(is_small ? said[i] - 'a' + 'A' : said[i]);
  count += is_small;
}
return count;
// DO-NOT-DELETE splicer.end(heirs.Base.shout)

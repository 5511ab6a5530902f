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

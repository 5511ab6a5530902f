// DO-NOT-DELETE splicer.begin(heirs.Heir._hincludes)
#include "heirs_Base_Impl.hxx"
// DO-NOT-DELETE splicer.end(heirs.Heir._hincludes)

// DO-NOT-DELETE splicer.begin(heirs.Heir._inherits)
, public virtual heirs::Base_impl
// DO-NOT-DELETE splicer.end(heirs.Heir._inherits)

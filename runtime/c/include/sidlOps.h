/** sidlOps.h: here for programs written for Babel that include it; Shinar needs nothing of it. */
#ifndef SIDL_OPS_H
#define SIDL_OPS_H

#include "sidlType.h"

#endif

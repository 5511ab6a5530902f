/**
 * sidlOps.h: the relations of SIDL's contracts, by name.
 *
 * Here for programs written for Babel; Shinar needs nothing of it.
 */
#ifndef SIDL_OPS_H
#define SIDL_OPS_H

#include "sidlType.h"

#define RELATION_OP_EQUAL(a, b) ((a) == (b))
#define RELATION_OP_NOT_EQUAL(a, b) ((a) != (b))
#define RELATION_OP_LESS_THAN(a, b) ((a) < (b))
#define RELATION_OP_LESS_EQUAL(a, b) ((a) <= (b))
#define RELATION_OP_GREATER_THAN(a, b) ((a) > (b))
#define RELATION_OP_GREATER_EQUAL(a, b) ((a) >= (b))

#endif

// The test types of rt.sidl.
#pragma once

#include "rt_A.h"
#include "rt_B.h"
#include "rt_Base.h"
#include "rt_Broken.h"
#include "rt_C.h"
#include "rt_Derived.h"
#include "rt_Error.h"
#include "rt_Everything.h"
#include "rt_Missing.h"
#include "rt_Plain.h"
#include "rt_Plugin.h"
#include "rt_Record.h"
#include "rt_Worker.h"

int rt_loads();  // how often rt.Base was loaded
int rt_live();   // objects of rt.Base and below that are alive

// From now on the destructor of rt.Derived throws, or not.
void rt_break_destructor(bool broken);
// From now on the constructor of rt.Broken and the destructor of rt.Base give a reference to their
// object away; null: no more.
void rt_hand_out(sidl_BaseInterface__object** to);

// Bytes that objects of these classes have for their Impls; no multiples of an alignment.
inline constexpr size_t rt_base_impl_size = 24;
inline constexpr size_t rt_derived_impl_size = 100;

// Describes a class "rt.Old", whose implementation is of the IOR version that was last said.
sidl_type_info rt_old_info();
void rt_make_old(int32_t major, int32_t minor);

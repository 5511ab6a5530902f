/* builtin_classes.c: libsidl's own implementations; found without searching. */
#include "libsidl_Memory_IOR.h"
#include "object/class.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_ClassInfoI_IOR.h"
#include "sidl_DFinder_IOR.h"
#include "sidl_DLL_IOR.h"
#include "sidl_EnfPolicy_IOR.h"
#include "sidl_Loader_IOR.h"
#include "sidl_MemAllocException_IOR.h"
#include "sidl_SIDLException_IOR.h"
#include "sidl_rmi_ConnectRegistry_IOR.h"
#include "sidl_rmi_Deadline_IOR.h"
#include "sidl_rmi_ExportRegistry_IOR.h"
#include "sidl_rmi_Inspection_IOR.h"
#include "sidl_rmi_InstanceRegistry_IOR.h"
#include "sidl_rmi_NetworkException_IOR.h"
#include "sidl_rmi_ProtocolFactory_IOR.h"
#include "sidl_rmi_ServerRegistry_IOR.h"
#include "sidl_rmi_TicketBookEntry_IOR.h"
#include "sidl_rmi_TicketBookI_IOR.h"
#include "sidl_rmi_TicketI_IOR.h"

struct builtin {
  const struct sidl_type_info* type;
  sidl_class_function implementation;
};

static const struct builtin builtins[] = {
    {&sidl_BaseClass__info, sidl_BaseClass__class},
    {&sidl_SIDLException__info, sidl_SIDLException__class},
    {&sidl_MemAllocException__info, sidl_MemAllocException__class},
    {&sidl_ClassInfoI__info, sidl_ClassInfoI__class},
    {&sidl_DLL__info, sidl_DLL__class},
    {&sidl_DFinder__info, sidl_DFinder__class},
    {&sidl_Loader__info, sidl_Loader__class},
    {&sidl_EnfPolicy__info, sidl_EnfPolicy__class},
    {&sidl_rmi_ConnectRegistry__info, sidl_rmi_ConnectRegistry__class},
    {&sidl_rmi_NetworkException__info, sidl_rmi_NetworkException__class},
    {&sidl_rmi_Deadline__info, sidl_rmi_Deadline__class},
    {&sidl_rmi_ExportRegistry__info, sidl_rmi_ExportRegistry__class},
    {&sidl_rmi_Inspection__info, sidl_rmi_Inspection__class},
    {&sidl_rmi_InstanceRegistry__info, sidl_rmi_InstanceRegistry__class},
    {&sidl_rmi_ProtocolFactory__info, sidl_rmi_ProtocolFactory__class},
    {&sidl_rmi_ServerRegistry__info, sidl_rmi_ServerRegistry__class},
    {&sidl_rmi_TicketI__info, sidl_rmi_TicketI__class},
    {&sidl_rmi_TicketBookI__info, sidl_rmi_TicketBookI__class},
    {&libsidl_Memory__info, libsidl_Memory__class},
    {&sidl_rmi_TicketBookEntry__info, sidl_rmi_TicketBookEntry__class},
};

sidl_class_function class_builtin(const struct sidl_type_info* type) {
  for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; ++i) {
    if (builtins[i].type->id == type->id) return builtins[i].implementation;
  }
  return NULL;
}

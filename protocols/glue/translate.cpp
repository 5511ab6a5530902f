#include "translate.hpp"

#include <new>

#include "core/memory.hpp"
#include "sidl_exception.hxx"
#include "sidl_protocol.h"
#include "sidl_rmi_BindException_IOR.h"
#include "sidl_rmi_CancelledException_IOR.h"
#include "sidl_rmi_ConnectException_IOR.h"
#include "sidl_rmi_MalformedURLException_IOR.h"
#include "sidl_rmi_NetworkException.hxx"
#include "sidl_rmi_NoRouteToHostException_IOR.h"
#include "sidl_rmi_NoServerException_IOR.h"
#include "sidl_rmi_NotAllowedException_IOR.h"
#include "sidl_rmi_ObjectDoesNotExistException_IOR.h"
#include "sidl_rmi_ProtocolException_IOR.h"
#include "sidl_rmi_TimeOutException_IOR.h"
#include "sidl_rmi_UnexpectedCloseException_IOR.h"
#include "sidl_rmi_UnknownHostException_IOR.h"
#include "sidl_skel.hxx"

namespace shinar::wire {
namespace {

const sidl_type_info* class_of(Failure failure) {
  switch (failure) {
    case Failure::protocol:
      return &sidl_rmi_ProtocolException__info;
    case Failure::object_does_not_exist:
      return &sidl_rmi_ObjectDoesNotExistException__info;
    case Failure::malformed_url:
      return &sidl_rmi_MalformedURLException__info;
    case Failure::unknown_host:
      return &sidl_rmi_UnknownHostException__info;
    case Failure::no_route:
      return &sidl_rmi_NoRouteToHostException__info;
    case Failure::connect:
      return &sidl_rmi_ConnectException__info;
    case Failure::no_server:
      return &sidl_rmi_NoServerException__info;
    case Failure::bind:
      return &sidl_rmi_BindException__info;
    case Failure::time_out:
      return &sidl_rmi_TimeOutException__info;
    case Failure::unexpected_close:
      return &sidl_rmi_UnexpectedCloseException__info;
    case Failure::cancelled:
      return &sidl_rmi_CancelledException__info;
    case Failure::not_allowed:
      return &sidl_rmi_NotAllowedException__info;
  }
  return &sidl_rmi_NetworkException__info;
}

}  // namespace

void set_sidl(const Error& error, const char* function, sidl_BaseInterface__object** _ex) {
  sidl_rmi_throw(class_of(error.failure()), error.what(), error.err(),
                 static_cast<std::int64_t>(error.fate()), "simhandle", 0, function, _ex);
}

void set_sidl(const char* function, sidl_BaseInterface__object** _ex) {
  try {
    throw;
  } catch (const Error& error) {
    set_sidl(error, function, _ex);
  } catch (const std::bad_alloc&) {
    drop_kept_blocks();
    sidl::set_exception(_ex, "simhandle", function);
  } catch (...) {
    sidl::set_exception(_ex, "simhandle", function);
  }
}

void throw_sidl(const Error& error, const char* function) {
  sidl_BaseInterface__object* thrown = nullptr;
  set_sidl(error, function, &thrown);
  sidl::throw_exception<sidl::rmi::NetworkException>(thrown);
}

}  // namespace shinar::wire

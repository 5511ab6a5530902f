#include "whole_calls.hpp"

#include <algorithm>
#include <utility>

#include "reused.hpp"
#include "sidl_rmi_InstanceHandle.hxx"
#include "sidlx_rmi_SimHandle_Impl.hxx"
#include "sidlx_rmi_SimReturn_Impl.hxx"
#include "sidlx_rmi_Simsponse_Impl.hxx"
#include "values.hpp"

namespace simhandle {
namespace {

using sidlx::rmi::SimHandle_impl;
using sidlx::rmi::SimReturn;
using sidlx::rmi::SimReturn_impl;
using sidlx::rmi::Simsponse;
using sidlx::rmi::Simsponse_impl;

/** What a thread needs for a call, kept from one to the next. */
struct Workplace {
  Encoder encoder;
  Message answer;
  bool in_use = false;

  static Workplace& of_this_thread() { return OfThread<Workplace>::get(); }
};

class InUse {
 public:
  explicit InUse(Workplace& workplace) : workplace_(workplace) { workplace_.in_use = true; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  ~InUse() {
    workplace_.encoder.clear();
    workplace_.answer.clear();
    workplace_.in_use = false;
  }

 private:
  Workplace& workplace_;
};

/** inout values must survive a failure: they are left to those who can keep both. */
bool is_callable(const sidl_method_info& method, void* const* args) {
  if (!has_plain_values(method)) return false;
  for (int i = 0; i < method.arg_count; ++i) {
    const sidl_arg_info& arg = method.args[i];
    if (arg.mode == sidl_mode_inout) return false;
    if (arg.mode == sidl_mode_in && !has_declared_shape(arg.type, args[i])) return false;
  }
  return true;
}

void put_arguments(Encoder& encoder, const sidl_method_info& method, void* const* args) {
  for (int i = 0; i < method.arg_count; ++i) {
    const sidl_arg_info& arg = method.args[i];
    if (arg.mode == sidl_mode_in) put_value(encoder, arg.type, args[i], Sharing::lent);
  }
}

void get_outputs(Message& answer, const sidl_method_info& method, void* const* args, void* result) {
  Decoder decoder(answer);
  if (result != nullptr) get_value(decoder, method.result, result);
  for (int i = 0; i < method.arg_count; ++i) {
    const sidl_arg_info& arg = method.args[i];
    if (arg.mode == sidl_mode_out) get_value(decoder, arg.type, args[i]);
  }
}

/** The result, if there is one, and the arguments, of all modes but perhaps one. */
void free_values(const sidl_method_info& method, void* const* args, void* result,
                 int all_but_mode = 0) {
  if (result != nullptr) sidl_rmi_free_value(&method.result, result);
  for (int i = 0; i < method.arg_count; ++i) {
    const sidl_arg_info& arg = method.args[i];
    if (arg.mode != all_but_mode) sidl_rmi_free_value(&arg.type, args[i]);
  }
}

sidl_BaseInterface__object* exception_in(Message& answer, const std::shared_ptr<Callee>& peer) {
  Simsponse response = Simsponse::_create();
  impl_of<Simsponse_impl>(response).begin(answer, peer);
  sidl::BaseException thrown = response.getExceptionThrown();
  // An exception variable holds the object, not its facet.
  return static_cast<sidl_BaseInterface__object*>(sidl::release(thrown)->d_object);
}

void call(const RemoteObject& target, Workplace& workplace, const sidl_method_info& method,
          void* const* args, void* result, std::int64_t deadline,
          sidl_BaseInterface__object** _ex) {
  target.inherit();
  workplace.encoder.put_string(target.id);
  put_arguments(workplace.encoder, method, args);
  Request request;
  request.method = method.name;
  request.digest = method.digest;
  request.encoder = &workplace.encoder;
  if (deadline > 0) request.deadline = deadline_after(deadline);
  target.peer->call(request, workplace.answer);
  if (workplace.answer.type() == FrameType::exception) {
    *_ex = exception_in(workplace.answer, target.peer);
  } else {
    get_outputs(workplace.answer, method, args, result);
  }
}

/** A call that came in. */
struct Incoming {
  sidl_rmi_incoming functions;
  Decoder arguments;
  Answer& answer;
};

sidl_bool unpack(sidl_rmi_incoming* self, const sidl_method_info* method, void* const* args,
                 sidl_BaseInterface__object** _ex) {
  Decoder& decoder = reinterpret_cast<Incoming*>(self)->arguments;
  *_ex = nullptr;
  try {
    for (int i = 0; i < method->arg_count; ++i) {
      const sidl_arg_info& arg = method->args[i];
      if (arg.mode != sidl_mode_out) get_value(decoder, arg.type, args[i]);
    }
    return TRUE;
  } catch (...) {
    set_sidl("unpack", _ex);
    return FALSE;
  }
}

bool have_declared_shape(const sidl_method_info& method, void* const* args, const void* result) {
  if (result != nullptr && !has_declared_shape(method.result, result)) return false;
  for (int i = 0; i < method.arg_count; ++i) {
    const sidl_arg_info& arg = method.args[i];
    if (arg.mode != sidl_mode_in && !has_declared_shape(arg.type, args[i])) return false;
  }
  return true;
}

void put_results(Encoder& encoder, const sidl_method_info& method, void* const* args,
                 const void* result) {
  if (result != nullptr) put_value(encoder, method.result, result, Sharing::kept);
  for (int i = 0; i < method.arg_count; ++i) {
    const sidl_arg_info& arg = method.args[i];
    if (arg.mode != sidl_mode_in) put_value(encoder, arg.type, args[i], Sharing::kept);
  }
}

/** Exceptions, and results that are not what the method declares, are the business of a Return. */
void finish_with_return(Answer& answer, const sidl_method_info& method, void* const* args,
                        void* result, sidl_BaseInterface__object** _ex) {
  const SimReturn ret = SimReturn::_create();
  const sidl::rmi::Return& base = ret;
  answer.body.clear();
  impl_of<SimReturn_impl>(ret).begin(answer);
  sidl_rmi_finish(&method, base._get_ior(), args, result, _ex);
  impl_of<SimReturn_impl>(ret).end();
}

void finish(sidl_rmi_incoming* self, const sidl_method_info* method, void* const* args,
            void* result, sidl_BaseInterface__object** _ex) {
  Answer& answer = reinterpret_cast<Incoming*>(self)->answer;
  try {
    if (*_ex == nullptr && have_declared_shape(*method, args, result)) {
      put_results(answer.body, *method, args, result);
      free_values(*method, args, result);
      return;
    }
  } catch (...) {
    set_sidl("pack", _ex);
    // A Return takes it that beside an exception there is no result.
    if (result != nullptr) sidl_rmi_free_value(&method->result, std::exchange(result, nullptr));
  }
  try {
    finish_with_return(answer, *method, args, result, _ex);
  } catch (...) {
    set_sidl("throwException", _ex);
  }
}

}  // namespace

sidl_bool call_whole(sidl_rmi_InstanceHandle__object* handle, const sidl_method_info* method,
                     void* const* args, void* result, std::int64_t deadline,
                     sidl_BaseInterface__object** _ex) {
  if (!is_callable(*method, args)) return FALSE;
  Workplace& workplace = Workplace::of_this_thread();
  if (workplace.in_use) return FALSE;  // this call is nested in the one that does
  const auto* const object = reinterpret_cast<sidlx_rmi_SimHandle__object*>(handle->d_object);
  // A reference of our own: what is called meanwhile may close the handle.
  const std::shared_ptr<const RemoteObject> target =
      static_cast<const SimHandle_impl*>(object->d_data)->remote();
  if (target == nullptr) return FALSE;
  const InUse in_use(workplace);
  *_ex = nullptr;
  try {
    call(*target, workplace, *method, args, result, deadline, _ex);
  } catch (...) {
    free_values(*method, args, result, sidl_mode_in);
    set_sidl("invokeMethod", _ex);
  }
  return TRUE;
}

void run_whole(IncomingCall& call, const sidl_method_info& method, Answer& answer,
               sidl_BaseInterface__object** failure) {
  void* const object = call.target.get();
  Incoming incoming{{&unpack, &finish}, Decoder(call.message), answer};
  if (call.arguments != 0) {
    incoming.arguments.go_to(call.arguments);
  } else {
    static_cast<void>(incoming.arguments.get_name());  // the object's
  }
  sidl_rmi_dispatch_incoming(object, &method, &incoming.functions, failure);
}

}  // namespace simhandle

#include "whole_calls.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "array_landing.hpp"
#include "core/of_thread.hpp"
#include "sidl_rmi_InstanceHandle.hxx"
#include "sidl_rmi_NetworkException.hxx"
#include "sidl_rmi_RequestFate.hxx"
#include "sidlx_rmi_SimHandle_Impl.hxx"
#include "value_sink.hpp"
#include "value_source.hpp"

namespace shinar::wire {
namespace {

using sidlx::rmi::SimHandle_impl;

/** Buffers of a call, kept for the thread's next one. */
struct Scratch {
  Encoder encoder;
  Packer packer;
  Message answer;
  Scratch* next = nullptr;  ///< in the idle list

  void clear() {
    packer.end();
    encoder.clear();
    answer.clear();
  }
};

/** The thread's idle buffers: as many as its calls were nested, up to a limit. */
struct IdleScratches {
  Scratch* first = nullptr;
  int count = 0;

  Scratch* take() {
    if (first == nullptr) return new Scratch;
    --count;
    return std::exchange(first, first->next);
  }
  void give_back(Scratch* scratch) {
    constexpr int most = 8;
    if (count == most) {
      delete scratch;
      return;
    }
    ++count;
    scratch->next = std::exchange(first, scratch);
  }
  ~IdleScratches() {
    while (first != nullptr) delete take();
  }
};

/**
 * Borrows a Scratch for a call; nested calls get others. The thread's list lives until none of its
 * calls is in progress.
 */
class BorrowedScratch {
 public:
  BorrowedScratch() : idle_(OfThread<IdleScratches>::get()), scratch_(idle_.take()) {}
  BorrowedScratch(const BorrowedScratch&) = delete;
  BorrowedScratch& operator=(const BorrowedScratch&) = delete;
  ~BorrowedScratch() {
    scratch_->clear();  // may run destructors, which may make calls
    idle_.give_back(scratch_);
  }
  Scratch& operator*() const { return *scratch_; }

 private:
  IdleScratches& idle_;
  Scratch* const scratch_;
};

/** The exception in an answer. If it cannot be unpacked, throws with the fate mayHaveExecuted. */
sidl_BaseInterface__object* exception_in(ValueSource& answer) {
  try {
    sidl::BaseException thrown = answer.unpacker.get_exception(answer.deserializer());
    // An exception variable holds the object, not its facet.
    return static_cast<sidl_BaseInterface__object*>(sidl::release(thrown)->d_object);
  } catch (sidl::rmi::NetworkException& failure) {
    failure.setFate(sidl::rmi::RequestFate_mayHaveExecuted);
    throw;
  }
}

/** Lets the answer land in the caller's arrays as long as it lives. */
class MayLand {
 public:
  MayLand() = default;
  MayLand(const MayLand&) = delete;
  MayLand& operator=(const MayLand&) = delete;
  ~MayLand() {
    if (landing_ != nullptr) array_landing()->revoke();
  }

  /** For an answer to this call. */
  void begin(Request& request, const sidl_method_info& method, void* const* args) {
    landing_ = ArrayLanding::of(method, args);
    if (landing_ != nullptr) request.landing = &landing_;
  }
  ArrayLanding* array_landing() const { return static_cast<ArrayLanding*>(landing_.get()); }

 private:
  std::shared_ptr<Landing> landing_;
};

/** Unpacks the answer. */
void take_answer(const RemoteObject& target, Message& answer, ArrayLanding* landing,
                 const sidl_method_info& method, void* const* args, void* result,
                 sidl_BaseInterface__object** _ex) {
  Unpacker unpacker(answer, target.peer.get());
  ValueSource source(unpacker, landing);
  if (answer.type() == FrameType::exception) {
    *_ex = exception_in(source);
  } else {
    sidl_rmi_get_outputs(&source, &method, args, result, _ex);
  }
}

void call(const RemoteObject& target, Scratch& scratch, const sidl_method_info& method,
          void* const* args, void* result, std::int64_t deadline,
          sidl_BaseInterface__object** _ex) {
  target.inherit();
  scratch.encoder.put_string(target.id);
  scratch.packer.begin_call(scratch.encoder, *target.peer);
  const bool has_values = method.arg_count != 0 || method.result.kind != sidl_kind_void;
  if (has_values) {
    ValueSink arguments(scratch.packer, Sharing::lent);
    if (!sidl_rmi_put_arguments(&arguments, &method, args, _ex)) return;
  }
  Request request;
  request.method = method.name;
  request.digest = method.digest;
  request.encoder = &scratch.encoder;
  if ((method.flags & sidl_method_oneway) != 0) {
    scratch.packer.close_one_way().note_in(request);
    if (deadline > 0) request.deadline = deadline_after(deadline);
    target.peer->send(request);
    return;
  }
  Loan& loan = scratch.packer.loan();
  if (!loan.empty()) {
    loan.note_in(request);
    request.held = loan.held();
  }
  if (deadline > 0) request.deadline = deadline_after(deadline);
  MayLand may_land;
  if (!scratch.encoder.segments().empty()) may_land.begin(request, method, args);
  target.peer->call(request, scratch.answer);
  if (has_values || scratch.answer.type() == FrameType::exception) {
    take_answer(target, scratch.answer, may_land.array_landing(), method, args, result, _ex);
  }
}

/** An incoming call. */
struct Incoming : sidl_rmi_incoming {
  Incoming(Message& message, const Decoder& values, Answer& answer)
      : sidl_rmi_incoming{&source, &sink, &throw_exception},
        unpacker(message, values, answer.caller) {
    packer.begin_answer(answer);
  }

  static void throw_exception(sidl_rmi_incoming* self, sidl_BaseException__object* thrown,
                              sidl_BaseInterface__object** _ex) {
    auto& incoming = *static_cast<Incoming*>(self);
    *_ex = nullptr;
    try {
      incoming.packer.put_exception(sidl::BaseException(thrown, true), incoming.sink.serializer());
    } catch (...) {
      set_sidl("throwException", _ex);
    }
  }

  Unpacker unpacker;
  Packer packer;
  ValueSource source{unpacker};
  ValueSink sink{packer, Sharing::kept};
};

/** The values after the object's name. */
Decoder arguments_of(IncomingCall& call) {
  Decoder decoder(call.message);
  if (call.arguments != 0) {
    decoder.go_to(call.arguments);
  } else {
    static_cast<void>(decoder.get_name());
  }
  return decoder;
}

}  // namespace

sidl_bool call_whole(sidl_rmi_InstanceHandle__object* handle, const sidl_method_info* method,
                     void* const* args, void* result, std::int64_t deadline,
                     sidl_BaseInterface__object** _ex) {
  if (deadline < 0) return TRUE;
  const auto* const object = reinterpret_cast<sidlx_rmi_SimHandle__object*>(handle->d_object);
  // Keeps the target alive: code called meanwhile may close the handle.
  const std::shared_ptr<const RemoteObject> target =
      static_cast<const SimHandle_impl*>(object->d_data)->remote();
  if (target == nullptr) return FALSE;
  *_ex = nullptr;
  try {
    const BorrowedScratch scratch;
    try {
      call(*target, *scratch, *method, args, result, deadline, _ex);
    } catch (const Error& error) {
      if (!is_lent_in_vain(error)) throw;
      (*scratch).clear();
      call(*target, *scratch, *method, args, result, deadline, _ex);
    }
  } catch (...) {
    set_sidl("invokeMethod", _ex);
  }
  return TRUE;
}

void run_whole(IncomingCall& call, const sidl_method_info& method, Answer& answer,
               sidl_BaseInterface__object** failure) {
  Incoming incoming(call.message, arguments_of(call), answer);
  sidl_rmi_dispatch_incoming(call.target.get(), &method, &incoming, failure);
  // Releases what was not taken over before the answer is sent.
  if (call.message.cargo != nullptr || !call.message.segments.empty()) call.message.clear();
  incoming.packer.end_answer();
}

}  // namespace shinar::wire

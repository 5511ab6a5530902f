#include "orb_host.hpp"

#include <atomic>
#include <chrono>
#include <utility>

#include "core/decoder.hpp"
#include "core/incoming_call.hpp"
#include "core/stack_room.hpp"
#include "reused.hpp"
#include "serialization.hpp"
#include "sidl_BaseClass.hxx"
#include "sidl_log.h"
#include "sidl_protocol.hxx"
#include "sidl_rmi_ExportRegistry.hxx"
#include "sidlx_rmi_SimCall.hxx"
#include "sidlx_rmi_SimReturn_Impl.hxx"
#include "whole_calls.hpp"

namespace shinar::wire {
namespace {

using sidlx::rmi::SimCall;
using sidlx::rmi::SimReturn;
using sidlx::rmi::SimReturn_impl;

/** Turns a SIDL exception into the answer. */
void answer_exception(const sidl::BaseException& exception, Answer& answer) {
  const SimReturn ret = SimReturn::_create();
  impl_of<SimReturn_impl>(ret).begin(answer);
  ret.throwException(exception);
  impl_of<SimReturn_impl>(ret).end();
}

/** The server of this process, if any, and a session to which its own references are booked. */
struct Current {
  CheckedMutex<"Current"> mutex;
  OrbHost* host = nullptr;
  Ledger* ledger = nullptr;
  std::shared_ptr<Session> session;

  void let_go(const std::string& id) {
    std::shared_ptr<Session> of;
    Ledger* at = nullptr;
    {
      const std::lock_guard lock(mutex);
      of = session;
      at = ledger;
    }
    if (at != nullptr) at->release(*of, id, 1);
  }

  /**
   * Made when the plug-in is loaded, and in each forked child. Never destroyed: calls may be made
   * late in exit.
   */
  static inline Current* made = nullptr;
  static Current& instance() { return *made; }
};

/** Limits calls of this thread to the caller's deadline while it lives. */
class InheritedDeadline {
 public:
  explicit InheritedDeadline(const Answer& answer)
      : is_set_(answer.milliseconds_left >= 0 || answer.is_within),
        previous_(is_set_ ? sidl_deadline_inherit(answer.milliseconds_left) : 0) {}
  InheritedDeadline(const InheritedDeadline&) = delete;
  InheritedDeadline& operator=(const InheritedDeadline&) = delete;
  ~InheritedDeadline() {
    if (is_set_) sidl_deadline_restore(previous_);
  }

 private:
  const bool is_set_;
  const std::int64_t previous_;
};

std::uint32_t bytes_by_value(const sidl_method_info& method) {
  std::size_t bytes = 0;
  const auto add = [&](const sidl_type_ref& type) {
    if (type.kind == sidl_kind_struct) bytes += type.structure->size;
  };
  add(method.result);
  for (int i = 0; i < method.arg_count; ++i) add(method.args[i].type);
  return static_cast<std::uint32_t>(bytes);
}

/** The method of the object's class, if peers may call it. Cached for the next call. */
const sidl_method_info* find_method(void* target, const Method& method) {
  const std::atomic_ref<const void*> known(method.known);
  const auto* found = static_cast<const sidl_method_info*>(known.load(std::memory_order_acquire));
  const sidl_type_info* const type = sidl_object_type(target);
  // A method of a type has the same name and digest in all its subtypes.
  if (found != nullptr &&
      (found->type == type || sidl_cast_borrowed(target, found->type) != nullptr)) {
    return found;
  }
  found = sidl_rmi_find_method(type, method.name.c_str(), method.digest);
  if (found == nullptr) return nullptr;
  const std::atomic_ref<std::uint32_t> bytes(method.bytes_by_value);
  bytes.store(bytes_by_value(*found), std::memory_order_relaxed);
  known.store(found, std::memory_order_release);
  return found;
}

/**
 * A call of a method that the class does not have, or has with another signature: libsidl answers
 * with the error.
 */
void refuse(void* target, const Method& method, Answer& answer,
            sidl_BaseInterface__object** failure) {
  const SimCall call = SimCall::_create();
  const SimReturn ret = SimReturn::_create();
  impl_of<SimReturn_impl>(ret).begin(answer);
  const sidl::rmi::Call& base_call = call;
  const sidl::rmi::Return& base_ret = ret;
  sidl_rmi_dispatch(target, method.name.c_str(), method.digest, base_call._get_ior(),
                    base_ret._get_ior(), failure);
  impl_of<SimReturn_impl>(ret).end();
}

}  // namespace

Instance OrbHost::create(std::string_view type, Answer& answer) {
  try {
    const sidl::BaseClass object = sidl::rmi::ExportRegistry::createInstance(std::string(type));
    return {manage(object), sidl_object_type(object._get_ior())->name};
  } catch (const sidl::BaseException& exception) {
    answer_exception(exception, answer);
    return {};
  }
}

Instance OrbHost::find(std::string_view object) {
  // By all of its bytes: what a name has behind a zero would be a name of its own in the books.
  const Pin found = pin(object);
  if (found.get() == nullptr) return {};
  return {std::string(object), sidl_object_type(found.get())->name};
}

Pin OrbHost::pin(std::string_view object) {
  return {sidl_rmi_find_instance(object.data(), object.size()),
          [](void* held) { sidl::delete_ref(held); }};
}

std::string OrbHost::type_of(void* pinned) const {
  return sidl_object_type(pinned)->name;
}

/**
 * What has a public name stays; an object that is known by its id alone stays as long as it is
 * lent.
 */
bool OrbHost::keep(const std::string& object) {
  if (is_published(object) || manages(object)) return true;
  Pin known = pin(object);
  if (known.get() == nullptr) return false;
  const std::string id = manage(sidl::BaseInterface(sidl::as_base(known.release())));
  if (id == object) return true;
  give_back(id);  // its former id is no longer good
  return false;
}

/** Ids are 128 random bits, as libsidl makes them: nobody knows one who was not given it. */
bool OrbHost::is_published(std::string_view object) const {
  constexpr std::size_t digits_of_id = 32;
  return object.size() != digits_of_id ||
         object.find_first_not_of("0123456789abcdef") != std::string_view::npos;
}

const void* OrbHost::class_of(void* pinned) const {
  return sidl_object_type(pinned);
}

/** An ancestor is one for the methods that it has: not for those that its heirs have added. */
std::vector<std::string> OrbHost::names_of(const IncomingCall& call) const {
  const std::string& method = call.method->name;
  const sidl_type_info* const own = sidl_object_type(call.target.get());
  std::vector<std::string> names;
  bool is_of_object_model = false;
  const auto add = [&](const sidl_type_info* type) {
    for (std::uint16_t i = 0; i < type->slot_count; ++i) {
      if (type->slots[i]->name != method) continue;
      const std::string introduced = type->slots[i]->type->name;
      is_of_object_model = is_of_object_model || introduced == "sidl.BaseInterface" ||
                           introduced == "sidl.ClassInfo" || introduced == "sidl.rmi.Inspection";
      names.push_back(std::string(type->name) + "." + method);
      return;
    }
  };
  for (auto* type = own; type != nullptr; type = type->parent) add(type);
  for (std::uint16_t i = 0; i < own->facet_count; ++i) add(own->facets[i].type);
  if (is_of_object_model) return {};
  if (names.empty()) names.push_back(std::string(own->name) + "." + method);  // it has none
  return names;
}

const void* OrbHost::strand(IncomingCall& call) {
  if (void* const target = call.target.get()) {
    const sidl_method_info* found = nullptr;
    if (call.method != nullptr) found = find_method(target, *call.method);
    call.found = found;
    return strand_of(target, found);
  }
  if (call.message.type() != FrameType::create) return nullptr;
  try {
    return strand_of_new(Decoder(call.message).get_name());
  } catch (const Error&) {
    return nullptr;  // running the call reports it
  }
}

void OrbHost::call(IncomingCall& call, Answer& answer) {
  const auto* const found = static_cast<const sidl_method_info*>(call.found);
  sidl_BaseInterface__object* failure = nullptr;
  {
    const InheritedDeadline deadline(answer);
    if (found != nullptr) {
      check_stack_of_values(
          std::atomic_ref(call.method->bytes_by_value).load(std::memory_order_relaxed));
      run_whole(call, *found, answer, &failure);
    } else {
      refuse(call.target.get(), *call.method, answer, &failure);
    }
  }
  if (failure == nullptr) return;
  assert_no_lock_held("the destruction of an exception");
  const sidl::BaseInterface thrown(failure);
  const auto exception = sidl::babel_cast<sidl::BaseException>(thrown);
  throw Error(Failure::protocol,
              exception._is_nil() ? "the call could not be answered" : exception.getNote(),
              Fate::may_have_executed);
}

std::shared_ptr<void> OrbHost::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (auto stand_in = stand_ins_.extract(id)) return std::move(stand_in.mapped());
  auto lent = lent_.extract(id);
  if (lent.empty()) return nullptr;
  // The returned owner releases the counts when it is destroyed, which may run the object's
  // destructor.
  return {this, [id, count = lent.mapped()](OrbHost*) {
            assert_no_lock_held("the destruction of an object that peers referred to");
            sidl_rmi_take_back(id.c_str(), count);
          }};
}

std::string OrbHost::manage(const sidl::BaseInterface& object) {
  std::string id = sidl::protocol::lend(object);
  const std::lock_guard lock(mutex_);
  ++lent_[id];
  return id;
}

bool OrbHost::manages(const std::string& id) {
  const std::lock_guard lock(mutex_);
  return lent_.contains(id);
}

void OrbHost::give_back(const std::string& id) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = lent_.find(id);
    if (found == lent_.end()) return;
    if (--found->second == 0) lent_.erase(found);
  }
  sidl_rmi_take_back(id.c_str(), 1);
}

std::string OrbHost::lend(const sidl::BaseInterface& object, Ledger& ledger, Session& session) {
  for (;;) {
    std::string id = manage(object);
    try {
      ledger.book(session, id, 1);
    } catch (...) {
      give_back(id);
      throw;
    }
    // Another session may have released its last count before this one was booked, and with it the
    // host's.
    if (manages(id)) return id;
    ledger.release(session, id, 1);
  }
}

std::string OrbHost::stand_in(std::shared_ptr<void> what, Ledger& ledger, Session& session) {
  std::string name = "stand-in-" + digits_of(random_id());
  {
    const std::lock_guard lock(mutex_);
    stand_ins_.emplace(name, what);
  }
  try {
    ledger.book(session, name, 1);
  } catch (...) {
    const std::lock_guard lock(mutex_);  // `what` has another owner: not destroyed here
    stand_ins_.erase(name);
    throw;
  }
  return name;
}

void OrbHost::become_current(Ledger& ledger) {
  Current& current = Current::instance();
  const std::lock_guard lock(current.mutex);
  current.host = this;
  current.ledger = &ledger;
  current.session = ledger.open(random_id(), std::chrono::hours(0));
}

void OrbHost::resign() {
  Current& current = Current::instance();
  const std::lock_guard lock(current.mutex);
  if (current.host != this) return;
  current.host = nullptr;
  current.ledger = nullptr;
  current.session.reset();
}

std::shared_ptr<const std::string> OrbHost::hold(const sidl::BaseInterface& object) {
  Current& current = Current::instance();
  const std::lock_guard lock(current.mutex);
  if (current.host == nullptr) return nullptr;
  auto id =
      std::make_unique<std::string>(current.host->lend(object, *current.ledger, *current.session));
  return {id.release(), [lent_by = Generation()](const std::string* held) {
            if (lent_by.is_current()) Current::instance().let_go(*held);
            delete held;
          }};
}

void OrbHost::begin_process() {
  Current::made = new Current;
}

void OrbHost::log(const std::string& line) {
  if (verbose_.load(std::memory_order_relaxed)) {
    sidl_log(sidl_log_warning, "simhandle", line.c_str());
  }
}

bool OrbHost::logs_details() const {
  return verbose_.load(std::memory_order_relaxed) && sidl_log_enabled(sidl_log_detail);
}

void OrbHost::log_detail(const std::string& line) {
  sidl_log(sidl_log_detail, "simhandle", line.c_str());
}

}  // namespace shinar::wire

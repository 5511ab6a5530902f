#include "unpacker.hpp"

#include "core/cargo.hpp"
#include "core/running_call.hpp"
#include "kept_state.hpp"
#include "sidl_BaseClass.hxx"
#include "sidl_String.h"
#include "sidl_protocol.h"
#include "sidl_protocol.hxx"
#include "sidl_rmi_ServerRegistry.hxx"
#include "sim_objects.hpp"

namespace shinar::wire {
namespace {

constexpr std::uint32_t most_ancestors = 1000;

/** An exception of the named class, or nil if this process does not know or implement it. */
sidl::io::Serializable make_exception(const std::string& name) {
  sidl_BaseInterface__object* failure = nullptr;
  auto* const exception = sidl_exception_by_name(name.c_str(), &failure);
  sidl::drop_exception(failure);
  if (exception == nullptr) return {};
  return sidl::babel_cast<sidl::io::Serializable>(sidl::BaseException(exception));
}

/** An object of the named class, or nil: no library is loaded because a peer named a class. */
sidl::io::Serializable make_value(const std::string& name) {
  sidl::exception_slot failure;
  const sidl::io::Serializable value(sidl_value_by_name(name.c_str(), failure.ptr()));
  failure.check<>();
  return value;
}

}  // namespace

char* Unpacker::get_c_string() {
  bool null = false;
  const std::string_view text = get_string(null);
  if (null) return nullptr;
  char* const copy = sidl_String_strndup(text.data(), text.size());
  if (copy == nullptr) throw std::bad_alloc();
  return copy;
}

sidl::BaseInterface Unpacker::get_object() {
  return translated("unpackObject", [&] {
    switch (static_cast<ObjectTag>(decoder_.get<std::uint8_t>())) {
      case ObjectTag::null:
        return sidl::BaseInterface();
      case ObjectTag::at_receiver:
        return get_local();
      case ObjectTag::at_sender:
        return get_lent();
      case ObjectTag::elsewhere:
        return get_elsewhere();
    }
    throw malformed("an object reference of unknown form");
  });
}

/**
 * What a client must not attach to it does not get by naming it in an argument, or in its answer to
 * a call of this server. `where`: its name, or a URL.
 */
template <class Where>
void Unpacker::check_may_have(Where where) const {
  const auto check = [&](auto& sender) {
    if (!sender.is_ruled()) return;
    const std::string object = where();
    if (!object.empty()) sender.check_attach(object);
  };
  const FrameType type = message_->type();
  if (type == FrameType::request || type == FrameType::oneway) {
    const RunningCall* const running = RunningCall::innermost();
    if (running != nullptr) check(running->link());
  } else if (sender_ != nullptr) {
    check(*sender_);
  }
}

/** A reference to an object of this process. */
sidl::BaseInterface Unpacker::get_local() {
  const std::size_t place = decoder_.place() - 1;
  const std::string id(decoder_.get_name());
  check_may_have([&] { return id; });
  Pin pin;
  if (message_->cargo == nullptr || !message_->cargo->take_home(place, pin)) {
    throw malformed("a reference that is not in the list of references");
  }
  if (pin.get() == nullptr) {
    throw Error(Failure::object_does_not_exist,
                "an argument refers to object '" + in_one_line(id) + "', which no longer exists");
  }
  return sidl::BaseInterface(sidl::as_base(pin.release()));
}

/** An object of the sender, with a count for us. */
sidl::BaseInterface Unpacker::get_lent() {
  const std::size_t place = decoder_.place() - 1;
  std::string id(decoder_.get_name());
  const std::string type(decoder_.get_name());
  if (sender_ == nullptr) throw malformed("an object lives at a sender that has none");
  if (message_->cargo == nullptr) {
    throw malformed("a reference that is not in the list of references");
  }
  message_->cargo->take_over(place);
  return make_proxy(sender_->shared_from_this(), std::move(id), type);
}

sidl::BaseInterface Unpacker::get_elsewhere() {
  const std::string url(decoder_.get_name());
  decoder_.get_name();  // the type; the object's server knows it better
  check_may_have([&] { return sidl::rmi::ServerRegistry::isLocalObject(url); });
  return sidl::BaseInterface::_connect(url);
}

sidl::io::Serializable Unpacker::get_serializable(const sidl::io::Deserializer& self) {
  return translated("unpackSerializable", [&] { return get_by_value(self, false); });
}

sidl::BaseException Unpacker::get_exception(const sidl::io::Deserializer& self) {
  return translated("getExceptionThrown", [&] {
    const sidl::io::Serializable value = get_by_value(self, true);
    if (value._is_nil()) throw malformed("an exception frame without an exception");
    return sidl::babel_cast<sidl::BaseException>(value);
  });
}

sidl::io::Serializable Unpacker::get_by_value(const sidl::io::Deserializer& self,
                                              bool is_exception) {
  const auto count = decoder_.get<std::uint32_t>();
  if (count == 0) return {};
  if (count > most_ancestors) throw malformed("an object has too many ancestors");
  sidl::io::Serializable object;
  std::string actual;
  std::string used;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string name(decoder_.get_name());
    if (i == 0) actual = name;
    if (object._not_nil()) continue;
    object = is_exception ? make_exception(name) : make_value(name);
    used = name;
  }
  const Decoder::Part part = decoder_.enter_part();
  const bool is_known = object._not_nil();
  if (is_known) {
    object.unpackObj(self);
    if (used == actual) keep_state(object._get_ior(), decoder_, part, is_exception);
  } else if (is_exception) {
    object = make_exception("sidl.SIDLException");
    sidl::babel_cast<sidl::BaseException>(object).setNote(
        "an exception of class " + in_one_line(actual) + ", which is unknown in this process");
  }
  decoder_.leave_part(part);
  if (object._is_nil()) {
    throw Error(Failure::protocol, sidl::protocol::unknown_value(in_one_line(actual)));
  }
  if (is_known && is_exception && used != actual) {
    sidl::babel_cast<sidl::BaseException>(object).add("(was a " + in_one_line(actual) + ")");
  }
  return object;
}

}  // namespace shinar::wire

#include "packer.hpp"

#include <cstdlib>
#include <utility>

#include "core/ledger.hpp"
#include "kept_state.hpp"
#include "orb_host.hpp"
#include "sidl_protocol.h"
#include "sidl_rmi_InstanceHandle.hxx"
#include "sidl_rmi_ServerInfo.hxx"
#include "sidl_rmi_ServerRegistry.hxx"
#include "sim_objects.hpp"

namespace shinar::wire {

namespace {

/** For a log line. */
std::string text_of(const sidl::io::Serializable& thrown) {
  std::string text = sidl_object_type(thrown._get_ior())->name;
  try {
    const auto exception = sidl::babel_cast<sidl::BaseException>(thrown);
    if (exception._not_nil()) text += ": " + exception.getNote();
  } catch (const sidl::BaseException&) {
    // Users' classes may throw here: use the class name alone.
  }
  return text;
}

}  // namespace

void Packer::begin_call(Encoder& encoder, Callee& receiver) {
  encoder_ = &encoder;
  receiver_ = &receiver;
}

void Packer::begin_answer(Answer& answer) {
  encoder_ = &answer.body;
  receiver_ = answer.caller;
  answer_ = &answer;
}

void Packer::put_stand_in_or_end() {
  try {
    put_stand_in();
  } catch (...) {
    end();
    throw;
  }
}

void Packer::throw_left() {
  throw_sidl(Error(Failure::protocol, "the message has been sent: no more values can be packed"),
             "pack");
}

void Packer::put_object(std::string_view key, const sidl::BaseInterface& value, bool is_held) {
  if (value._is_nil()) {
    put(static_cast<std::uint8_t>(ObjectTag::null));
    return;
  }
  ++references_;
  or_let_go([&] {
    if (auto* const handle = sidl_proxy_handle(value._get_ior())) {
      put_remote(handle, key, value, is_held);
    } else {
      put_local(key, value);
    }
  });
}

/** A proxy: sent to its home as its id, to others as its URL. */
void Packer::put_remote(sidl_rmi_InstanceHandle__object* handle, std::string_view key,
                        const sidl::BaseInterface& value, bool is_held) {
  const auto remote = remote_object_of(handle);
  if (remote != nullptr) translated("packObject", [&] { remote->inherit(); });
  if (remote != nullptr && remote->peer.get() == receiver_) {
    // The receiver pins the object when it reads the message, which it does before any release that
    // follows it. So none may be sent before: packObj may have had the last handle.
    if (answer_ != nullptr) {
      auto& held = answer_->held;
      if (held == nullptr) held = std::make_unique<std::vector<std::shared_ptr<void>>>();
      held->push_back(std::make_shared<sidl::BaseInterface>(value));
    } else if (!is_held) {
      loan_.hold_until_sent(std::make_shared<sidl::BaseInterface>(value));
    }
    encoder().note_reference();
    put(static_cast<std::uint8_t>(ObjectTag::at_receiver));
    put_string(remote->id);
    return;
  }
  sidl_BaseInterface__object* failure = nullptr;
  const sidl::c_string type(handle->d_epv->f_getTypeName(handle->d_object, &failure));
  if (failure != nullptr) sidl::throw_exception<>(failure);
  put_elsewhere(key, value, sidl::to_string(type.get()));
  // The receiver may attach only later: keep the proxy until then.
  loan_.hold(std::make_shared<sidl::BaseInterface>(value));
}

/** Where references that the message lends are booked: the receiver's session. Throws Error. */
Lent& Packer::begin_lending() {
  Lent& lent = answer_ != nullptr ? answer_->lent : loan_.lent;
  if (lent.has_begun()) return lent;
  const Callee::Lender lender = receiver_->lender();
  if (lender.session == nullptr) {
    throw Error(Failure::unexpected_close, "objects cannot be passed to " + receiver_->place() +
                                               ": it is no longer connected");
  }
  lent.begin(lender.ledger, lender.session);
  return lent;
}

/** Packs a reference that was booked. */
void Packer::put_lent(Lent& lent, std::string id, std::string_view type) {
  const std::string& name = lent.add(std::move(id));
  encoder().note_reference();
  put(static_cast<std::uint8_t>(ObjectTag::at_sender));
  put_string(name);
  put_string(type);
}

/**
 * For messages without an answer: appends a reference to a stand-in after the values. The receiver
 * releases it when it is done with the message, by which time it has attached to objects elsewhere.
 * What the message holds is kept until then.
 */
void Packer::put_stand_in() {
  if (!loan_.lasts_until_unpacked()) return;
  std::shared_ptr<void> held = loan_.held();
  Lent& lent = begin_lending();
  auto& host = static_cast<OrbHost&>(lent.ledger().host());
  put_lent(lent, host.stand_in(std::move(held), lent.ledger(), lent.session()),
           "sidl.BaseInterface");
  loan_.let_go();
}

/**
 * An object of this process: lent over the connection of the message, or sent as its URL if this
 * process has a server that others can reach, too.
 */
void Packer::put_local(std::string_view key, const sidl::BaseInterface& value) {
  const sidl_type_info* const its_class = sidl_object_type(value._get_ior());
  const std::string_view type = its_class->name;
  if (answer_ == nullptr && receiver_->has_own_place() && !sidl_rmi_is_lent_only(its_class)) {
    const auto server = sidl::rmi::ServerRegistry::getServer();
    if (server._not_nil()) {
      // Not _getURL() alone, which would keep the object alive for good.
      const auto held = OrbHost::hold(value);
      put_url(held ? server.getServerURL(*held) : value._getURL(), type);
      if (held) loan_.hold(std::const_pointer_cast<std::string>(held));
      return;
    }
  }
  translated("packObject", [&] {
    Lent& lent = begin_lending();
    auto& host = static_cast<OrbHost&>(lent.ledger().host());
    put_lent(lent, host.lend(value, lent.ledger(), lent.session()), type);
  });
}

void Packer::put_elsewhere(std::string_view key, const sidl::BaseInterface& value,
                           const std::string& type) {
  const std::string url = value._getURL();
  if (url.empty()) {
    throw_sidl(
        Error(Failure::protocol,
              std::string(key == "_retval" ? "the result" : key) + ": an object of class " + type +
                  " lives in a client that runs no server, so that only this process can call "
                  "it, over that client's own connection: start a server in that client "
                  "(sidl.rmi.ProtocolFactory.createServer(\"simhandle://HOST:0\"), then "
                  "listen and run), or declare the argument copy"),
        "packObject");
  }
  put_url(url, type);
}

void Packer::put_url(std::string_view url, std::string_view type) {
  put(static_cast<std::uint8_t>(ObjectTag::elsewhere));
  put_string(url);
  put_string(type);
}

void Packer::put_serializable(const sidl::io::Serializable& value,
                              const sidl::io::Serializer& self) {
  if (value._is_nil()) {
    put<std::uint32_t>(0);
    return;
  }
  or_let_go([&] {
    if (++depth_ > max_nesting) {
      throw_sidl(Limits::exceeded("nesting of objects by value", max_nesting,
                                  static_cast<std::uint64_t>(depth_), nullptr),
                 "packSerializable");
    }
    if (!keeps_state(value._get_ior()) || !put_with_kept_state(value, self)) {
      put_names(value);
      const std::size_t part = encoder().begin_part();
      const std::uint64_t references = references_;
      value.packObj(self);
      encoder().end_part(part, references_ != references);
    }
    --depth_;
  });
}

/** The names of the object's classes, as far as this process can pack their state. */
void Packer::put_names(const sidl::io::Serializable& value) {
  const std::unique_ptr<const char*[], void (*)(void*)> chain(
      sidl_class_chain(value._get_ior()), [](void* memory) { std::free(memory); });
  if (chain == nullptr) throw std::bad_alloc();
  std::uint32_t count = 0;
  while (chain[count] != nullptr) ++count;
  put(count);
  for (std::uint32_t i = 0; i < count; ++i) put_string(chain[i]);
}

/**
 * All classes of an object that stands in for one of an unknown class, and the state kept for that.
 * The state must have the same alignment as when it was received, but the trace before it has
 * grown: blanks are appended to that. False, without effect, if no padding fits.
 */
bool Packer::put_with_kept_state(const sidl::io::Serializable& value,
                                 const sidl::io::Serializer& self) {
  const void* const object = value._get_ior();
  const std::size_t begin = encoder().body_size() + header_bytes;
  const std::size_t segments = encoder().segments().size();
  std::vector<const char*> names;
  for (auto* type = sidl_object_type(object); type != nullptr; type = type->parent) {
    names.push_back(type->name);
  }
  put(static_cast<std::uint32_t>(names.size()));
  for (const char* const name : names) put_string(name);
  const std::size_t part = encoder().begin_part();
  for (std::size_t padding = 0; padding < 8; ++padding) {
    encoder().empty_part(part, segments);
    padding_ = padding;
    strings_to_trace_ = 2;  // the state of a sidl.SIDLException: note, then trace
    value.packObj(self);
    strings_to_trace_ = 0;
    if (put_kept_state(encoder(), object)) {
      encoder().end_part(part);
      return true;
    }
  }
  encoder().empty_part(begin, segments);
  return false;
}

void Packer::put_padded(std::string_view trace) {
  std::string text(trace);
  text.insert(text.ends_with('\n') ? text.size() - 1 : text.size(), padding_, ' ');
  put_string(std::string_view(text));
}

void Packer::put_exception(const sidl::io::Serializable& value, const sidl::io::Serializer& self) {
  encoder().clear();
  if (answer_ != nullptr) {
    answer_->lent.take_back();
    answer_->held.reset();
    loan_.let_go();
    answer_->type = FrameType::exception;
    if (answer_->is_unheard) answer_->failure = text_of(value);
  }
  depth_ = 0;
  strings_to_trace_ = 0;
  put_serializable(value, self);
}

}  // namespace shinar::wire

#include "packer.hpp"

#include <cstdlib>
#include <utility>

#include "core/running_call.hpp"
#include "orb_host.hpp"
#include "sidl_protocol.h"
#include "sidl_rmi_InstanceHandle.hxx"
#include "sidl_rmi_ServerInfo.hxx"
#include "sidl_rmi_ServerRegistry.hxx"
#include "sim_objects.hpp"

namespace simhandle {

void Packer::begin_call(Encoder& encoder, Callee& receiver) {
  encoder_ = &encoder;
  receiver_ = &receiver;
}

void Packer::begin_answer(Answer& answer) {
  encoder_ = &answer.body;
  receiver_ = answer.caller;
  answer_ = &answer;
}

void Packer::end() {
  encoder_ = nullptr;
  receiver_ = nullptr;
  answer_ = nullptr;
  loan_.end();
  if (!sent_home_.empty()) sent_home_.clear();
  depth_ = 0;
}

Loan Packer::end_with_loan() {
  Loan loan = std::exchange(loan_, Loan());
  end();
  return loan;
}

Encoder& Packer::encoder() {
  if (encoder_ == nullptr) {
    throw_sidl(Error(Failure::protocol, "the message has left: nothing can be packed any more"),
               "pack");
  }
  return *encoder_;
}

void Packer::put_object(const std::string& key, const sidl::BaseInterface& value) {
  if (value._is_nil()) {
    put(static_cast<std::uint8_t>(ObjectTag::null));
  } else if (auto* const handle = sidl_proxy_handle(value._get_ior())) {
    put_remote(handle, key, value);
  } else {
    put_local(key, value);
  }
}

/** A proxy: sent home as its id, anywhere else by its URL. */
void Packer::put_remote(sidl_rmi_InstanceHandle__object* handle, const std::string& key,
                        const sidl::BaseInterface& value) {
  const auto remote = remote_object_of(handle);
  if (remote != nullptr && remote->peer.get() == receiver_) {
    put(static_cast<std::uint8_t>(ObjectTag::at_receiver));
    put_string(remote->id);
    if (answer_ == nullptr) {
      loan_.hold(std::make_shared<sidl::BaseInterface>(value));
    } else {
      send_home(remote->id);
    }
    return;
  }
  sidl_BaseInterface__object* failure = nullptr;
  const sidl::c_string type(handle->d_epv->f_getTypeName(handle->d_object, &failure));
  if (failure != nullptr) sidl::throw_exception<>(failure);
  put_elsewhere(key, value, sidl::to_string(type.get()));
  // The receiver attaches after this process has dropped its proxy: not too soon, then.
  if (answer_ != nullptr) {
    OrbHost::keep_for_a_while(std::make_shared<sidl::BaseInterface>(value));
  } else {
    loan_.hold(std::make_shared<sidl::BaseInterface>(value));
  }
}

/**
 * An object of this process: over the connection by which the message goes, or by its URL if this
 * process has a server that others than the receiver can reach, too.
 */
void Packer::put_local(const std::string& key, const sidl::BaseInterface& value) {
  const std::string type = sidl_object_type(value._get_ior())->name;
  if (answer_ == nullptr && receiver_->has_own_place() &&
      sidl::rmi::ServerRegistry::getServer()._not_nil()) {
    if (auto held = OrbHost::hold(value)) loan_.hold(std::move(held));
    put_elsewhere(key, value, type);
    return;
  }
  if (!loan_.has_begun()) {
    const Callee::Lender lender = translated("packObject", [&] { return receiver_->lender(); });
    if (lender.session == nullptr) {
      throw_sidl(
          Error(Failure::unexpected_close, "objects cannot be passed to " + receiver_->place() +
                                               ": it is not connected any more"),
          "packObject");
    }
    loan_.begin(lender.ledger, lender.session);
  }
  auto& host = static_cast<OrbHost&>(loan_.ledger().host());
  const std::string id =
      translated("packObject", [&] { return host.lend(value, loan_.ledger(), loan_.session()); });
  loan_.add(id);
  put(static_cast<std::uint8_t>(ObjectTag::at_sender));
  put_string(id);
  put_string(type);
}

/**
 * An answer brings a reference home with a count of its own, which the receiver gives back when it
 * has found the object: ours may be given back before that.
 */
void Packer::send_home(const std::string& id) {
  RunningCall* const running = RunningCall::innermost();
  if (running == nullptr) return;
  Encoder body;
  body.put_string(id);
  body.put(std::uint32_t{1});
  Request request;
  request.type = FrameType::add_reference;
  request.encoder = &body;
  translated("packObject", [&] { running->link().send(request); });
  sent_home_.push_back(id);
}

void Packer::put_elsewhere(const std::string& key, const sidl::BaseInterface& value,
                           const std::string& type) {
  const std::string url = value._getURL();
  if (url.empty()) {
    throw_sidl(Error(Failure::protocol,
                     (key == "_retval" ? "the result" : key) + ": an object of class " + type +
                         " lives in a client that runs no server, so that nobody but this process "
                         "can call it: register a server in that client "
                         "(sidl.rmi.ServerRegistry.registerServer), or declare the argument copy"),
               "packObject");
  }
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
  const std::unique_ptr<const char*[], void (*)(void*)> chain(
      sidl_class_chain(value._get_ior()), [](void* memory) { std::free(memory); });
  if (chain == nullptr) throw std::bad_alloc();
  if (++depth_ > max_nesting) {
    throw_sidl(Limits::exceeded("nesting of objects by value", max_nesting,
                                static_cast<std::uint64_t>(depth_), nullptr),
               "packSerializable");
  }
  std::uint32_t count = 0;
  while (chain[count] != nullptr) ++count;
  put(count);
  for (std::uint32_t i = 0; i < count; ++i) put_string(chain[i]);
  const std::size_t part = encoder().begin_part();
  value.packObj(self);
  encoder().end_part(part);
  --depth_;
}

void Packer::put_exception(const sidl::io::Serializable& value, const sidl::io::Serializer& self) {
  encoder().clear();
  if (answer_ != nullptr) {
    loan_.take_back();
    for (const std::string& id : std::exchange(sent_home_, {})) receiver_->release(id, 1);
    answer_->type = FrameType::exception;
  }
  depth_ = 0;
  put_serializable(value, self);
}

}  // namespace simhandle

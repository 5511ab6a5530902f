#include "packer.hpp"

#include <cstdlib>

#include "orb_host.hpp"
#include "sidl_protocol.h"
#include "sidl_rmi_InstanceHandle.hxx"
#include "sidl_rmi_ServerInfo.hxx"
#include "sidl_rmi_ServerRegistry.hxx"
#include "sim_objects.hpp"

namespace simhandle {

void Packer::begin_call(Encoder& encoder, std::shared_ptr<Peer> receiver) {
  encoder_ = &encoder;
  receiver_ = std::move(receiver);
}

void Packer::begin_answer(Answer& answer, OrbHost& host) {
  encoder_ = &answer.body;
  answer_ = &answer;
  host_ = &host;
}

void Packer::end() {
  encoder_ = nullptr;
  answer_ = nullptr;
  host_ = nullptr;
  receiver_.reset();
  lent_.clear();
  for (const std::string& id : held_) OrbHost::let_go(id);
  held_.clear();
  depth_ = 0;
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
    put_remote(handle, value);
  } else {
    put_local(key, value);
  }
}

/** A proxy: sent home as its id, anywhere else by its URL. */
void Packer::put_remote(sidl_rmi_InstanceHandle__object* handle, const sidl::BaseInterface& value) {
  const auto remote = remote_object_of(handle);
  if (remote != nullptr && receiver_ != nullptr && remote->peer == receiver_) {
    put(static_cast<std::uint8_t>(ObjectTag::at_receiver));
    put_string(remote->id);
    return;
  }
  sidl_BaseInterface__object* failure = nullptr;
  const sidl::c_string type(handle->d_epv->f_getTypeName(handle->d_object, &failure));
  if (failure != nullptr) sidl::throw_exception<>(failure);
  put_elsewhere(value, sidl::to_string(type.get()));
  // The receiver attaches after this process has dropped its proxy: not too soon, then.
  if (host_ != nullptr) host_->keep_for_a_while(value);
}

void Packer::put_local(const std::string& key, const sidl::BaseInterface& value) {
  const std::string type = sidl_object_type(value._get_ior())->name;
  if (answer_ != nullptr) {
    const std::string id = host_->lend(value, *answer_);
    lent_.push_back(id);
    put(static_cast<std::uint8_t>(ObjectTag::at_sender));
    put_string(id);
    put_string(type);
    return;
  }
  if (sidl::rmi::ServerRegistry::getServer()._is_nil()) {
    throw_sidl(
        Error(Failure::protocol,
              "argument '" + key + "' is an object of this process (class " + type +
                  "), which runs no server: passing it needs callbacks over the existing "
                  "connection, which this version does not have; run a sidlx.rmi.SimpleOrb in "
                  "this process"),
        "packObject");
  }
  const std::string held = OrbHost::hold(value);
  if (!held.empty()) held_.push_back(held);
  put_elsewhere(value, type);
}

void Packer::put_elsewhere(const sidl::BaseInterface& value, const std::string& type) {
  const std::string url = value._getURL();
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
    for (const std::string& id : lent_) answer_->ledger->release(*answer_->session, id, 1);
    lent_.clear();
    answer_->type = FrameType::exception;
  }
  depth_ = 0;
  put_serializable(value, self);
}

}  // namespace simhandle

/**
 * The values of one message on their way out: what Simvocation and SimReturn have in common.
 *
 * Keys are ignored but for messages: values travel in order. One thread at a time. Errors of the
 * core leave as SIDL exceptions.
 */
#ifndef SIMHANDLE_GLUE_PACKER_HPP
#define SIMHANDLE_GLUE_PACKER_HPP

#include <memory>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "core/host.hpp"
#include "core/peer.hpp"
#include "sidl_BaseInterface.hxx"
#include "sidl_io_Serializable.hxx"
#include "sidl_io_Serializer.hxx"
#include "translate.hpp"

struct sidl_rmi_InstanceHandle__object;

namespace simhandle {

class OrbHost;

class Packer {
 public:
  /** For a call to `receiver`. */
  void begin_call(Encoder& encoder, std::shared_ptr<Peer> receiver);
  /** For an answer; what it hands out is booked to answer.session. */
  void begin_answer(Answer& answer, OrbHost& host);
  /** The message has left or will never; nothing may be packed any more. */
  void end();

  template <class T>
  void put(T value) {
    encoder().put(value);
  }
  void put_bool(bool value) { encoder().put_bool(value); }
  template <class T>
  void put_complex(const std::complex<T>& value) {
    encoder().put_pair(value.real(), value.imag());
  }
  void put_string(const std::string& value) {
    translated("packString", [&] { encoder().put_string(value); });
  }
  template <class T>
  void put_array(const sidl::array<T>& value, std::int32_t ordering, bool reuse) {
    const Sharing sharing = !reuse               ? Sharing::copy
                            : answer_ != nullptr ? Sharing::reference
                                                 : Sharing::caller_waits;
    translated("packArray", [&] { pack_array(encoder(), value, ordering, sharing); });
  }

  void put_object(const std::string& key, const sidl::BaseInterface& value);

  /** By value: the names of its classes, then what packObj puts into `self`. */
  void put_serializable(const sidl::io::Serializable& value, const sidl::io::Serializer& self);

  /** The answer is an exception; what was packed before is dropped. */
  void put_exception(const sidl::io::Serializable& value, const sidl::io::Serializer& self);

 private:
  Encoder& encoder();
  void put_remote(sidl_rmi_InstanceHandle__object* handle, const sidl::BaseInterface& value);
  void put_local(const std::string& key, const sidl::BaseInterface& value);
  void put_elsewhere(const sidl::BaseInterface& value, const std::string& type);

  Encoder* encoder_ = nullptr;
  std::shared_ptr<Peer> receiver_;  ///< of a call
  Answer* answer_ = nullptr;        ///< of an answer
  OrbHost* host_ = nullptr;         ///< of an answer
  std::vector<std::string> lent_;   ///< objects booked by this answer
  std::vector<std::string> held_;   ///< objects of this process that a call refers to
  int depth_ = 0;
};

}  // namespace simhandle
#endif

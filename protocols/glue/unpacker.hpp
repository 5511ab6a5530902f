/**
 * Unpacks the values of one message: what Simsponse and SimCall have in common.
 *
 * One thread at a time. Errors of the core are thrown as SIDL exceptions.
 */
#ifndef SHINAR_GLUE_UNPACKER_HPP
#define SHINAR_GLUE_UNPACKER_HPP

#include <complex>
#include <memory>
#include <string>

#include "arrays.hpp"
#include "core/callee.hpp"
#include "sidl_BaseException.hxx"
#include "sidl_BaseInterface.hxx"
#include "sidl_io_Deserializer.hxx"
#include "sidl_io_Serializable.hxx"
#include "translate.hpp"

namespace shinar::wire {

class Unpacker {
 public:
  Unpacker() = default;
  /** The unread values of a message of `sender`; message and sender must outlive it. */
  Unpacker(Message& message, const Decoder& values, Callee* sender)
      : message_(&message), decoder_(values), sender_(sender) {}
  /** An answer. */
  Unpacker(Message& message, Callee* sender) : Unpacker(message, Decoder(message), sender) {}

  /** The unread values; reading from them throws Error. */
  Decoder& values() { return decoder_; }

  template <class T>
  T get() {
    return translated("unpack", [&] { return decoder_.get<T>(); });
  }
  bool get_bool() {
    return translated("unpackBool", [&] { return decoder_.get_bool(); });
  }
  template <class T>
  std::complex<T> get_complex() {
    const T real = get<T>();
    return {real, get<T>()};
  }
  /** Valid as long as the message; `null`: set for the null string. */
  std::string_view get_string(bool& null) {
    return translated("unpackString", [&] { return decoder_.get_string(null); });
  }
  std::string get_string() {
    bool null = false;
    return std::string(get_string(null));
  }
  /** NULL for the null string. The caller frees it. */
  char* get_c_string();
  template <class T>
  sidl::array<T> get_array(std::int32_t ordering) {
    return translated("unpackArray", [&] { return unpack_array<T>(decoder_, ordering); });
  }

  sidl::BaseInterface get_object();

  /** By value: an object of the first of the named classes that is known here. */
  sidl::io::Serializable get_serializable(const sidl::io::Deserializer& self);

  /** The exception in an exception frame. */
  sidl::BaseException get_exception(const sidl::io::Deserializer& self);

 private:
  sidl::io::Serializable get_by_value(const sidl::io::Deserializer& self, bool is_exception);
  template <class Where>
  void check_may_have(Where where) const;
  sidl::BaseInterface get_local();
  sidl::BaseInterface get_lent();
  sidl::BaseInterface get_elsewhere();

  Message* message_ = nullptr;  ///< NULL: no message
  Decoder decoder_;
  Callee* sender_ = nullptr;
};

}  // namespace shinar::wire
#endif

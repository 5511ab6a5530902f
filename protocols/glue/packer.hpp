/**
 * The values of one message on their way out: what Simvocation and SimReturn have in common.
 *
 * Keys are ignored but for messages: values travel in order. One thread at a time. Errors of the
 * core leave as SIDL exceptions.
 */
#ifndef SHINAR_GLUE_PACKER_HPP
#define SHINAR_GLUE_PACKER_HPP

#include <memory>
#include <string>

#include "arrays.hpp"
#include "core/callee.hpp"
#include "core/host.hpp"
#include "loan.hpp"
#include "sidl_BaseInterface.hxx"
#include "sidl_io_Serializable.hxx"
#include "sidl_io_Serializer.hxx"
#include "translate.hpp"

struct sidl_rmi_InstanceHandle__object;

namespace shinar::wire {

class Packer {
 public:
  /** For a call to `receiver`. */
  void begin_call(Encoder& encoder, Callee& receiver);
  /** For an answer; what it lends is booked to the caller's session. */
  void begin_answer(Answer& answer);
  /** The call has left or will never; nothing may be packed any more. */
  void end() {
    close();
    if (!loan_.empty()) loan_.end();
  }
  /** The answer is ready, and goes. Throws Error if it cannot: its caller is gone. */
  void end_answer() {
    if (!loan_.empty()) put_stand_in_or_end();
    end();
  }
  /** What a call lends and holds so far. */
  Loan& loan() { return loan_; }
  /** Nothing more will be packed into a call that will be answered: what it lends and holds until
   * end(). */
  Loan& close() {
    encoder_ = nullptr;
    receiver_ = nullptr;
    answer_ = nullptr;
    depth_ = 0;
    strings_to_trace_ = 0;
    return loan_;
  }
  /** The same of one that will not: nothing is held but what the receiver gives back. Throws
   * Error. */
  Loan& close_one_way() {
    if (!loan_.empty()) put_stand_in();
    return close();
  }

  template <class T>
  void put(T value) {
    encoder().put(value);
  }
  void put_bool(bool value) { encoder().put_bool(value); }
  template <class T>
  void put_complex(const std::complex<T>& value) {
    encoder().put_pair(value.real(), value.imag());
  }
  /** NULL is no string. */
  void put_string(const char* value) {
    if (value == nullptr) {
      encoder().put_null_string();
    } else {
      put_string(std::string_view(value));
    }
  }
  void put_string(std::string_view value) {
    if (strings_to_trace_ > 0 && --strings_to_trace_ == 0) return put_padded(value);
    or_let_go([&] { translated("packString", [&] { encoder().put_string(value); }); });
  }
  template <class T>
  void put_array(const sidl::array<T>& value, std::int32_t ordering, bool reuse) {
    // Who packs for itself (packObj, a call made by hand) may drop the array before it is sent.
    const Sharing sharing = reuse ? Sharing::kept : Sharing::copy;
    or_let_go(
        [&] { translated("packArray", [&] { pack_array(encoder(), value, ordering, sharing); }); });
  }

  /** `key` names the value where it cannot be passed. */
  void put_object(std::string_view key, const sidl::BaseInterface& value);

  /** By value: the names of its classes, then what packObj puts into `self`. */
  void put_serializable(const sidl::io::Serializable& value, const sidl::io::Serializer& self);

  /** The answer is an exception; what was packed before is dropped. */
  void put_exception(const sidl::io::Serializable& value, const sidl::io::Serializer& self);

  /** Where what is put goes. */
  Encoder& encoder() {
    if (encoder_ == nullptr) [[unlikely]]
      throw_left();
    return *encoder_;
  }

 private:
  [[noreturn]] static void throw_left();
  /** A call of which something cannot be packed is not made: nobody waits for what was. */
  template <class Action>
  void or_let_go(Action action) {
    try {
      action();
    } catch (...) {
      if (answer_ == nullptr) end();
      throw;
    }
  }
  void put_names(const sidl::io::Serializable& value);
  bool put_with_kept_state(const sidl::io::Serializable& value, const sidl::io::Serializer& self);
  void put_padded(std::string_view trace);
  void put_remote(sidl_rmi_InstanceHandle__object* handle, std::string_view key,
                  const sidl::BaseInterface& value);
  void put_local(std::string_view key, const sidl::BaseInterface& value);
  Lent& begin_lending();
  void put_lent(Lent& lent, std::string id, std::string_view type);
  void put_stand_in();
  void put_stand_in_or_end();
  void put_elsewhere(std::string_view key, const sidl::BaseInterface& value,
                     const std::string& type);
  void put_url(std::string_view url, std::string_view type);

  Encoder* encoder_ = nullptr;
  Callee* receiver_ = nullptr;
  Answer* answer_ = nullptr;  ///< of an answer
  Loan loan_;                 ///< of a call; of an answer: what it holds
  int depth_ = 0;
  std::uint64_t references_ = 0;  ///< objects by reference so far
  int strings_to_trace_ = 0;      ///< how many strings from now on the trace to be padded is; or 0
  std::size_t padding_ = 0;       ///< blanks that it gets
};

}  // namespace shinar::wire
#endif
